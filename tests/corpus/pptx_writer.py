"""Presentations with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

from corpus.packing import ole_header, packed

OFFICE = "http://schemas.openxmlformats.org/"
R = OFFICE + "officeDocument/2006/relationships"
NAMESPACES = f'xmlns:p="{OFFICE}presentationml/2006/main" xmlns:a="{OFFICE}drawingml/2006/main" xmlns:r="{R}" xmlns:c="{OFFICE}drawingml/2006/chart"'
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
RELATIONS = f'{HEAD}<Relationships xmlns="{OFFICE}package/2006/relationships">'


def relations(*found):
    """A part of relations from (id, type, target, whether outside)."""
    return (
        RELATIONS
        + "".join(
            f'<Relationship Id="{identity}" Type="{R}/{kind}" Target="{target}"{" TargetMode=" + chr(34) + "External" + chr(34) if outside else ""}/>'
            for identity, kind, target, outside in found
        )
        + "</Relationships>"
    )


def text(words, properties=""):
    return f"<a:r><a:rPr {properties}/><a:t>{words}</a:t></a:r>"


def paragraph(content, level=0, bullet=""):
    runs = content if content.startswith("<") else text(content)
    return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr>{runs}</a:p>'


def shape(paragraphs, kind=None, place="", style=""):
    """A shape; `kind` makes it a placeholder."""
    typed = f'type="{kind}"' if kind else ""
    placeholder = "" if kind is None else f'<p:ph {typed} idx="{place}"/>'
    return f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="Shape"/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/><a:lstStyle>{style}</a:lstStyle>{paragraphs}</p:txBody></p:sp>'


def picture(alt):
    return f'<p:pic><p:nvPicPr><p:cNvPr id="2" name="Picture 2" descr="{alt}"/></p:nvPicPr></p:pic>'


def table(*rows):
    cells = "".join(
        "<a:tr>"
        + "".join(f"<a:tc {more}><a:txBody>{paragraph(words)}</a:txBody></a:tc>" for words, more in row)
        + "</a:tr>"
        for row in rows
    )
    return (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{cells}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def slide(shapes, show=""):
    return f"{HEAD}<p:sld {NAMESPACES} {show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"


def presentation(slides, order=None, links=None, extra=None):
    """A PPTX; `order` names the slides by number, in the order of the show."""
    order = order or range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{256 + number}" r:id="r{number}"/>' for number in order)
    found = [(f"r{number}", "slide", f"slides/slide{number}.xml", False) for number in sorted(set(order))]
    found.append(("authors", "commentAuthors", "commentAuthors.xml", False))
    return packed(
        {
            "_rels/.rels": relations(("r", "officeDocument", "ppt/presentation.xml", False)),
            "ppt/presentation.xml": f"{HEAD}<p:presentation {NAMESPACES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(*found),
            **{f"ppt/slides/slide{number}.xml": content for number, content in enumerate(slides, 1)},
            **{
                f"ppt/slides/_rels/slide{number}.xml.rels": relations(*found) for number, found in (links or {}).items()
            },
            **(extra or {}),
        }
    )


def talk():
    """Two slides whose order in the show is not that of their names."""
    body = paragraph("First") + paragraph("Deeper", 1) + paragraph("Second") + paragraph("No bullet", 0, "<a:buNone/>")
    numbered = "".join(
        paragraph(words, 0, '<a:buAutoNum type="arabicPeriod" startAt="3"/>') for words in ("three", "four")
    )
    second = slide(
        shape(body, "body", "1")
        + shape(paragraph(text("Really ", 'b="1"') + text("link", '') .replace("<a:rPr />", '<a:rPr><a:hlinkClick r:id="site"/></a:rPr>')))
        + shape(paragraph("The Title"), "title")
        + shape(paragraph("17"), "sldNum")
        + f"<p:grpSp>{shape(numbered)}</p:grpSp>"
        + picture("A duck")
    )  # fmt: skip
    notes = f"{HEAD}<p:notes {NAMESPACES}><p:cSld><p:spTree>{shape(paragraph('1'), 'sldNum')}{shape(paragraph('Say it slowly.'), 'body', '1')}</p:spTree></p:cSld></p:notes>"
    comments = f'{HEAD}<p:cmLst {NAMESPACES}><p:cm authorId="0"><p:text>Too long</p:text></p:cm></p:cmLst>'
    authors = f'{HEAD}<p:cmAuthorLst {NAMESPACES}><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>'
    first = slide(
        shape(paragraph("Numbers"), "ctrTitle")
        + table([("a|b", ""), ("both", 'gridSpan="2"'), ("", 'hMerge="1"')], [("1", ""), ("2", ""), ("3", "")]),
        'show="0"',
    )
    return presentation(
        [first, second],
        order=[2, 1],
        links={
            2: [
                ("site", "hyperlink", "https://example.org/", True),
                ("notes", "notesSlide", "../notesSlides/notesSlide1.xml", False),
                ("comments", "comments", "../comments/comment1.xml", False),
            ]
        },
        extra={
            "ppt/notesSlides/notesSlide1.xml": notes,
            "ppt/comments/comment1.xml": comments,
            "ppt/commentAuthors.xml": authors,
        },
    )


def bare_placeholder():
    """A placeholder whose layout says that it has no bullets."""
    layout = f"{HEAD}<p:sldLayout {NAMESPACES}><p:cSld><p:spTree>{shape('', 'body', '7', '<a:lvl1pPr><a:buNone/></a:lvl1pPr>')}</p:spTree></p:cSld></p:sldLayout>"
    return presentation(
        [slide(shape(paragraph("Plain"), "body", "7") + shape(paragraph("Listed"), "body", "8"))],
        links={1: [("layout", "slideLayout", "../slideLayouts/slideLayout1.xml", False)]},
        extra={"ppt/slideLayouts/slideLayout1.xml": layout},
    )


def missing_slide():
    return presentation([slide(shape(paragraph("Here")))], order=[1, 2])


def repeated_slide():
    return presentation([slide(shape(paragraph("Once")))], order=[1] * 1000)


def absurd():
    """Levels, spans and numbers that no slide has; a slide of the wrong kind."""
    odd = paragraph("deep", 99999999999) + paragraph("odd", "x") + paragraph("n", 0, '<a:buAutoNum startAt="-4"/>')
    return presentation(
        [
            slide(shape(odd, "body", "1") + table([("wide", 'gridSpan="2000000000"')])),
            f"{HEAD}<p:sldLayout {NAMESPACES}/>",
        ]
    )


def malformed():
    """Shapes, pictures, frames and charts without what they need; a slide that is named by nothing."""
    broken = "<p:pic/><p:pic><p:nvPicPr/></p:pic><p:sp/><p:sp><p:txBody/></p:sp><p:grpSp><p:grpSp/></p:grpSp>"
    frames = "<p:graphicFrame/><p:graphicFrame><a:graphic/></p:graphicFrame>" + "".join(
        f'<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="{identity}"/></a:graphicData></a:graphic></p:graphicFrame>'
        for identity in ("nowhere", "missing", "image", "outside")
    )
    empty = "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr/><a:tr><a:tc/></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    links = [
        ("missing", "chart", "../charts/gone.xml", False),
        ("image", "chart", "../slides/slide1.xml", False),
        ("outside", "chart", "file:///etc/hostname", True),
    ]
    content = slide(broken + frames + empty + shape(paragraph("words")))
    listed = f"{HEAD}<p:presentation {NAMESPACES}><p:sldIdLst><p:sldId r:id='r1'/><p:sldId r:id='r77'/></p:sldIdLst></p:presentation>"
    return presentation([content], links={1: links}, extra={"ppt/presentation.xml": listed})


def entity():
    return presentation([slide(shape(paragraph("x"))).replace(HEAD, HEAD + '<!DOCTYPE p [<!ENTITY x "y">]>')])


GOOD = [
    ("talk.pptx", talk),
    ("bare_placeholder.pptx", bare_placeholder),
    ("missing_slide.pptx", missing_slide),
    ("repeated_slide.pptx", repeated_slide),
    ("malformed.pptx", malformed),
    ("absurd.pptx", absurd),
]
BAD = [
    ("entity.pptx", entity),
    ("locked.pptx", lambda: ole_header("EncryptionInfo", "EncryptedPackage")),
    ("empty.pptx", lambda: packed({"a": ""})),
    ("broken.pptx", lambda: packed({"ppt/presentation.xml": "<p:presentation"})),
]
FILES = GOOD + BAD
