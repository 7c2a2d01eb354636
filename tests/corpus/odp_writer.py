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


def presentation(slides, title="Title {number}", footer="every slide"):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        body = "".join(
            SLIDE.format(number=number, title=title.format(number=number), footer=footer)
            for number in range(1, slides + 1)
        )
        content = f"<office:document-content {NAMES}><office:body><office:presentation>{body}"
        archive.writestr("content.xml", f"{content}</office:presentation></office:body></office:document-content>")
    return made.getvalue()
