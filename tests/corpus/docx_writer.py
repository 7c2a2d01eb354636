"""DOCX files with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

from corpus.packing import crowded, encrypted, lying, ole_header, overlapping, packed

OFFICE = "http://schemas.openxmlformats.org/"
STRICT = "http://purl.oclc.org/ooxml/"
W = OFFICE + "wordprocessingml/2006/main"
R = OFFICE + "officeDocument/2006/relationships"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in (
        ("w", W),
        ("r", R),
        ("m", OFFICE + "officeDocument/2006/math"),
        ("mc", OFFICE + "markup-compatibility/2006"),
        ("wp", OFFICE + "drawingml/2006/wordprocessingDrawing"),
        ("a", OFFICE + "drawingml/2006/main"),
        ("c", OFFICE + "drawingml/2006/chart"),
        ("pic", OFFICE + "drawingml/2006/picture"),
        ("v", "urn:schemas-microsoft-com:vml"),
        ("wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"),
        ("w14", "http://schemas.microsoft.com/office/word/2010/wordml"),
    )
)
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
RELATIONS = f'{HEAD}<Relationships xmlns="{OFFICE}package/2006/relationships">'
TYPES = f'{HEAD}<Types xmlns="{OFFICE}package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
MAIN = f'{RELATIONS}<Relationship Id="r1" Type="{R}/officeDocument" Target="word/document.xml"/></Relationships>'
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{name}"/>{more}</w:style>'
    for identity, name, more in (
        ("Normal", "Normal", ""),
        ("Title", "Title", ""),
        ("Heading1", "heading 1", ""),
        ("Heading2", "heading 2", ""),
        ("Chapter", "Kapitel", '<w:basedOn w:val="Outlined"/>'),
        ("Outlined", "Gegliedert", '<w:basedOn w:val="Chapter"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
        ("Numbered", "heading 3", '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr></w:pPr>'),
        ("Code", "Source Code", ""),
        ("Quote", "Quote", ""),
        ("Unseen", "Unseen", "<w:rPr><w:vanish/></w:rPr>"),
    )
)
FORMATS = {
    1: [("bullet", "•")] * 3,
    2: [("decimal", "%1."), ("lowerLetter", "(%2)"), ("lowerRoman", "%3.")],
    4: [("upperRoman", "Part %1"), ("decimal", "%1.%2")],
}


def text(words, properties=""):
    """A run."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def paragraph(content, style="", properties=""):
    """A paragraph of runs, or of words alone."""
    runs = content if content.startswith("<") else text(content) if content else ""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{runs}</w:p>"


def item(words, level, number):
    return paragraph(words, "", f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def table(*rows):
    return "<w:tbl>" + "".join("<w:tr>" + "".join(row) + "</w:tr>" for row in rows) + "</w:tbl>"


def cell(content, properties=""):
    inner = content if content.startswith(("<w:p>", "<w:tbl>")) else paragraph(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def numbering():
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{kind}">'
        + "".join(
            f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{how}"/><w:lvlText w:val="{label}"/></w:lvl>'
            for level, (how, label) in enumerate(levels)
        )
        + "</w:abstractNum>"
        for kind, levels in FORMATS.items()
    )
    restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    lists = "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="{kind}"/>{more}</w:num>'
        for number, kind, more in ((1, 1, ""), (2, 2, ""), (3, 2, restarted), (4, 4, ""))
    )
    return f"{HEAD}<w:numbering {NAMESPACES}>{kinds}{lists}</w:numbering>"


def notes(kind, *contents):
    inner = "".join(
        f'<w:{kind} w:id="{number}" w:author="Ada">{paragraph(content)}</w:{kind}>'
        for number, content in enumerate(contents, 1)
    )
    return f"{HEAD}<w:{kind}s {NAMESPACES}>{inner}</w:{kind}s>"


def document(body, head=HEAD, links="", extra=None, stored=()):
    """A whole DOCX around a body."""
    targets = "".join(
        f'<Relationship Id="{name}" Type="{R}/{name}" Target="{name}.xml"/>'
        for name in ("styles", "numbering", "footnotes", "endnotes", "comments")
    )
    return packed(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": MAIN,
            "word/document.xml": f"{head}<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": f"{RELATIONS}{targets}{links}</Relationships>",
            "word/styles.xml": f"{HEAD}<w:styles {NAMESPACES}>{STYLES}</w:styles>",
            "word/numbering.xml": numbering(),
            "word/footnotes.xml": notes("footnote", "First note.", "Second note."),
            "word/endnotes.xml": notes("endnote", "At the end."),
            "word/comments.xml": notes("comment", "Is that so?"),
            **(extra or {}),
        },
        stored,
    )


def external(identity, kind, target):
    return f'<Relationship Id="{identity}" Type="{R}/{kind}" Target="{target}" TargetMode="External"/>'


def headings():
    return document(
        paragraph("The Title", "Title")
        + paragraph("One", "Heading1")
        + paragraph("# not a heading")
        + paragraph("Two", "Heading2")
        + paragraph("By outline", "Outlined")
        + paragraph("Numbered", "Numbered")
        + paragraph("Numbered again", "Numbered")
        + paragraph("Own level", "", '<w:outlineLvl w:val="0"/>')
        + paragraph("No style of that name", "Missing")
    )


def lists():
    return document(
        item("apple", 0, 1)
        + item("pear", 0, 1)
        + item("quince", 1, 1)
        + paragraph("Steps")
        + item("first", 0, 2)
        + item("detail", 1, 2)
        + item("more detail", 1, 2)
        + paragraph("in between")
        + item("resumed", 0, 2)
        + item("restarted", 0, 3)
        + item("of no list", 0, 99)
    )


def tables():
    merged = '<w:vMerge w:val="restart"/>'
    return document(
        table(
            [cell("Name"), cell("Size", '<w:gridSpan w:val="2"/>')],
            [cell("a|b", merged), cell("1"), cell(paragraph("2") + paragraph("two"))],
            [cell("hidden", "<w:vMerge/>"), cell("3"), cell(table([cell("in"), cell("ner")]))],
        )
        + paragraph("between")
        + table([cell("alone in a box")])
        + table([cell("wide", '<w:gridSpan w:val="2000000000"/>'), cell("beside it")], [cell("second")])
    )


def footnotes():
    reference = '<w:r><w:{}Reference w:id="{}"/></w:r>'
    return document(
        paragraph(text("Text") + reference.format("footnote", 2) + text(" goes on") + reference.format("footnote", 1))
        + paragraph(text("End") + reference.format("endnote", 1) + reference.format("footnote", 9))
        + paragraph(text("Doubtful") + reference.format("comment", 1))
    )


def text_box():
    box = "<w:txbxContent>{}</w:txbxContent>".format(paragraph("in the box"))
    return document(
        paragraph(
            text("beside the box")
            + f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
            + f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        )
        + paragraph("after the box")
    )


def tracked_changes():
    gone = "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
    moved = "<w:moveFrom><w:r><w:t>there</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t> here</w:t></w:r></w:moveTo>"
    row = f"<w:tr><w:trPr><w:del/></w:trPr>{cell('deleted row')}</w:tr>"
    return document(
        paragraph(text("It is ") + gone + f"<w:ins>{text('always')}</w:ins>" + moved)
        + f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{text('one ')}</w:p>"
        + paragraph("paragraph")
        + f"<w:tbl><w:tr>{cell('kept')}{cell('row')}</w:tr>{row}</w:tbl>"
    )


def marks():
    field = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    instruction = '<w:r><w:instrText> HYPERLINK "https://example.org/b" </w:instrText></w:r>'
    ticked = '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt>'
    legacy = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>'
    mono = '<w:rFonts w:ascii="Courier New"/>'
    return document(
        paragraph(text("plain ") + text("bold ", "<w:b/>") + text("both", "<w:b/><w:i/>") + text(" x") + text("2", '<w:vertAlign w:val="superscript"/>'))
        + paragraph(text("run ") + text("ls -l", mono) + text(" secret", "<w:vanish/>"))
        + paragraph(f'<w:hyperlink r:id="site">{text("a site")}</w:hyperlink>' + text(" and ") + field.format("begin") + instruction + field.format("separate") + text("another") + field.format("end"))
        + paragraph(ticked + text(" done"))
        + paragraph(legacy + field.format("end") + text(" open"))
        + paragraph("if (x) {", "Code")
        + paragraph("    y();", "Code")
        + paragraph("So it is said.", "Quote")
        + paragraph('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Nobody" w:char="zz"/></w:r>'),
        links=external("site", "hyperlink", "https://example.org/a (1)"),
    )  # fmt: skip


def maths():
    def run(words):
        return f"<m:r><m:t>{words}</m:t></m:r>"

    fraction = f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b_1')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{fraction}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    total = f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{run("i=0")}</m:sub><m:sup>{run("n")}</m:sup><m:e>{run("i")}</m:e></m:nary>'
    root = f"<m:rad><m:deg/><m:e>{run('x')}</m:e></m:rad>"
    return document(
        paragraph(text("inline ") + f"<m:oMath>{power}</m:oMath>")
        + paragraph(f"<m:oMathPara><m:oMath>{total}{run('+')}{root}</m:oMath></m:oMathPara>")
    )


def right_to_left():
    return document(
        paragraph("عنوان", "Heading1")
        + paragraph(text("مرحبا بالعالم", "<w:rtl/>"))
        + paragraph(text("שלום", "<w:rtl/>"))
    )


def picture(link):
    drawing = '<wp:inline><wp:docPr id="1" name="Picture 1" descr="A cat&#10;asleep"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="pic"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>'
    return document(
        paragraph(text("before ") + f"<w:r><w:drawing>{drawing}</w:drawing></w:r>" + text(" after")),
        links=external("pic", "image", link),
    )


def chart():
    def points(*values):
        return "".join(f'<c:pt idx="{i}"><c:v>{value}</c:v></c:pt>' for i, value in enumerate(values))

    series = f"<c:ser><c:tx><c:strRef><c:strCache>{points('Sold')}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>{points('Jan', 'Feb')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>{points(3, 4.5)}</c:numCache></c:numRef></c:val></c:ser>"
    space = f"{HEAD}<c:chartSpace {NAMESPACES}><c:chart><c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>"
    drawing = '<wp:inline><a:graphic><a:graphicData><c:chart r:id="chart"/></a:graphicData></a:graphic></wp:inline>'
    link = f'<Relationship Id="chart" Type="{R}/chart" Target="charts/chart1.xml"/>'
    return document(
        paragraph(text("Sales") + f"<w:r><w:drawing>{drawing}</w:drawing></w:r>"),
        links=link,
        extra={"word/charts/chart1.xml": space},
    )


def damaged_chart():
    """A chart and a diagram whose parts are no XML, between paragraphs."""
    names = {
        "chart": '<c:chart r:id="chart"/>',
        "diagram": f'<dgm:relIds xmlns:dgm="{OFFICE}drawingml/2006/diagram" r:dm="diagram"/>',
    }
    drawn = [
        f"<wp:inline><a:graphic><a:graphicData>{each}</a:graphicData></a:graphic></wp:inline>"
        for each in names.values()
    ]
    runs = [paragraph(text(name) + f"<w:r><w:drawing>{each}</w:drawing></w:r>") for name, each in zip(names, drawn)]
    links = (f'<Relationship Id="{name}" Type="{R}/{name}" Target="{name}.xml"/>' for name in names)
    extra = {f"word/{name}.xml": f"<c:{name}" for name in names}
    return document("".join([*runs, paragraph(text("after them"))]), links="".join(links), extra=extra)


def malformed():
    """Pictures, shapes, charts, tables and notes without what they need, or with numbers that nothing has."""
    drawings = (
        "<w:drawing/><w:pict/><w:object/><w:drawing><wp:inline/></w:drawing><w:pict><v:shape><v:imagedata/></v:shape></w:pict>"
        '<w:drawing><wp:inline><wp:docPr/><c:chart r:id="nowhere"/></wp:inline></w:drawing>'
    ).replace("<c:chart ", f'<c:chart xmlns:c="{OFFICE}drawingml/2006/chart" ')
    spans = cell("wide", '<w:gridSpan w:val="2000000000"/>') + cell("odd", '<w:gridSpan w:val="-1"/><w:vMerge/>')
    return document(
        paragraph(f"<w:r>{drawings}<w:t>words</w:t></w:r>")
        + f"<w:tbl/><w:tbl><w:tr/></w:tbl><w:tbl><w:tr><w:trPr><w:gridBefore w:val='99999999'/></w:trPr>{spans}</w:tr><w:tr>{cell('x')}</w:tr></w:tbl>"
        + item("listed", 77, 99999)
        + paragraph('<w:r><w:footnoteReference w:id="77"/><w:sym w:font="" w:char="zz"/><w:fldChar/></w:r>')
    )


def wrong_types():
    """A document whose list of content types calls it a picture."""
    return document(paragraph("words"), extra={"[Content_Types].xml": TYPES.replace("application/xml", "image/png")})


def strict():
    body = f'<w:document xmlns:w="{STRICT}wordprocessingml/main"><w:body>{paragraph("Strictly", "Heading1")}</w:body></w:document>'
    relation = f'{RELATIONS}<Relationship Id="r1" Type="{STRICT}officeDocument/relationships/officeDocument" Target="word/other.xml"/></Relationships>'
    return packed({"_rels/.rels": relation, "word/other.xml": HEAD + body})


def damaged():
    return document(paragraph("cut off"))[:-200]


def broken_xml():
    return document(paragraph("cut off") + "<w:p>")


def bodiless():
    return packed({"_rels/.rels": MAIN, "word/document.xml": f"{HEAD}<w:document {NAMESPACES}/>"})


def zip_bomb():
    return document(paragraph(" " * (4 << 20)))


def nested_zip():
    inner = packed({"word/document.xml": " " * (2 << 20)})
    return document(paragraph("outer"), extra={"word/embeddings/inner.docx": inner})


def billion_laughs():
    steps = [f'<!ENTITY {name} "' + 10 * f"&{before};" + '">' for before, name in zip("abcdefgh", "bcdefghi")]
    entities = '<!ENTITY a "ha">' + "".join(steps)
    return document(paragraph("<w:r><w:t>&i;</w:t></w:r>"), head=f"{HEAD}<!DOCTYPE lol [{entities}]>")


def external_entity():
    return document(
        paragraph("<w:r><w:t>&x;</w:t></w:r>"), head=f'{HEAD}<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    )


def deep(depth):
    around = depth // 2
    body = "<w:sdt><w:sdtContent>" * around + paragraph("deep") + "</w:sdtContent></w:sdt>" * around
    return document(body, stored=("word/document.xml",))


MAIN_NAME = b"word/document.xml"
GOOD = [
    ("headings.docx", headings),
    ("lists.docx", lists),
    ("tables.docx", tables),
    ("footnotes.docx", footnotes),
    ("text_box.docx", text_box),
    ("tracked_changes.docx", tracked_changes),
    ("marks.docx", marks),
    ("maths.docx", maths),
    ("right_to_left.docx", right_to_left),
    ("linked_local_image.docx", lambda: picture("file:///etc/hostname")),
    ("linked_remote_image.docx", lambda: picture("http://127.0.0.1:9/cat.png")),
    ("chart.docx", chart),
    ("damaged_chart.docx", damaged_chart),
    ("malformed.docx", malformed),
    ("wrong_types.docx", wrong_types),
    ("strict.docx", strict),
    ("nested_zip.docx", nested_zip),
    ("deep_enough.docx", lambda: deep(240)),
]
BAD = [
    ("locked.docx", lambda: ole_header("EncryptionInfo", "EncryptedPackage")),
    ("old_binary.docx", lambda: ole_header("WordDocument")),
    ("encrypted_part.docx", lambda: encrypted(MAIN_NAME)),
    ("damaged.docx", damaged),
    ("broken_xml.docx", broken_xml),
    ("bodiless.docx", bodiless),
    ("missing_part.docx", lambda: packed({"_rels/.rels": MAIN})),
    ("zip_bomb.docx", zip_bomb),
    ("declares_less.docx", lambda: lying(MAIN_NAME, b" " * (4 << 20), 100)),
    ("overlapping.docx", lambda: overlapping(MAIN_NAME, b"<a/>" * 1000, 500)),
    ("crowded.docx", lambda: crowded(10_001)),
    ("billion_laughs.docx", billion_laughs),
    ("external_entity.docx", external_entity),
    ("deep.docx", lambda: deep(100_000)),
]
FILES = GOOD + BAD
