"""ODP: a slide a unit, its title a heading, its notes behind it."""

import io
import zipfile

import readwell

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
<draw:frame presentation:class="title"><draw:text-box><text:p>Title {number}</text:p></draw:text-box></draw:frame>
<draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>first point</text:p>
</text:list-item></text:list></draw:text-box></draw:frame>
<draw:frame presentation:class="footer"><draw:text-box><text:p>every slide</text:p></draw:text-box></draw:frame>
<draw:frame><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>
<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>say this</text:p></draw:text-box>
</draw:frame></presentation:notes></draw:page>"""


def presentation(slides):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.presentation")
        body = "".join(SLIDE.format(number=number) for number in range(1, slides + 1))
        content = f"<office:document-content {NAMES}><office:body><office:presentation>{body}"
        archive.writestr("content.xml", f"{content}</office:presentation></office:body></office:document-content>")
    return made.getvalue()


def test_slides_have_titles_points_tables_and_notes(tmp_path):
    (tmp_path / "a.odp").write_bytes(presentation(2))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.odp"})
        assert reply.text.startswith("[a.odp | odp, 2 slides | ")
        lines = [line.partition("\t")[2] for line in reply.text.split("\n")[1:-1]]
        outline = reader.reply({"path": "a.odp", "view": "outline"}).text
    first = [line for line in lines[: lines.index("<!-- slide 2 -->")] if line]
    assert first == [
        "<!-- slide 1 -->",
        "# Title 1",
        "- first point",
        "| a | b |",
        "| --- | --- |",
        "Notes:",
        "say this",
    ]
    assert "every slide" not in reply.text
    assert "Title 1" in outline and "Title 2" in outline
