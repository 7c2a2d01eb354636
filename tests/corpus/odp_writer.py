"""Writes presentations of OpenDocument."""

import io
import zipfile

NAMES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("draw", "drawing"),
        ("text", "text"),
        ("table", "table"),
        ("presentation", "presentation"),
        ("style", "style"),
    )
)
SLIDE = """<draw:page draw:name="p{number}">
<draw:frame presentation:class="title"><draw:text-box><text:p>{title}</text:p></draw:text-box></draw:frame>
<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>first point</text:p>
</text:list-item></text:list></draw:text-box></draw:frame>
<draw:frame presentation:class="footer"><draw:text-box><text:p>{footer}</text:p></draw:text-box></draw:frame>
<draw:frame><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>
<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say this</text:p></draw:text-box>
</draw:frame></presentation:notes></draw:page>"""


def presentation(slides, title="Title {number}", footer="every slide", hiding=None):
    """Slides with their own footer; with `hiding`, switches of their style, also a declared one and a master page."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        body = "".join(
            SLIDE.format(number=number, title=title.format(number=number), footer=footer)
            for number in range(1, slides + 1)
        )
        styles = declared = ""
        if hiding is not None:
            properties = f"<style:drawing-page-properties {hiding}/>"
            styles = f'<style:style style:name="dp" style:family="drawing-page">{properties}</style:style>'
            declared = '<presentation:footer-decl presentation:name="f">declared</presentation:footer-decl>'
            named = 'draw:style-name="dp" draw:master-page-name="m" presentation:use-footer-name="f" draw:name'
            body = body.replace("draw:page draw:name", f"draw:page {named}")
            frame = "<draw:frame><draw:text-box><text:p>on the master</text:p></draw:text-box></draw:frame>"
            master = f'<style:master-page style:name="m">{frame}</style:master-page>'
            archive.writestr("styles.xml", f"<office:document-styles {NAMES}>{master}</office:document-styles>")
        content = f"<office:document-content {NAMES}>{styles}<office:body><office:presentation>{declared}{body}"
        archive.writestr("content.xml", f"{content}</office:presentation></office:body></office:document-content>")
    return made.getvalue()
