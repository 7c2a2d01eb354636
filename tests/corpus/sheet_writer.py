"""Workbooks with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

from base64 import b85decode
from zlib import decompress

from corpus.packing import encrypted, ole_header, packed

OFFICE = "http://schemas.openxmlformats.org/"
S = OFFICE + "spreadsheetml/2006/main"
R = OFFICE + "officeDocument/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
RELATIONS = f'{HEAD}<Relationships xmlns="{OFFICE}package/2006/relationships">'
STYLES = (
    f'{HEAD}<styleSheet xmlns="{S}"><numFmts><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="46"/><xf numFmtId="20"/></cellXfs></styleSheet>'
)
DATE, MOMENT, SHARE, SPAN, CLOCK = 1, 2, 3, 4, 5
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"


def column(number):
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def cell(place, value, style=0):
    match value:
        case bool():
            return f'<c r="{place}" t="b" s="{style}"><v>{int(value)}</v></c>'
        case int() | float():
            return f'<c r="{place}" s="{style}"><v>{value}</v></c>'
        case None:
            return f'<c r="{place}" s="{style}"/>'
        case _ if value.startswith("#"):
            return f'<c r="{place}" t="e"><v>{value}</v></c>'
        case _:
            return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'


def rows(table, top=1, left=1):
    """Cells of a table; a value may be a pair of value and style."""
    written = []
    for number, row in enumerate(table, top):
        pairs = [value if isinstance(value, tuple) else (value, 0) for value in row]
        cells = (cell(f"{column(at)}{number}", *pair) for at, pair in enumerate(pairs, left) if pair[0] is not None)
        written.append(f'<row r="{number}">{"".join(cells)}</row>')
    return "".join(written)


def sheet(data, dimension="A1", merged=""):
    merges = f'<mergeCells><mergeCell ref="{merged}"/></mergeCells>' if merged else ""
    return (
        f'{HEAD}<worksheet xmlns="{S}"><dimension ref="{dimension}"/><sheetData>{data}</sheetData>{merges}</worksheet>'
    )


def workbook(sheets, extra=None, states=None):
    """An XLSX of sheets by name."""
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" {(states or {}).get(name, "")} r:id="r{number}"/>'
        for number, name in enumerate(sheets, 1)
    )
    targets = "".join(
        f'<Relationship Id="r{number}" Type="{R}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, len(sheets) + 1)
    )
    targets += f'<Relationship Id="styles" Type="{R}/styles" Target="styles.xml"/>'
    return packed(
        {
            "[Content_Types].xml": f'{HEAD}<Types xmlns="{OFFICE}package/2006/content-types"/>',
            "_rels/.rels": f'{RELATIONS}<Relationship Id="r" Type="{R}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'{HEAD}<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f"{RELATIONS}{targets}</Relationships>",
            "xl/styles.xml": STYLES,
            **{f"xl/worksheets/sheet{number}.xml": data for number, data in enumerate(sheets.values(), 1)},
            **(extra or {}),
        }
    )


def values():
    table = [
        ["Name", "Count", "When", "Share", "Ok"],
        ["apple", 3, (45292, DATE), (0.25, SHARE), True],
        ["a|b", 2.5, (45292.75, MOMENT), (1, SHARE), False],
        ["two\nlines", 1e21, (0.5, CLOCK), "#DIV/0!", 0.1],
        ["long", 12345678901, (1.5, SPAN), -0.0, 1 / 3],
    ]
    return workbook({"Data": sheet(rows(table)), "Second": sheet(rows([["x"], [1]]))})


def edges():
    return workbook(
        {
            "Offset": sheet(rows([["here", None, "there"], [1, None, 2]], top=5, left=3)),
            "Empty": sheet(""),
            "Hidden": sheet(rows([["secret plan"]])),
        },
        states={"Hidden": 'state="hidden"'},
    )


def inflated():
    styled = "".join(f'<row r="{n}">{cell(f"XFD{n}", None, 1)}</row>' for n in (2, 1_048_576))
    return workbook({"Wide": sheet(rows([["a", "b"]]) + styled, "A1:XFD1048576", "A1:XFD1048576")})


def far_apart():
    return workbook({"Far": sheet(rows([["near"]]) + f'<row r="1048576">{cell("XFD1048576", "far")}</row>')})


def tall(count, width=3):
    return workbook(
        {"Tall": sheet("".join(rows([[f"r{n}", *range(n, n + width - 1)]], top=n) for n in range(1, count + 1)))}
    )


def wide(width):
    return workbook({"Wide": sheet(rows([[f"c{n}" for n in range(1, width + 1)], list(range(width))]))})


def entity():
    document = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    data = sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>&x;</t></is></c></row>')
    return workbook({"Data": data.replace(HEAD, HEAD + document)})


def malformed():
    """Cells, rows and columns whose places, styles and values no sheet has."""
    cells = (
        '<row r="99999999999"><c r="ZZZZ1"><v>a</v></c><c r="1A"><v>b</v></c><c><v>c</v></c></row>'
        '<row r="-5"><c r="A1" t="s"><v>-1</v></c><c r="B1" t="s"><v>x</v></c><c r="C1" s="999999"><v>1</v></c></row>'
        '<row r="x"><c r="A1" t="nonsense"><v>d</v></c><c r="B1" t="inlineStr"/><c r="C1" t="inlineStr"><is/></c></row>'
        '<row><c r="A1" s="1"><v>1e400</v></c><c r="B1" s="1"><v>nan</v></c><c r="C1" s="1"><v>-inf</v></c><f/></row><c/>'
    )
    columns = '<cols><col min="-1" max="x" hidden="1"/><col hidden="1"/></cols><sheetData>'
    return workbook({"Odd": sheet(cells, "x", "XFD1048576:A1").replace("<sheetData>", columns)})


def broken_chart_sheets():
    """Chart sheets that lead nowhere, and one whose chart is something else."""
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate("ABC", 1))
    link = '<Relationship Id="r{}" Type="{}/{}" Target="{}"/>'
    sheets = "".join(link.format(n, R, "chartsheet", f"chartsheets/sheet{n}.xml") for n in (1, 2, 3))
    drawn = RELATIONS + link.format(1, R, "drawing", "../drawings/drawing{}.xml") + "</Relationships>"
    chart = RELATIONS + link.format(1, R, "chart", "../{}.xml") + "</Relationships>"
    return workbook(
        {},
        {
            "xl/workbook.xml": f'{HEAD}<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f"{RELATIONS}{sheets}</Relationships>",
            **{f"xl/chartsheets/sheet{n}.xml": f'{HEAD}<chartsheet xmlns="{S}"/>' for n in (1, 2, 3)},
            **{f"xl/chartsheets/_rels/sheet{n}.xml.rels": drawn.format(n) for n in (2, 3)},
            "xl/drawings/_rels/drawing2.xml.rels": chart.format("gone"),
            "xl/drawings/_rels/drawing3.xml.rels": chart.format("workbook"),
        },
    )


def many_strings():
    """A workbook that declares far more shared strings than it has."""
    strings = f'{HEAD}<sst xmlns="{S}" count="2147483647" uniqueCount="2147483647"><si><t>only</t></si></sst>'
    return workbook(
        {"Data": sheet('<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>999</v></c></row>')},
        {"xl/sharedStrings.xml": strings},
    )


def ods_document(table, styles="", more="", behind="", objects=""):
    body = f'<office:document-content xmlns:office="{OASIS}office:1.0" xmlns:table="{OASIS}table:1.0" xmlns:text="{OASIS}text:1.0">{styles}<office:body><office:spreadsheet><table:table table:name="Data" {more}>{table}</table:table>{behind}</office:spreadsheet></office:body></office:document-content>'
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OASIS}manifest:1.0">{objects}</manifest:manifest>',
            "content.xml": HEAD + body,
        },
        stored=("mimetype",),
    )


def ods_cell(text, more=""):
    return f'<table:table-cell office:value-type="string" {more}><text:p>{text}</text:p></table:table-cell>'


def ods():
    number = '<table:table-cell office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell>'
    date = '<table:table-cell office:value-type="date" office:date-value="2024-01-01"><text:p>1 Jan</text:p></table:table-cell>'
    empty = '<table:table-cell table:number-columns-repeated="16380"/>'
    return ods_document(
        f"<table:table-row>{ods_cell('Name')}{ods_cell('Count')}{ods_cell('When')}{empty}</table:table-row>"
        f"<table:table-row>{ods_cell('apple')}{number}{date}</table:table-row>"
        f'<table:table-row table:number-rows-repeated="1048570">{empty}</table:table-row>'
    )


def locked_ods():
    manifest = (
        f'<manifest:manifest xmlns:manifest="{OASIS}manifest:1.0"><manifest:encryption-data/></manifest:manifest>'
    )
    return packed({"META-INF/manifest.xml": manifest, "content.xml": "noise"})


def ods_repeated():
    cells = ods_cell("x", 'table:number-columns-repeated="16384"')
    return ods_document(f'<table:table-row table:number-rows-repeated="1048576">{cells}</table:table-row>')


def chart_sheet():
    """A workbook of one sheet of cells and one that is a chart."""
    points = '<c:pt idx="0"><c:v>{}</c:v></c:pt><c:pt idx="1"><c:v>{}</c:v></c:pt>'
    series = f"<c:ser><c:cat><c:strCache>{points.format('Jan', 'Feb')}</c:strCache></c:cat><c:val><c:numCache>{points.format(1, 2)}</c:numCache></c:val></c:ser>"
    space = f'{HEAD}<c:chartSpace xmlns:c="{OFFICE}drawingml/2006/chart"><c:chart><c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>'
    link = '<Relationship Id="r1" Type="{}/{}" Target="{}"/></Relationships>'
    listed = '<sheet name="Data" sheetId="1" r:id="r1"/><sheet name="Chart" sheetId="2" r:id="r2"/>'
    targets = f'<Relationship Id="r2" Type="{R}/chartsheet" Target="chartsheets/sheet1.xml"/>'
    return workbook(
        {"Data": sheet(rows([["a"], [1]]))},
        {
            "xl/workbook.xml": f'{HEAD}<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": RELATIONS + targets + link.format(R, "worksheet", "worksheets/sheet1.xml"),
            "xl/chartsheets/sheet1.xml": f'{HEAD}<chartsheet xmlns="{S}" xmlns:r="{R}"><drawing r:id="r1"/></chartsheet>',
            "xl/chartsheets/_rels/sheet1.xml.rels": RELATIONS + link.format(R, "drawing", "../drawings/drawing1.xml"),
            "xl/drawings/drawing1.xml": "<wsDr/>",
            "xl/drawings/_rels/drawing1.xml.rels": RELATIONS + link.format(R, "chart", "../charts/chart1.xml"),
            "xl/charts/chart1.xml": space,
        },
    )


OLD_WORKBOOK = (
    'c-rk)O=wd=5dQZ4<fpVrT2rAFN+?*hwg(YGgc|>9y%?*PiU^vT2Q6vR7$R5^tkxV0f_PB86sq8*{v7;41;vYkP|<@R2(2D_5JAC1+vn`Omo}}b'
    'G|(0j-WPUucXnrXcXnoX^FEAMPmDaQpTr{UhKgC!3s)XbQ1a#~0Z_YX%3?0}P%<5q6uchVNSBW1Rqx$$59NMOLcs&=HBsOjrISb@(w{U!YlwY3'
    'hp3QqXcI2-J%v2-Hc=nycxE+B&oEub^gj1~!E_IEhMBfe-wAO7<Kam2PTP}@D~;UdBP#HOWxg<H8*1@Zdh(@f!s@GIZ@M?yS1t_=S|vt7yWL?V'
    'jkK)$aR(K^0HHOJXpO}hv|8MiAwJIv_4MpYBqk6f7a7HGGX(s~odvH#4u5U=0>uBbkndiC@1fl-#P`w`FXmrYG++?sX(7WRi%JY@vPHvzXeOFP'
    '6>jj2prbvJ$_!*Fe%`sIZ@F-&Hx@IJ)7T+hixWvkq6tF>_V=GlW~kcLV<aiYj>L%<O{Mw_mGX<-<e%p&<mJMLQDDJgRK)>WNi+sOm#aBU1GKK`'
    'dp|!O?(PhqV$L96K-M+2QLY0fE=vg#_Hl~}Yb`)COKfF&g|%+ray`=^t&j4i&RV;0aESX{<<=$|XFKClcvD_^GnKPbN1rxizlXO_d8}jdLU8PJ'
    'cm$1P>ln$)-w;|vi@0@D;#oMC3;Q_x%CzpEqs^lP?75rvUF^q<j9Ef8Q>!MeBj##~Z7Zv$QcbmWi2}L=>yp-aNwX2G%f|=pqc;la(G?HzR31U<'
    'PzvZ!Sch)wuy$)om8<x1HYh9|3hSUJhEjvaQh*NYd90itU`aoiN2&P%+YGB`v!!E4%+XSf9Z@iLT>rJI0|yQqIB-yw5d2KEp2iwK?5(GR+y1UI'
    'LuuCeOj5QuhJN~G=x<;<l9Z=0P?Z0yhc0ru#4=@a-wP$WX!JDV=;nFEi}qi7`icDYEL$+Jav@ag__M{#bCt*c3rFupg#'
)  # fmt: skip
"""Three sheets in the old binary format, deflated: values, nothing, and one that is hidden."""


OFFSET_OLD_WORKBOOK = (
    "c-rk)O=uHA6#izDZGM`jX-$PzD4}B2+KYJc(yj{HlcnlG5ka?Y1ZhlT=%rq))*J=Flj5b&i<hbwf6#;C#e-1MgCGcr9z6*P9@?(oyzFA4Jv5-D"
    "%6!YbdGqGInaR92FSGl4v8_CJzpH{@Fo+OVycn8lWQrvgG*V!{=V>;mqb#1mKZRJ7j%>2=q~%pa`%wG40t@%T&q;xgET>Sw@MJ!lSw|d@HMmNz"
    "VSrTOHYG`P%BtFhjtSi)^sZ<=6}nF(*MtsGx2#TL(HZXB>qqekt4I2h(BnQ7oA)BwjSjrjQGDsTs_NR<Up(jLHfBe6IDvW4Z$sI9w&>={NYjDy"
    "_~vDRufa)umND}6l`ByGy<Q$!MSjBy12gc>NPw4^TwjE$4nDSotzc(R^6vR8yDm&k+kjgr<aFz-Ta4?JEJrw1cZ6Fcv=gM`XcfLq0zAbey>#cx"
    "o5Q0c&S{a%NZPI@_icJT@NijM&^Rg6Cs-`u`ov<F&?_?P7U8>urWuy3dq+Ba=FqI@T$SEl&a+4G*4bXe?;v0LeB@Dg>65dQ{K8P>VtV17Glw4T"
    "$2jfvGmC!JuWsGcc<cnV@)N-ap`E`ag{YPCH_-F{!CJA5INKKYL!;UXv88-{?l0T*`nKo?BQ~$1(JUI;d4pCv9%xmjp`VDuz`(%3z`(%3z+eMF"
    "$>kn$b=6m8+kb(G_}_JwSys$vlK&P*G0A6&FQx~PXI;c}L-Dg2whG2lYqSZz7it{m>_tpqRMs)kaQyNGP}TmPH5;b>+!1PY{*^}7`IqPa0SNHH"
    "`2"
)
"""A sheet of Excel 97 written by xlwt, whose first cell is C5."""


def old_workbook():
    return decompress(b85decode(OLD_WORKBOOK))


def binary():
    relation = f'<Relationship Id="r" Type="{R}/officeDocument" Target="xl/workbook.bin"/></Relationships>'
    return packed({"_rels/.rels": RELATIONS + relation, "xl/workbook.bin": "noise"})


GOOD = [
    ("values.xlsx", values),
    ("edges.xlsx", edges),
    ("inflated.xlsx", inflated),
    ("far_apart.xlsx", far_apart),
    ("repeated.ods", ods_repeated),
    ("wide.xlsx", lambda: wide(300)),
    ("many_strings.xlsx", many_strings),
    ("chart_sheet.xlsx", chart_sheet),
    ("malformed.xlsx", malformed),
    ("broken_chart_sheets.xlsx", broken_chart_sheets),
    ("values.ods", ods),
    ("values.xls", old_workbook),
    ("offset.xls", lambda: decompress(b85decode(OFFSET_OLD_WORKBOOK))),
]
BAD = [
    ("entity.xlsx", entity),
    ("locked.xlsx", lambda: ole_header("EncryptionInfo", "EncryptedPackage")),
    ("encrypted.xlsx", lambda: encrypted(b"xl/workbook.xml")),
    ("damaged.xlsx", lambda: values()[:-100]),
    ("missing_part.xlsx", lambda: packed({"xl/workbook.xml": f'<workbook xmlns="{S}"/>'})),
    ("binary.xlsx", binary),
    ("damaged.xls", lambda: ole_header("Workbook")),
    (
        "entity.ods",
        lambda: packed({"content.xml": '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/hostname">]><x>&x;</x>'}),
    ),
    ("locked.ods", locked_ods),
    ("no_content.ods", lambda: packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"})),
    ("no_sheets.ods", lambda: packed({"content.xml": "<a/>"})),
    ("deep.ods", lambda: ods_document("<table:table-row-group>" * 300 + "</table:table-row-group>" * 300)),
]
FILES = GOOD + BAD
