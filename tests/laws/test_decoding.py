"""How bytes become characters: detection from a byte order mark down to binary, and the codecs that may be asked for."""

import codecs
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.deadline import Deadline
from readwell.errors import BinaryFile, InvalidRequest
from readwell.model import Rules
from readwell.source import DiskOpener
from readwell.text import split_lines
from readwell.text.decode import BOMS, CODECS, Encoding, decoded_text, encoding_by_bom
from readwell.text.encoding_detection import detect_encoding
from readwell.text.text_or_binary import SIGNATURES, encoding_of

STANDING = Deadline(lambda: 0.0, 1.0, 1.0)

law = settings(max_examples=examples(50), deadline=None)

SAMPLE = Rules().sample_bytes
LETTERS = st.sampled_from(list("abc \t\n\ré漢😀\ufeff\ufffd\u2028"))
TEXTS = st.text(LETTERS, max_size=40)
WIDE = sorted(codec for codec in CODECS if codec.startswith(("utf-16", "utf-32")))
NARROW = sorted(CODECS - set(WIDE))
MANY_BYTES = ["shift_jis", "cp932", "euc_jp", "gb2312", "gbk", "gb18030", "big5", "cp950", "euc_kr", "cp949", "johab"]
CONTAINERS = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0")
# Terminators among first bytes of characters of several bytes, whole and cut.
PIECES = [b"\n", b"\r", b"\r\n", b"a", b"0", b"\x81", b"\x8e", b"\x8f", b"\xa1", b"\xa4", b"\xd4", b"\xfe", b"\xff"]
DAMAGED = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join), st.binary(max_size=24))


def naive_split(text):
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


@contextmanager
def opened(content, suffix=""):
    """The source of a new file."""
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        file.write(content)
        file.flush()
        opener = DiskOpener(())
        with opener.open(opener.locate(file.name), STANDING) as source:
            yield source


def is_utf8(raw):
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def detect(content):
    with opened(content) as source:
        return encoding_of(source, Rules(), None)


def read(content, **params):
    """What readwell's own dialect finds in a new file."""
    with tempfile.TemporaryDirectory() as folder, readwell.Reader(root=folder) as reader:
        (Path(folder) / "f.txt").write_bytes(content)
        return reader.read("f.txt", **params)


# --- the first rung: marks ----------------------------------------------------------------------


@pytest.mark.parametrize(("mark", "codec"), BOMS, ids=[codec for _, codec in BOMS])
@law
@given(rest=st.binary(max_size=12))
def test_a_byte_order_mark_is_believed_whatever_follows(mark, codec, rest):
    """No byte behind a mark changes its word, but the two that make it a longer mark; UTF-8 can be damaged."""
    assume(codec != "utf-16-le" or not rest.startswith(b"\0\0"))
    expected = Encoding(codec, len(mark))
    found = expected._replace(guess="damaged") if codec == "utf-8" and not is_utf8(rest) else expected
    assert (encoding_by_bom(mark + rest), detect_encoding(mark + rest, True)) == (expected, found)


@pytest.mark.parametrize(("mark", "codec"), BOMS, ids=[codec for _, codec in BOMS])
@law
@given(text=TEXTS)
def test_a_marked_text_is_read_back_without_its_mark(mark, codec, text):
    """Every line comes back; only the mark itself is not shown, a second one is."""
    result = read(mark + text.encode(codec))
    assert result.lines == naive_split(text)
    assert (result.traits.encoding, result.traits.bom, result.traits.guess) == (codec, True, "sure")


# --- the second rung: UTF-8 ---------------------------------------------------------------------


@law
@given(TEXTS)
def test_utf8_is_known_wherever_a_sample_cuts_it(text):
    """A character cut by the end of the sample is fine; the same cut at the end of the file is damage."""
    raw = text.encode()
    assume(encoding_by_bom(raw) is None)
    for cut in range(len(raw) + 1):
        assert detect_encoding(raw[:cut], False) == Encoding("utf-8")
    for cut in {len(text[:count].encode()) for count in range(len(text) + 1)}:
        assert detect_encoding(raw[:cut], True) == Encoding("utf-8")


@pytest.mark.parametrize(
    ("character", "inside"), [(char, cut) for char in "é漢😀" for cut in range(len(char.encode()))]
)
def test_a_character_across_the_edge_of_the_sample_is_not_damaged(character, inside):
    """Whatever part of it lies within the first 64 KiB: the file is UTF-8, and the character is read."""
    lines = "a\n" * ((SAMPLE - inside) // 2) + "b" * ((SAMPLE - inside) % 2)
    raw = f"{lines}{character}c\n".encode()
    assert (len(raw[:SAMPLE]), raw[SAMPLE - inside :].decode()) == (SAMPLE, f"{character}c\n")
    assert detect(raw) == Encoding("utf-8")
    assert read(raw, offset=-1).lines[-1].endswith(f"{character}c")


@pytest.mark.parametrize("rest", [b"\xff\xfe\xff", b"\0\0\0\0", bytes(range(256))], ids=["invalid", "nul", "all"])
def test_only_the_first_64_kib_decide(rest):
    """What follows them changes nothing, so no window depends on another."""
    assert detect(b"word\n" * 13107 + b"x" + rest) == Encoding("utf-8")


# --- the third rung: UTF-16 without a mark -------------------------------------------------------

LATIN = st.sampled_from(list("abcXYZ 09.,;\t\n\réüßÿ¡"))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@law
@given(text=st.text(LATIN, min_size=1, max_size=30), whole=st.booleans())
def test_latin_text_in_utf16_needs_no_mark(codec, text, whole):
    """Known by its NULs in every other byte, wherever the sample ends."""
    raw = text.encode(codec)
    for cut in range(2, len(raw) + 1):
        assert detect_encoding(raw[:cut], whole and cut == len(raw)) == Encoding(codec)
    assert read(raw).lines == naive_split(text)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@law
@given(data=st.data(), latin=st.text(LATIN, min_size=1, max_size=40))
def test_other_letters_may_stand_among_latin_ones_in_utf16(codec, data, latin):
    """As long as they are no more than one in ten."""
    others = data.draw(st.text("漢Жλ日語", max_size=len(latin) // 9))
    text = "".join(data.draw(st.permutations(latin + others)))
    assert detect_encoding(text.encode(codec), True) == Encoding(codec)


@law
@given(
    st.one_of(
        st.binary(max_size=12),
        st.lists(st.sampled_from([b"\0", b"a", b"b", b"\n", b"\xc3", b"\xd8"]), max_size=9).map(b"".join),
    )
)
@example(b"\0")
@example(b"ab\0")
@example(b"a\0b\0")
def test_an_encoding_that_is_sure_decodes_the_whole_file(raw):
    """Nothing has to be replaced in a whole file in UTF-8, or in what was found without a mark and without a guess."""
    assume(encoding_by_bom(raw) in (None, Encoding("utf-8", 3)))
    found = detect_encoding(raw, True)
    if found is not None and found.guess == "sure":
        assert raw.decode(found.codec).encode(found.codec) == raw


# --- the fourth rung and below: damage, binary ---------------------------------------------------


@law
@given(data=st.data(), beyond=st.text("é漢😀", min_size=1, max_size=12), plain=st.text("ab \n", max_size=30))
def test_damaged_utf8_stays_utf8(data, beyond, plain):
    """Invalid bytes, no more of them than characters beyond ASCII, do not make another encoding of it."""
    bad = data.draw(st.lists(st.sampled_from([b"\xff", b"\xfe", b"\xc0", b"\xf8"]), min_size=1, max_size=len(beyond)))
    pieces = data.draw(st.permutations([*(character.encode() for character in beyond + plain), *bad]))
    raw = b"".join(pieces)
    assume(encoding_by_bom(raw) is None)
    assert detect_encoding(raw, True) == Encoding("utf-8", 0, "damaged")
    assert detect_encoding(raw + b"\n", False) == Encoding("utf-8", 0, "damaged")
    result = read(raw)
    assert result.lines == naive_split(raw.decode(errors="replace"))
    assert (result.window.replaced, result.traits.encoding) == (len(bad), "utf-8")


@law
@given(st.lists(st.integers(1, 255).map(lambda value: bytes([value])), max_size=30).map(b"".join))
def test_bytes_without_nul_and_few_controls_are_text(raw):
    """They are read one way or another, by a codec that may be asked for."""
    assume(encoding_by_bom(raw) is None and not raw.startswith(CONTAINERS))
    controls = sum(1 for byte in raw if byte < 9 or 14 <= byte < 32)
    assume(controls * 100 <= 30 * len(raw))
    found = detect_encoding(raw, True)
    assert found is not None
    assert (found.codec in CODECS, found.bom) == (True, 0)


@pytest.mark.parametrize("start", CONTAINERS, ids=["zip", "pdf", "ole"])
@law
@given(rest=st.one_of(st.binary(max_size=20), TEXTS.map(str.encode)))
def test_a_container_of_documents_is_never_text(start, rest):
    """Also where it is damaged and holds no NUL."""
    assert detect_encoding(start + rest, True) is None


@law
@given(before=st.binary(max_size=20), after=st.binary(max_size=20))
@example(before=b" ", after=b"")
@example(before=b"a\0b\0", after=b"c\0")
def test_bytes_with_nuls_are_binary_or_a_text_without_any(before, after):
    """Only UTF-8 may hold them: a log with zeros, and a line end to know it by."""
    raw = before + b"\0\0" + after
    assume(encoding_by_bom(raw) is None)
    found = detect_encoding(raw, True)
    if found:
        text = raw.decode(found.codec)
        assert "\n" in text if found.codec == "utf-8" else "\0" not in text


@pytest.mark.parametrize(
    "raw", [b"a\0\0\0", b"\0\0ab", b"a\0\0\0b\0\0\0", b"\1\0\0\0\2\0\0\0\3\0\0\0", b"key\0value\n" * 9]
)
def test_numbers_and_records_are_no_text(raw):
    assert detect_encoding(raw, True) is None


@pytest.mark.parametrize("count", range(1, 9))
def test_nothing_but_nul_bytes_is_binary(count):
    """However few they are."""
    with pytest.raises(BinaryFile) as caught:
        detect(bytes(count))
    assert caught.value.size == count


@pytest.mark.parametrize(("start", "kind"), SIGNATURES, ids=[kind for _, kind in SIGNATURES])
@settings(max_examples=examples(50), deadline=None)
@given(rest=st.binary(max_size=40))
def test_a_binary_file_is_refused_and_named(start, kind, rest):
    """By its first bytes, with its size."""
    content = start + b"\0\0\0\0" + rest
    with pytest.raises(BinaryFile) as caught:
        detect(content)
    assert caught.value.args == (kind, len(content), "")


@law
@given(st.binary(max_size=30))
def test_plain_utf8_rules_know_no_other_encoding(raw):
    """A NUL is binary; anything else is UTF-8, with its mark or without."""
    with opened(raw) as source:
        if b"\0" in raw:
            with pytest.raises(BinaryFile):
                encoding_of(source, Rules(decoding="utf-8"), None)
        else:
            bom = 3 * raw.startswith(codecs.BOM_UTF8)
            assert encoding_of(source, Rules(decoding="utf-8"), None) == Encoding("utf-8", bom)


# --- the guess ----------------------------------------------------------------------------------

PARAGRAPHS = {
    "cp1252": """Le café du coin était fermé ce matin-là, et la boulangère s’en étonna : « où sont-ils donc passés ? »
Elle avait préparé dès l’aube des brioches dorées, des éclairs à la crème et un gâteau d’anniversaire.
Le prix était affiché près de la fenêtre, 12 € la pièce, écrit d’une main légère sur un carton usé.
À midi, des élèves arrivèrent enfin, affamés et pressés, et tout fut mangé en moins d’une heure.
""",
    "koi8-r": """Старый мельник жил на краю деревни, у самой реки, и каждое утро выходил смотреть на воду.
Весной река разливалась широко, и тогда к мельнице можно было добраться только на лодке.
Дети любили приходить к нему в гости, потому что он рассказывал длинные и весёлые истории.
Однажды осенью он уехал в город к сыну, и с тех пор мельница стоит тихая и пустая.
""",
    "shift_jis": """朝早く起きて、海辺の道をゆっくり歩くのが祖父の楽しみでした。
港では漁師たちが網を片づけながら、今日の天気について話しています。
小さな食堂に入ると、味噌汁と焼き魚の香りがして、急にお腹がすいてきました。
帰り道、丘の上から見た町はとても静かで、時間が止まったようでした。
""",
    "gb18030": """清晨的市场已经很热闹了，卖菜的老人把新鲜的白菜和萝卜整齐地摆在桌上。
孩子们背着书包从桥上跑过，笑声在狭窄的街道里回响。
茶馆的主人一边烧水，一边和熟悉的客人谈论昨天的大雨。
到了傍晚，河边的灯一盏一盏亮起来，整个小城显得格外安静。
""",
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("codec", PARAGRAPHS)
def test_a_paragraph_in_an_old_encoding_is_read_as_it_was_written(codec, end):
    """The codec that is guessed gives back every character, and the reply says that it was guessed."""
    text = PARAGRAPHS[codec]
    result = read(text.replace("\n", end).encode(codec))
    assert (result.lines, result.window.replaced) == (text.split("\n")[:-1], 0)
    assert result.traits.guess == "guessed"


@pytest.mark.parametrize("codec", PARAGRAPHS)
def test_a_guess_does_not_suffer_from_where_the_sample_ends(codec):
    """In a file beyond the sample, which cuts a character or a line, the paragraph reads as it does alone."""
    raw = PARAGRAPHS[codec].encode(codec)
    long = raw * (SAMPLE // len(raw) + 2)
    for shift in range(4):
        found = detect(b"x" * shift + long)
        assert (raw.decode(found.codec), found.guess) == (PARAGRAPHS[codec], "guessed")


# --- the codecs that may be asked for ------------------------------------------------------------


@pytest.mark.parametrize("codec", sorted(CODECS))
def test_a_codec_is_listed_under_the_name_python_gives_it(codec):
    """So that every spelling of it is found, and its own line feed and carriage return are the expected units."""
    assert codecs.lookup(codec).name == codec
    unit = Encoding(codec).unit
    order = "big" if Encoding(codec).is_big_endian else "little"
    assert [end.encode(codec) for end in "\n\r"] == [value.to_bytes(unit, order) for value in (10, 13)]


@pytest.mark.parametrize("codec", NARROW)
def test_one_byte_alone_is_a_terminator_only_where_it_is_one(codec):
    """Every byte, decoded alone, gives a line feed or carriage return exactly where it is one."""
    decoded = [bytes([byte]).decode(codec, "replace") for byte in range(256)]
    assert [byte for byte in range(256) if {"\n", "\r"} & set(decoded[byte])] == [10, 13]
    assert (decoded[10], decoded[13]) == ("\n", "\r")


@pytest.mark.parametrize("codec", NARROW)
@settings(max_examples=examples(15), deadline=None)
@given(raw=DAMAGED)
@example(raw=b"\x8f\n")
@example(raw=b"\x810\r")
@example(raw=b"\xa4\xd4\nabc")
def test_no_bytes_swallow_or_invent_a_terminator(codec, raw):
    """In no codec of the list, whatever the bytes: there are as many lines as the bytes alone have."""
    lines = re.split(b"\r\n|\n|\r", raw)
    decoded = split_lines(decoded_text(raw, codec))
    assert len(decoded) == len(lines) - (lines[-1] == b"")
    assert not any("\n" in line or "\r" in line for line in decoded)


@pytest.mark.parametrize("codec", WIDE)
@law
@given(raw=st.one_of(st.binary(max_size=40), st.lists(st.sampled_from([0, 10, 13, 216, 220]), max_size=24).map(bytes)))
def test_no_units_swallow_or_invent_a_terminator(codec, raw):
    """The same for wide units: odd ends, halves of pairs and values beyond all characters included."""
    unit, order = Encoding(codec).unit, "big" if Encoding(codec).is_big_endian else "little"
    whole = len(raw) - len(raw) % unit
    values = [int.from_bytes(raw[at : at + unit], order) for at in range(0, whole, unit)]
    text = raw.decode(codec, "replace")
    assert (text.count("\n"), text.count("\r")) == (values.count(10), values.count(13))


@law
@given(codec=st.sampled_from(MANY_BYTES), raw=DAMAGED)
@example(codec="euc_kr", raw=b"\xa4\xd4\nabc")
@example(codec="gb18030", raw=b"\x810\nabc")
@example(codec="euc_jp", raw=b"\x8f\nabc")
def test_damage_in_one_line_costs_no_other_line(codec, raw):
    """A whole file is shown with as many lines as its bytes have; a dot before them, so that no other format begins so."""
    raw = b"." + raw
    lines = re.split(b"\r\n|\n|\r", raw)
    total = len(lines) - (lines[-1] == b"")
    window = read(raw, encoding=codec).window
    assert (len(window.lines), window.end, window.total, window.next) == (total, total, total, None)


@law
@given(codec=st.sampled_from(sorted(CODECS)), mark=st.sampled_from([b"", *(mark for mark, _ in BOMS)]), data=st.data())
def test_a_codec_may_be_asked_for_in_any_spelling(codec, mark, data):
    """Its own byte order mark is not shown; a mark of another encoding is only bytes."""
    name = "".join(data.draw(st.sampled_from([char.upper(), char.replace("-", "_"), char])) for char in codec)
    with opened(mark + b"\x01\x02\x03\x04") as source:
        found = encoding_of(source, Rules(), name)
    assert found == Encoding(codec, len(mark) if (mark, codec) in BOMS else 0, "forced")


@pytest.mark.parametrize("width", ["utf-16", "utf-32"])
@pytest.mark.parametrize(("mark", "codec"), [(b"", None), *BOMS], ids=["none", *(codec for _, codec in BOMS)])
def test_the_order_of_wide_units_is_that_of_the_mark_or_little(width, mark, codec):
    """Asked for without an order, an encoding takes that of its own mark."""
    with opened(mark + b"\x01\x02\x03\x04") as source:
        found = encoding_of(source, Rules(), width)
    own = codec is not None and codec.startswith(width)
    assert found == Encoding(codec if own else f"{width}-le", len(mark) if own else 0, "forced")


ODD_CODECS = (
    "rot13 hex base64 bz2 zlib quopri uu idna punycode unicode_escape raw_unicode_escape undefined"
    " iso2022_kr cp037 cp500 cp1140 mbcs oem"
).split()


@law
@given(st.one_of(st.text(max_size=12), st.sampled_from(ODD_CODECS), st.text("utf-_ 8163le\0", max_size=9)))
def test_an_encoding_is_one_of_the_list_or_refused(name):
    """Whatever is asked for, nothing else is raised and no other codec is ever used."""
    with opened(b"a") as source:
        try:
            found = encoding_of(source, Rules(), name).codec
        except InvalidRequest as refused:
            found = refused.args[:2]
    assert found == ("encoding", name) or found in CODECS - set(ODD_CODECS)
    assert found != ("encoding", name) or name not in CODECS


@pytest.mark.parametrize(
    "cut", [b"caf\xc3", b"a \xc3", b"5 \xe2\x82", b"ok \xf0\x9f", b"ok \xf0\x9f\x98", b"x\n\n\xd0", "中".encode()[:2]]
)
def test_utf_8_that_ends_within_its_only_character_is_not_taken_for_another_encoding(cut):
    assert detect_encoding(b"A line.\n" * 3 + cut, True) == Encoding("utf-8", guess="damaged")


@pytest.mark.parametrize("word", [b"caf\xe9", b"S\xc3", b"Spa\xdf", b"\xab caf\xe9 \xbb", b"5 \xb0", b"na\xefve"])
def test_a_last_letter_of_latin_1_is_not_taken_for_cut_utf_8(word):
    assert detect_encoding(word, True).codec != "utf-8"
