"""Texts that name their encoding: pages, mail, books and RTF are read in it where it fits, and say so where it does not."""

import pytest

from corpus.epub_writer import CONTAINER
from corpus.packing import packed
from readwell import Reader
from readwell.documents.declared_encoding import OUTWEIGHS, SURELY_UTF8, decoded_as_declared

RARE = ("cp866", "iso-8859-5", "koi8-u", "mac-cyrillic", "cp855", "kz1048")
"""Encodings that nothing but such a document makes Python load."""
TEXT = "Съешь ещё этих мягких французских булок"


def html(encoding, text):
    return f'<meta charset="{encoding}"><p>'.encode() + text + b"</p>"


def mail(encoding, text):
    head = f"Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset={encoding}\nContent-Transfer-Encoding: 8bit\n\n"
    return head.encode() + text + b"\n"


def book(encoding, text):
    package = '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    page = f'<?xml version="1.0" encoding="{encoding}"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>'.encode()
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER.format("content.opf"),
        "content.opf": package,
        "a.xhtml": page + text + b"</p></body></html>",
    }
    return packed(parts, stored=("mimetype",))


def rtf(encoding, text):
    page = encoding.removeprefix("cp")
    return rf"{{\rtf1\ansi\ansicpg{page} ".encode() + b"".join(b"\\'%02x" % byte for byte in text) + b"}"


@pytest.mark.parametrize(
    "make, name, encodings",
    [(html, "a.html", RARE), (mail, "a.eml", RARE), (book, "a.epub", RARE), (rtf, "a.rtf", RARE[::4])],
)
def test_any_encoding_of_python_is_known_inside_the_cage(tmp_path, make, name, encodings):
    with Reader(tmp_path, cache_dir=None) as reader:
        for encoding in encodings:
            (tmp_path / name).write_bytes(make(encoding, TEXT.encode(encoding)))
            assert (encoding, reader.read(name, view="markdown").lines[-1]) == (encoding, TEXT)


@pytest.mark.parametrize(
    "declared, codec, text",
    [
        ("windows-874", "cp874", "สวัสดี"),
        ("x-sjis", "cp932", "日本語①"),
        ("shift_jis", "cp932", "日本語①"),
        ("gb2312", "gbk", "朱镕基"),
        ("GB2312", "gbk", "联通"),
        ("ks_c_5601-1987", "cp949", "똠방각하"),
        ("iso-8859-1", "cp1252", "“5 €”"),
        ("ISO-8859-9", "cp1254", "“İstanbul”"),
        ("utf8mb4", "utf-8", "größer"),
        ("utf-7", "utf-7", "größer"),
        ("us-ascii", "ascii", "plain"),
        ("utf-16", "utf-8", "größer"),
        ("cp037", "utf-8", "plain"),
        ("nothing", "utf-8", "größer"),
        ("", "utf-8", "größer"),
        ("koi8-r", "utf-8-sig", "größer"),
    ],
)
def test_a_text_is_read_as_whoever_declared_its_encoding_meant_it(declared, codec, text):
    assert decoded_as_declared(text.encode(codec), declared) == (text, [])


def test_one_bad_byte_does_not_change_the_encoding_of_a_page_that_declares_it():
    """In any encoding; a place that cannot be decoded is counted."""
    told = "<!-- 1 place that is no {}: shown as \ufffd -->"
    assert decoded_as_declared(TEXT.encode() + b" \xff", "utf-8") == (TEXT + " \ufffd", [told.format("utf-8")])
    chinese = "这是一个简单的中文句子用来测试"
    assert decoded_as_declared(chinese.encode("gbk") + b"\xff", "gb2312") == (
        chinese + "\ufffd",
        [told.format("gb18030")],
    )


@pytest.mark.parametrize("beyond, is_guessed", [(OUTWEIGHS, False), (OUTWEIGHS - 1, True)])
def test_the_declared_encoding_fits_as_long_as_what_it_can_decode_outweighs_the_rest(beyond, is_guessed):
    decoded = decoded_as_declared(("中" * beyond).encode("gbk") + b"\xff", "gbk")
    assert ("guessed" in decoded.notices[0]) == is_guessed


@pytest.mark.parametrize("letters, is_utf8", [(SURELY_UTF8, True), (SURELY_UTF8 - 1, False)])
def test_what_can_only_be_utf8_is_read_so_whatever_it_declares(letters, is_utf8):
    text = "ö" * letters
    told = "<!-- read as utf-8, not as koi8-r, which is declared -->"
    as_declared = (text.encode().decode("koi8-r"), [])
    assert decoded_as_declared(text.encode(), "koi8-r") == ((text, [told]) if is_utf8 else as_declared)


@pytest.mark.parametrize(
    "declared, reason",
    [
        ("", "none is declared"),
        ("a --> b", "none is declared"),
        ("nothing", "nothing is declared and is not known"),
        (" nothing ", "nothing is declared and is not known"),
        ("us-ascii", "us-ascii is declared and does not fit"),
        ("utf-8", "utf-8 is declared and does not fit"),
    ],
)
def test_a_guess_says_why_it_was_needed_and_what_else_it_may_be(declared, reason):
    text, [told] = decoded_as_declared(TEXT.encode("cp1251"), declared)
    assert (text, told.split(" (or ")[0], told.split("; ")[-1]) == (
        TEXT,
        "<!-- encoding guessed: cp1251",
        f"{reason} -->",
    )


def test_each_text_of_a_mail_says_how_it_was_decoded(tmp_path):
    lines = [
        "Subject: x", "MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', "", "--b",
        "Content-Type: text/plain", "Content-Transfer-Encoding: 8bit", "", "@", "--b",
        "Content-Type: text/html", "Content-Transfer-Encoding: 8bit", "", '<meta charset="koi8-r"><p>#</p>', "--b--", "",
    ]  # fmt: skip
    content = "\n".join(lines).encode().replace(b"@", TEXT.encode("cp1251")).replace(b"#", TEXT.encode("koi8-r"))
    (tmp_path / "a.eml").write_bytes(content)
    with Reader(tmp_path, cache_dir=None) as reader:
        guessed, plain, from_html = filter(None, reader.read("a.eml", view="markdown").lines[2:])
    assert (guessed.startswith("<!-- encoding guessed: cp1251"), plain, from_html) == (True, TEXT, TEXT)
