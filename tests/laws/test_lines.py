"""What a line is: every way of counting, finding and drawing lines agrees with a naive reading of the same bytes."""

import codecs
import re
from contextlib import contextmanager
from itertools import accumulate, pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from opening import STANDING, in_memory
from opening import opened as on_disk

from effort import examples
from readwell.errors import ColumnPastEnd, InvalidRequest
from readwell.model import Budget, Limits, Lines, ReadRequest
from readwell.text import split_lines
from readwell.text.decode import UTF8, Encoding
from readwell.text.indexed_text import IndexedText
from readwell.text.line_ends import (
    END,
    Tally,
    count_terminators,
    find_end,
    has_longer_line,
    last_end,
    nth_end,
    one_byte_per_unit,
    with_line_feeds,
)
from readwell.text.line_index import BLOCK, LineIndex
from readwell.text.line_reader import REST_COUNTED_UP_TO
from readwell.text.lines_in_memory import SMALL, small_text
from readwell.window import take_window

law = settings(max_examples=examples(75), deadline=None)

"""A deadline whose clock never moves."""

ENDS = ["\n", "\r\n", "\r"]
# Characters that other readers take for line ends, and units whose bytes look like terminators.
STRANGE = list("\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u0a0d\u0d0a\u0a00\u0d00\u0a0a\u0d0d\u010a\u010d\ufeff\ufffd")
CHARACTERS = ENDS * 4 + list("ab é漢😀") * 2 + STRANGE
TEXTS = st.lists(st.sampled_from(CHARACTERS), max_size=30).map("".join)
UNITS = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"bc", b"\x85", b"\xff"]), max_size=20).map(b"".join)

WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
ENCODINGS = [
    *(Encoding(codec) for codec in ("utf-8", "cp1252", "shift_jis", *WIDE)),
    *(Encoding(codec, len(mark)) for codec, mark in MARKS.items()),
]
ANY_ENCODING = st.sampled_from(ENCODINGS)
BLOCKS = st.sampled_from([4, 8, 16, 64])
DAMAGE = [b"\xff", b"\x80", b"\xc3", b"\xe6\xbc", b"\xf0\x9f\x98", b"\xed\xa0\x80"]


def pieces_of(encoding):
    """What files in an encoding are made of: characters, and bytes that are none."""
    if encoding.unit == 1:
        return [character.encode(encoding.codec, "ignore") for character in CHARACTERS] + DAMAGE
    lone = [unit.encode(encoding.codec, "surrogatepass") for unit in ("\ud800", "\udc00", "\udbff", "\udfff")]
    too_large = [b"\xff\xff\xff\xff"] if encoding.unit == 4 else []
    return [character.encode(encoding.codec) for character in CHARACTERS] + lone + too_large


@st.composite
def files(draw, encodings=ANY_ENCODING):
    """An encoding and the bytes of a file in it, with a mark if it has one, whole or damaged."""
    encoding = draw(encodings)
    piece = st.sampled_from(pieces_of(encoding))
    run = st.builds(lambda repeated, times: repeated * times, piece, st.integers(5, 40))
    made = st.lists(st.one_of(piece, piece, piece, run), max_size=25).map(b"".join)
    odd = draw(st.sampled_from([b"", b"", b"", b"\n", b"\r\n\0"])) if encoding.unit > 1 else b""
    mark = MARKS[encoding.codec] if encoding.bom else b""
    return encoding, mark + draw(st.one_of(made, made, st.binary(max_size=60))) + odd


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Scans in pieces of one block and looks for lines too near to where they may be, so that edges are hit all the time."""
    monkeypatch.setattr("readwell.text.line_index.PIECE", 4)
    monkeypatch.setattr("readwell.text.line_index.PIECE_KEPT", 4)
    monkeypatch.setattr("readwell.text.indexed_text.SEARCH_RADIUS", 2)


@pytest.fixture(scope="module", params=[on_disk, in_memory], ids=["disk", "memory"])
def opened(request):
    """What is said of sources holds of those of the disk and of others."""
    return request.param


@contextmanager
def plain_text(opened, encoding, content, block, validate_utf8=False):
    with opened(content) as source:
        yield IndexedText(source, LineIndex(source.size, encoding, block, validate_utf8), STANDING)


def naive_split(text):
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines[-1] == "" else lines


def naive_lines(encoding, raw, errors="replace"):
    return naive_split(raw[encoding.bom :].decode(encoding.codec, errors))


def naive_units(encoding, raw):
    """The file with one character a unit; all but terminators stand as question marks."""
    order = "big" if encoding.is_big_endian else "little"
    units = (raw[at : at + encoding.unit] for at in range(0, len(raw), encoding.unit))
    values = (int.from_bytes(unit, order) if len(unit) == encoding.unit else 0 for unit in units)
    return "".join(chr(value) if value in (10, 13) else "?" for value in values)


def naive_starts(encoding, raw):
    """The byte offset of every line."""
    ends = [found.end() * encoding.unit for found in re.finditer("\r\n?|\n", naive_units(encoding, raw))]
    return [start for start in (encoding.bom, *ends) if start < len(raw)]


def naive_newline(text):
    found = set(re.findall("\r\n|\n|\r", text))
    if len(found) > 1:
        return "mixed"
    return {"\n": "lf", "\r\n": "crlf", "\r": "cr"}[found.pop()] if found else "none"


# --- the definition -----------------------------------------------------------------------------


@law
@given(TEXTS)
@example("")
@example("\n\r")
@example("a\r\r\nb")
def test_a_line_ends_at_lf_crlf_or_a_lone_cr_and_nowhere_else(text):
    """Splitting is what a regular expression of the three terminators says."""
    assert split_lines(text) == naive_split(text)


@law
@given(TEXTS, st.sampled_from(ENDS))
def test_a_final_terminator_opens_no_new_line(text, end):
    """A last line is the same line with and without a terminator."""
    assert split_lines(text + "x" + end) == split_lines(text + "x")


@law
@given(UNITS, st.booleans())
def test_terminators_are_counted_as_a_naive_search_finds_them(block, after_cr):
    """All line feeds, all carriage returns, and the pairs, of which one may have begun in the block before."""
    expected = Tally(block.count(b"\n"), block.count(b"\r"), block.count(b"\r\n") + (after_cr and block[:1] == b"\n"))
    assert count_terminators(block, after_cr) == expected
    with memoryview(block) as view:
        assert count_terminators(view, after_cr) == expected
    assert count_terminators(block, False).ends == len(re.findall(END, block))


@law
@given(UNITS, st.lists(st.integers(0, 40), max_size=5))
def test_counting_block_by_block_is_counting_the_whole(raw, cuts):
    """However bytes are cut into blocks, their counts add up to the count of all."""
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    counts = [count_terminators(raw[start:end], raw[:start].endswith(b"\r")) for start, end in pairwise(edges)]
    assert Tally(*map(sum, zip(*counts, strict=True))) == count_terminators(raw, False)


@law
@given(TEXTS)
def test_the_convention_is_the_one_kind_of_terminator_or_mixed(text):
    """One kind of terminator has a name, several are mixed, no terminator is none."""
    assert count_terminators(text.encode(), False).newline == naive_newline(text)


@law
@given(UNITS, st.booleans(), st.integers(0, 200))
def test_the_nth_end_is_the_nth_a_naive_search_finds(block, after_cr, near):
    """For every number up to the count and wherever it is supposed to be; a line feed that completes a pair of the
    block before ends nothing here."""
    skip = int(after_cr and block[:1] == b"\n")
    expected = [skip + found.end() for found in re.finditer(END, block[skip:])]
    count = count_terminators(block, after_cr).ends
    assert [nth_end(block, number, after_cr, near) for number in range(1, count + 1)] == expected


@law
@given(st.lists(st.integers(0, 300), min_size=40, max_size=300), st.integers(0, 20_000))
def test_the_nth_of_many_line_feeds_is_found_however_far_it_is_from_where_it_may_be(lengths, near):
    """Lines of most unequal length; a number that the block does not reach, as in a file that changed, ends soon."""
    block = b"".join(b"x" * length + b"\n" for length in lengths)
    ends = list(accumulate(length + 1 for length in lengths))
    assert [nth_end(block, number, False, near) for number in range(1, len(ends) + 1)] == ends
    assert 0 <= nth_end(block, 10 * len(ends), False, near) <= len(block)


@law
@given(TEXTS, st.integers(1, 12))
def test_a_longer_line_is_noticed_exactly_where_one_is(text, length):
    """Whatever stands around it."""
    assert has_longer_line(with_line_feeds(text), length) == any(len(line) > length for line in split_lines(text))


@law
@given(UNITS)
def test_the_first_and_the_last_end_are_those_a_naive_search_finds(block):
    """The last one is never a carriage return at the edge, which may be half of a pair."""
    found = [match.span() for match in re.finditer(END, block)]
    sure = [end for start, end in found if (block[start:end], end) != (b"\r", len(block))]
    assert (find_end(block), last_end(block)) == (found[0] if found else None, sure[-1] if sure else 0)


# --- wide units ---------------------------------------------------------------------------------


@law
@given(files(st.sampled_from([Encoding(codec) for codec in WIDE])))
@example((Encoding("utf-16-le"), "\u0a0d\u0d0a\u0a00".encode("utf-16-le")))
@example((Encoding("utf-16-be"), b"\xd8\x00\x00\n\x00"))
@example((Encoding("utf-16-le"), b"\x3d\xd8\x00\xde\n\x00"))
@example((Encoding("utf-32-be"), b"\x00\x00\xd8\x00\x00\x00\x00\n\x00\x00\x00"))
def test_a_wide_unit_becomes_one_byte_and_only_terminators_look_like_ones(file):
    """Narrowed bytes hold a line feed or carriage return exactly where a unit has that value."""
    encoding, raw = file
    narrowed = one_byte_per_unit(raw, encoding.unit, encoding.is_big_endian)
    assert re.sub(b"[^\r\n]", b"?", narrowed).decode() == naive_units(encoding, raw)


@law
@given(files())
def test_terminators_of_bytes_are_those_of_the_decoded_text(file):
    """Counted before decoding or after: the same, also in damaged text."""
    encoding, raw = file
    text = raw.decode(encoding.codec, "replace")
    found = count_terminators(one_byte_per_unit(raw, encoding.unit, encoding.is_big_endian), False)
    assert found == Tally(text.count("\n"), text.count("\r"), text.count("\r\n"))


@law
@given(st.binary(max_size=20), st.booleans())
def test_narrow_bytes_stay_as_they_are(raw, big):
    """An encoding of single bytes has nothing to narrow."""
    assert one_byte_per_unit(raw, 1, big) == raw


# --- the index ----------------------------------------------------------------------------------


@law
@given(files(), BLOCKS)
@example((Encoding("utf-8", 3), codecs.BOM_UTF8), 4)
@example((Encoding("utf-8"), b"abc\r\nx"), 4)
@example((Encoding("utf-16-le", 2), codecs.BOM_UTF16_LE + b"a\0\r\0\n\0x\0"), 4)
def test_the_index_knows_every_line_and_where_it_starts(opened, file, block):
    """The total and the offset of every line are those of a naive reading; past the end there is none."""
    encoding, raw = file
    lines, starts = naive_lines(encoding, raw), naive_starts(encoding, raw)
    assert len(lines) == len(starts)
    with plain_text(opened, encoding, raw, block) as plain:
        assert plain.total() == len(lines)
        assert plain.index.is_complete
        assert [plain.offset_of(line) for line in range(1, len(starts) + 3)] == [*starts, None, None]
        assert plain.index.tally == count_terminators(naive_units(encoding, raw).encode(), False)


@law
@given(files(), BLOCKS, st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_the_order_of_questions_does_not_change_an_answer(opened, file, block, numbers):
    """An offset found after scanning as far as needed is the one found after scanning all."""
    encoding, raw = file
    starts = dict(enumerate(naive_starts(encoding, raw), 1))
    with plain_text(opened, encoding, raw, block) as plain:
        assert [plain.offset_of(number) for number in numbers] == [starts.get(number) for number in numbers]
        assert plain.total() == len(starts)


@law
@given(files(st.sampled_from([Encoding("utf-8"), Encoding("utf-8", 3)])), BLOCKS)
@example((Encoding("utf-8"), "ab漢".encode()[:-1]), 4)
@example((Encoding("utf-8"), "abc漢".encode()), 4)
def test_the_utf8_verdict_is_that_of_strict_decoding(opened, file, block):
    """A character cut by a block is fine, one cut by the end of the file is not; unasked, nothing is said."""
    encoding, raw = file
    assume(raw)
    try:
        raw.decode()
        valid = True
    except UnicodeDecodeError:
        valid = False
    with (
        plain_text(opened, encoding, raw, block, validate_utf8=True) as asked,
        plain_text(opened, encoding, raw, block) as unasked,
    ):
        assert (asked.total(), unasked.total()) == (len(naive_lines(encoding, raw)),) * 2
        assert (asked.traits().valid, unasked.traits().valid) == (valid, None)


def test_an_empty_file_is_not_called_damaged(opened):
    """Nothing is no line, and no damage."""
    with plain_text(opened, Encoding("utf-8"), b"", BLOCK, validate_utf8=True) as plain:
        assert (plain.total(), plain.offset_of(1), plain.offset_of(2)) == (0, None, None)
        assert plain.traits().valid is not False


@law
@given(files(), BLOCKS)
def test_final_newline_says_whether_the_last_line_is_ended(opened, file, block):
    """True exactly where the decoded text ends in a terminator and no stray byte follows it."""
    encoding, raw = file
    text = raw[encoding.bom :].decode(encoding.codec, "replace")
    with plain_text(opened, encoding, raw, block) as plain:
        assert plain.traits().final_newline == (text.endswith(("\n", "\r")) if len(raw) > encoding.bom else None)


# --- drawing lines ------------------------------------------------------------------------------

TAKES = st.tuples(
    st.integers(0, 1000),
    st.integers(1, 30),
    st.one_of(st.just(1), st.just(1), st.integers(1, 40)),
    st.one_of(st.integers(1, 12), st.integers(1, 200)),
    st.one_of(st.integers(1, 30), st.just(10**6)),
)


def naive_take(lines, start, count, column, longest, characters):
    """All that a draw could give: whole strings before the cut, and after it with what was left out.

    A line that is continued from a column is cut only by the number of characters.
    """
    whole = lines[start - 1 : start - 1 + count]
    whole[:1] = [line[column - 1 :] for line in whole[:1]]
    most = [characters if column > 1 and number == 0 else longest for number in range(len(whole))]
    rests = {number: len(line) - most[number] for number, line in enumerate(whole) if len(line) > most[number]}
    return [line[: most[number]] for number, line in enumerate(whole)], rests


def check_drawn(drawn, lines, start, count, column, longest, characters):
    """As many lines as asked for, or enough to exceed the characters; shortened as asked; the end told."""
    strings, rests = naive_take(lines, start, count, column, longest, characters)
    got = len(drawn.strings)
    assert drawn.strings == strings[:got]
    assert drawn.rests == {number: rest for number, rest in rests.items() if number < got}
    assert drawn.ended == (start - 1 + got == len(lines))
    assert got == len(strings) or len("\n".join(drawn.strings)) > characters


@law
@given(files(), BLOCKS, st.lists(TAKES, min_size=1, max_size=4))
@example((Encoding("utf-8"), b"abc\r\ndef\n"), 4, [(0, 1, 1, 9, 9), (1, 1, 1, 9, 9)])
@example((Encoding("utf-8"), b"a\rb\r"), 4, [(0, 2, 1, 9, 9)])
@example((Encoding("utf-16-le", 2), codecs.BOM_UTF16_LE + b"a\0\n"), 4, [(0, 5, 1, 9, 9)])
def test_drawn_lines_are_those_of_a_naive_reading(opened, file, block, takes):
    """From any line and column, up to any count, length and number of characters, one draw after another."""
    encoding, raw = file
    lines = naive_lines(encoding, raw)
    with plain_text(opened, encoding, raw, block) as plain:
        for seed, count, column, longest, characters in takes:
            start = 1 + seed % (len(lines) + 2)
            if start > len(lines):
                assert plain.take(start, count, 1, Budget(longest, characters)) == Lines([], {}, True)
            elif 1 < column > len(lines[start - 1]):
                with pytest.raises(ColumnPastEnd) as caught:
                    plain.take(start, count, column, Budget(longest, characters))
                assert caught.value.args == (start, column, len(lines[start - 1]))
            else:
                drawn = plain.take(start, count, column, Budget(longest, characters))
                check_drawn(drawn, lines, start, count, column, longest, characters)
            assert plain.known_total in (None, len(lines))


@law
@given(files(), BLOCKS, st.integers(1, 60), st.one_of(st.integers(0, 30), st.just(10**6)))
@example((Encoding("utf-8"), b"abc\r\ndef\r\n\r\n"), 4, 9, 10**6)
@example((Encoding("utf-8"), b"abc\r"), 4, 9, 10**6)
@example((Encoding("utf-16-be", 2), codecs.BOM_UTF16_BE), 4, 9, 10**6)
def test_the_last_lines_are_those_of_a_naive_reading(opened, file, block, longest, characters):
    """For every count, found by reading backwards, in a text that has not been scanned."""
    encoding, raw = file
    lines = naive_lines(encoding, raw)
    for count in range(1, len(lines) + 3):
        with plain_text(opened, encoding, raw, block) as plain:
            found, drawn = plain.tail(count, 1, Budget(longest, characters))
            assert found == min(count, len(lines))
            if found:
                check_drawn(drawn, lines, len(lines) - found + 1, found, 1, longest, characters)
            else:
                assert drawn == Lines([], {}, True)
            assert plain.known_total in (None, len(lines))
            if count > len(lines):
                assert plain.known_total == len(lines)


@law
@given(files(), BLOCKS)
def test_the_total_is_known_once_the_end_was_seen(opened, file, block):
    """By counting, by a window that reached the end, or by a start that lies behind it."""
    encoding, raw = file
    lines = naive_lines(encoding, raw)
    with plain_text(opened, encoding, raw, block) as plain:
        assert plain.known_total == (None if raw else 0)
        assert (plain.total(), plain.known_total) == (len(lines), len(lines))
    with plain_text(opened, encoding, raw, block) as plain:
        assert plain.take(1, len(lines) + 1, 1, Budget(10**6, 10**6)).ended
        assert plain.known_total == len(lines) or not lines
    with plain_text(opened, encoding, raw, block) as plain:
        assert plain.take(len(lines) + 2, 1, 1, Budget(1, 1)) == Lines([], {}, True)
        assert plain.known_total == len(lines)


@pytest.mark.parametrize("column", [1, 4])
@pytest.mark.parametrize(("rest", "told"), [(0, {}), (1, {0: 1}), (1 << 20, {0: 1 << 20}), ((1 << 20) + 1, {0: None})])
def test_what_is_left_of_a_line_is_counted_up_to_a_mebibyte(opened, column, rest, told):
    """An exact number of characters up to the bound, beyond it only that there is more; then the next line."""
    assert REST_COUNTED_UP_TO == 1 << 20
    line = "é" * (column - 1 + 10 + rest)
    with plain_text(opened, Encoding("utf-8"), f"first\n{line}\nlast".encode(), BLOCK) as plain:
        longest, characters = (10, 100) if column == 1 else (4, 10)
        assert plain.take(2, 2, column, Budget(longest, characters)) == Lines(["é" * 10, "last"], told, True)


# --- bytes that are no characters ---------------------------------------------------------------

STAND_IN = "\U0010ffff"
codecs.register_error("stand-in", lambda error: (STAND_IN, error.end))


@law
@given(files(), BLOCKS, TAKES)
@example((Encoding("utf-8"), "\ufffdab".encode() + b"\xff\n"), 64, (0, 1, 3, 200, 10**6))
@example((Encoding("utf-8"), b"\xff" + "a\ufffd\n".encode()), 64, (0, 1, 2, 1, 10**6))
@example((Encoding("utf-8"), b"ab" + "\ufffd\n".encode()), 4, (0, 1, 1, 200, 10**6))
@example((Encoding("utf-8"), b"\xff" + "\ufffd".encode() * 2 + b"\n"), 64, (0, 1, 1, 2, 10**6))
@example((Encoding("utf-16-le"), "\ufffd\n\ud800".encode("utf-16-le", "surrogatepass")), 64, (0, 2, 1, 200, 10**6))
def test_replaced_characters_are_counted_exactly(opened, file, block, take):
    """Of each line as far as it is shown; a U+FFFD that the file itself holds is not one of them."""
    encoding, raw = file
    assume(STAND_IN not in raw.decode(encoding.codec, "replace"))
    lines = naive_lines(encoding, raw, "stand-in")
    seed, count, column, longest, characters = take
    start = 1 + seed % max(1, len(lines))
    assume(lines and (column == 1 or column <= len(lines[start - 1])))
    strings, _ = naive_take(lines, start, count, column, longest, characters)
    with plain_text(opened, encoding, raw, block) as plain:
        drawn = plain.take(start, count, column, Budget(longest, characters))
    counts = {number: line.count(STAND_IN) for number, line in enumerate(strings[: len(drawn.strings)])}
    assert {number: len(places) for number, places in drawn.replaced.items()} == {
        number: count for number, count in counts.items() if count
    }


@law
@given(TEXTS, BLOCKS, st.integers(1, 20))
def test_nothing_counts_as_replaced_in_a_text_that_is_valid(opened, text, block, longest):
    """Whatever characters it holds, U+FFFD too."""
    encoding = Encoding("utf-8")
    with plain_text(opened, encoding, text.encode(), block) as plain:
        assert plain.take(1, 100, 1, Budget(longest, 10**6)).replaced == {}


# --- what is told of the whole ------------------------------------------------------------------


@law
@given(files(), BLOCKS)
def test_line_ends_are_told_truly_once_the_file_was_scanned(opened, file, block):
    """The convention, and whether any carriage return stands alone."""
    encoding, raw = file
    text = raw[encoding.bom :].decode(encoding.codec, "replace")
    with plain_text(opened, encoding, raw, block) as plain:
        plain.total()
        found = plain.traits()
    expected = (encoding.codec, encoding.bom > 0, naive_newline(text), re.search("\r(?!\n)", text) is not None)
    assert (found.encoding, found.bom, found.newline, found.lone_cr) == expected


@law
@given(st.sampled_from(ENDS), st.lists(st.text("ab", max_size=9), max_size=9), st.booleans(), BLOCKS)
@example("\r\n", ["abc", ""], True, 4)
@example("\n", ["abcdef"], True, 4)
def test_line_ends_are_never_told_wrongly_before_the_file_was_scanned(opened, end, lines, ended, block):
    """Of a file with one kind of terminator, a first look tells that kind or nothing, and no lone carriage return."""
    text = end.join(lines) + end * ended
    with plain_text(opened, Encoding("utf-8"), text.encode(), block) as plain:
        found = plain.traits()
    assert found.newline in (None, naive_newline(text))
    assert found.lone_cr <= (end == "\r")


# --- small files --------------------------------------------------------------------------------

LIMITS = st.builds(
    lambda lines, size, longest, columns: Limits(lines, size, longest, columns=columns),
    st.integers(1, 30),
    st.integers(1, 90),
    st.sampled_from([None, 4, 12]),
    st.booleans(),
)
REQUESTS = st.builds(
    lambda *asked: ReadRequest("a.txt", *asked),
    LIMITS,
    st.integers(1, 30),
    st.one_of(st.none(), st.none(), st.integers(1, 30)),
    st.sampled_from([1, 1, 1, 2, 7, 40]),
    st.sampled_from([None, 0]),
)


def found_by(text, request):
    """The window and what is known of the text then; or what was refused."""
    try:
        window = take_window(text, request)
        return text.known_total, window._replace(total=None), text.traits()
    except InvalidRequest as error:
        return None, type(error), error.args


@st.composite
def whole_files(draw):
    """An encoding and the bytes of a file in it that has no damage and is not empty."""
    encoding = draw(ANY_ENCODING)
    mark = MARKS[encoding.codec] if encoding.bom else b""
    return encoding, mark + f"{draw(TEXTS)}{draw(st.sampled_from(['a', *ENDS]))}".encode(encoding.codec, "ignore")


@law
@given(whole_files(), BLOCKS, REQUESTS, st.booleans())
@example((Encoding("utf-8"), b"a\nb"), 4, ReadRequest("a.txt", Limits(10, 90), last_lines=1, exact_up_to=0), False)
@example((Encoding("utf-8"), b"\n\na"), 4, ReadRequest("a.txt", Limits(1, 1), 2, exact_up_to=0), False)
@example((Encoding("utf-8"), b"a\nbcd\n"), 4, ReadRequest("a.txt", Limits(10, 90), 2, column=9), True)
@example((Encoding("utf-8"), b"a\n" * 9), 4, ReadRequest("a.txt", Limits(10, 90), 10**30), True)
def test_a_small_file_is_read_as_a_large_one(opened, file, block, request, validate_utf8):
    """At once or by its index: the same window, total, traits and refusals; nobody need know a total not asked for."""
    encoding, raw = file
    # Whoever wants the verdict on the whole file has it counted.
    validate_utf8 = validate_utf8 and encoding.codec == "utf-8" and request.exact_up_to is None
    with plain_text(opened, encoding, raw, block, validate_utf8) as plain, opened(raw) as source:
        small = small_text(source, encoding, validate_utf8, STANDING)
        total, *found = found_by(small, request)
        indexed, *expected = found_by(plain, request)
    assert found == expected
    assert total == indexed or (request.exact_up_to == 0 and None in (total, indexed))


def test_only_whole_text_is_read_at_once(opened):
    """Nothing, a mark alone, damage, a large file and a verdict on other encodings are left to the index."""
    left = [(UTF8, b""), (Encoding("utf-8", 3), codecs.BOM_UTF8), (UTF8, b"a\xff\n"), (UTF8, b"a\n" * SMALL)]
    for encoding, raw in left:
        with opened(raw) as source:
            assert small_text(source, encoding, validate_utf8=False, deadline=STANDING) is None
    with opened(b"a\0\n\0") as source:
        assert small_text(source, Encoding("utf-16-le"), validate_utf8=False, deadline=STANDING) is not None
        assert small_text(source, Encoding("utf-16-le"), validate_utf8=True, deadline=STANDING) is None
