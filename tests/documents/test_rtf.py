"""RTF as Markdown: what a person sees in it, by a reader of our own."""

import pytest

from readwell import Reader
from readwell.documents.rtf import RTF
from readwell.errors import ConversionFailed

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fnil\fcharset2 Symbol;}{\f2\fcharset204 Arial;}"
    rb"{\f3\fcharset128 Mincho;}}{\colortbl;\red0\green0\blue0;}{\stylesheet{Normal;}{\s1\b heading 1;}{\s2\outlinelevel1 Abschnitt;}"
    rb"{\*\cs10 heading 3;}{\s9 Title;}}{\info{\title not shown}}"
)
ROW = rb"\trowd\cellx1000\cellx2000\cellx3000 "


def markdown(body):
    return RTF.open(HEAD + body + b"}", None, b"").markdown(1)


@pytest.mark.parametrize("body, found", [
    (rb"\pard\s1 Lights\par\pard\s2 North\par\pard\s0 text\par", "# Lights\n\n## North\n\ntext"),
    (rb"\pard\s9 All lights\par\pard\outlinelevel2 Deep\par\pard x", "# All lights\n\n### Deep\n\nx"),
    (rb"a {\b bold} {\i it\b both}\b0  c{\super 2} H{\sub 2}O {\strike no}", "a **bold** *it**both*** c<sup>2</sup> H<sub>2</sub>O ~~no~~"),
    (rb"caf\'e9 \u8364? \u-10179?\u-8704? \'80 tab\tab x\~y \{\\\}", "café € 😀 € tab\tx\xa0y {\\}"),
    (rb"{\f2 \'cc\'e8\'f0} {\f3 \'93\'fa\'96\'7b} {\f1 \'61\'b7}", "Мир 日本 α•"),
    (rb"\uc2\u1052 ??\u1080 ??\uc0\u1088 !", "Мир!"),
    (rb"one\line two\par{\v secret }{\deleted gone}seen", "one\ntwo\n\nseen\n\n<!-- hidden content is left out -->"),
    (rb'see {\field{\*\fldinst HYPERLINK "https://a.test/x"}{\fldrslt {\ul here}}}.', "see [here](https://a.test/x)."),
    (rb"{\listtext\'b7\tab}a\par{\listtext 1.\tab}\ilvl1 b\par{\pntext o\tab}c\par", "- a\n  1. b\n  - c"),
    (rb"{\listtext a)\tab}x\par", "- a) x"),
    (rb"text{\super\chftn}{\footnote\pard \chftn a {\b note}} on{\*\atnauthor Ann}{\*\annotation why?}", "text[^1] on[^c1]\n\n[^1]: a **note**\n\n[^c1]: Comment by Ann: why?"),
    (ROW + rb"\intbl a\cell b\cell c\cell\row\trowd\cellx1000\cellx3000 \intbl d\cell wide\cell\row\pard z", "| a | b | c |\n| --- | --- | --- |\n| d | wide |  |\n\nz"),
    (rb"\trowd\cellx900\cellx1800 \intbl a|b\cell \itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\cellx3\cellx9\nestrow}{\nonesttables\par}\pard\intbl\itap1 t\cell\row\pard z", "| a\\|b | x \\| y<br>t |\n| --- | --- |\n\nz"),
    (rb"{\shp{\*\shpinst{\sp{\sn fillColor}{\sv 1}}{\shptxt \pard boxed\par}}{\shprslt no}}beside\par", "beside\n\nboxed"),
    (rb"{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv A lamp}}}\pngblip 8950}}{\nonshppict{\pict 00}}", "![A lamp]()"),
    (rb"{\pict\bin6 }}}\\\x}seen", "![picture]()seen"),
    (rb"a\bin b\bin0 c\bin-2 d\bin1 }e", "abcde"),
    (rb"{\header top}{\*\generator x}{\*\unknown y}{\upr{ansi}{\*\ud{uni}}}{\xe index}shown", '<!-- left out: page header "top" -->\n\nunishown'),
    (rb"# no heading\par", "\\# no heading"),
    (b"one\\\ntwo\\\r\nthree", "one\n\ntwo\n\nthree"),
])  # fmt: skip
def test_what_is_seen_is_written(body, found):
    assert markdown(body) == found


@pytest.mark.parametrize("content, told", [
    (b"{\\rtf1 one {\\b two", "one **two**\n\n<!-- cut off here: the file ends before its last group does -->"),
    (b"{\\rtf1 a}}}} b", "a b"),
    pytest.param(b"{\\rtf1 " + b"{" * 200_000 + b"x" + b"}" * 200_000 + b"}", "x", marks=pytest.mark.slow),
    (b"{\\rtf1 \\u99999999999 \\cellx \\cell \\row \\f \\u \\'zz \\bin99999999 x}", ""),
])  # fmt: skip
def test_what_is_damaged_is_read_as_far_as_it_goes(content, told):
    assert RTF.open(content, None, b"").markdown(1).replace("\n\n<!-- cut off", "\n\n<!-- cut off").startswith(told)


def test_what_is_no_rtf_is_refused():
    with pytest.raises(ConversionFailed):
        RTF.open(b"words", None, b"")


@pytest.mark.parametrize("name", ["letter.rtf", "letter.doc", "letter.txt"])
def test_rtf_is_text_under_any_name_and_markdown_on_request(tmp_path, name):
    (tmp_path / name).write_bytes(b"{\\rtf1\\ansi\n\\pard Dear {\\b all}\\par\n}\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        shown = reader.reply({"path": name}).text.split("\n")
        rendered = reader.reply({"path": name, "view": "markdown"}).text.split("\n")
    assert shown[1:4] == ["1\t{\\rtf1\\ansi", "2\t\\pard Dear {\\b all}\\par", "3\t}"]
    assert rendered[1] == "1\tDear **all**"


CHARSETS = {
    0: ("cp1252", "größe"), 77: ("mac_roman", "größe"), 128: ("cp932", "日本"), 129: ("cp949", "한국"), 130: ("johab", "한국"),
    134: ("gbk", "中国"), 136: ("big5", "中國"), 161: ("cp1253", "φως"), 162: ("cp1254", "ışık"), 163: ("cp1258", "đèn"),
    177: ("cp1255", "אור"), 178: ("cp1256", "ضوء"), 186: ("cp1257", "šviesa"), 204: ("cp1251", "свет"), 222: ("cp874", "แสง"),
    238: ("cp1250", "světlo"), 254: ("cp437", "größe"), 255: ("cp437", "größe"),
}  # fmt: skip
CODE_PAGES = {65001: "utf-8", 10000: "mac_roman", 932: "cp932", 936: "gbk", 949: "cp949", 950: "big5", 1361: "johab"}


def quoted(raw):
    return b"".join(b"\\'%02x" % byte for byte in raw)


@pytest.mark.parametrize("number", CHARSETS)
def test_a_font_is_read_in_the_encoding_of_its_character_set(number):
    encoding, word = CHARSETS[number]
    fonts = b"{\\rtf1\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset%d B;}}" % number
    assert RTF.open(fonts + b"{\\f1 " + quoted(word.encode(encoding)) + b"}}", None, b"").markdown(1) == word


@pytest.mark.parametrize("number", CODE_PAGES)
def test_a_document_is_read_in_its_code_page(number):
    word = "größe" if number in (65001, 10000) else "中" if number != 1361 else "한국"
    body = b"{\\rtf1\\ansi\\ansicpg%d " % number + quoted(word.encode(CODE_PAGES[number])) + b"}"
    assert RTF.open(body, None, b"").markdown(1) == word


LIST = rb"{\*\ffl red}{\*\ffl bl\'fce}{\*\ffl green}"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (rb"\fftype1\ffres1\ffdefres0", "[x]"),
        (rb"\fftype1\ffres0\ffdefres1", "[ ]"),
        (rb"\fftype1\ffres25\ffdefres1", "[x]"),
        (rb"\fftype1", "[ ]"),
        (rb"\fftype2\ffres1\ffdefres2" + LIST, "bl\xfce"),
        (rb"\fftype2\ffres25\ffdefres2" + LIST, "green"),
        (rb"\fftype2\ffres25\ffdefres0" + LIST, "red"),
        (rb"\fftype2\ffres3" + LIST, ""),
        (rb"\fftype0\ffres1", ""),
    ],
)
def test_what_is_ticked_or_chosen_in_a_form_is_shown(form, told):
    instruction = rb"{\*\fldinst {FORM {\*\formfield{" + form + rb"{\*\ffname Name}}}}}"
    content = rb"{\rtf1\ansi a {\b {\field" + instruction + rb"{\fldrslt }}} b}"
    assert markdown(content) == "a " + f"**{told}**" * bool(told) + " b"


@pytest.mark.parametrize(
    ("form", "result", "told"),
    [
        (rb"\fftype2\ffres1" + LIST, rb"{\b green}", "a **green**, b"),
        (rb"\fftype2\ffres1" + LIST, rb"{\b  }", "a  bl\xfce, b"),
        (rb"\fftype2\ffres1" + LIST, rb"{\v green}", "a , b\n\n<!-- hidden content is left out -->"),
        (rb"\fftype2\ffres1" + LIST, rb"{\deleted green}", "a , b"),
        (rb"\fftype1\ffres1", rb"{\b x}", "a [x], b"),
        (rb"\fftype1\ffres0", rb"\u9745?", "a [ ], b"),
    ],
)
def test_a_field_of_a_form_is_shown_once_by_its_result_or_by_what_is_chosen(form, result, told):
    instruction = rb"{\*\fldinst {FORM {\*\formfield{" + form + rb"}}}}"
    content = rb"a {\field" + instruction + rb"{\fldrslt " + result + rb"}}{, b}"
    assert markdown(content) == told


def test_what_is_chosen_in_a_hidden_field_of_a_form_is_left_out_and_told():
    form = rb"{\field{\*\fldinst {\v FORM {\*\formfield{\fftype1\ffres1}}}}{\fldrslt {\v  }}}"
    assert markdown(rb"a " + form + rb"b") == "a b\n\n<!-- hidden content is left out -->"


def test_what_is_chosen_in_a_hidden_form_is_left_out_and_told():
    form = rb"{\field{\*\fldinst {FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}}{\fldrslt }}"
    assert markdown(rb"a {\v " + form + rb"}b{\deleted " + form + b"}") == "a b\n\n<!-- hidden content is left out -->"


def test_words_of_a_form_outside_of_a_field_show_nothing():
    assert markdown(rb"{\rtf1 a{\*\formfield{\fftype1\ffres1{\*\ffl x}}} b}") == "a b"
