"""Windows: the largest part that fits every ceiling, numbers that are true, a way on that leaves nothing out."""

import re
import tempfile
import unicodedata
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from opening import STANDING, opened

import readwell
from effort import examples
from readwell.dialects.native.numbered_lines import number_lines
from readwell.errors import ColumnPastEnd, StartPastEnd
from readwell.invisible_characters import INVISIBLE
from readwell.model import Clip, Limits, Position, ReadRequest, Traits, Window
from readwell.path_names import printable
from readwell.similar_names import similar_names
from readwell.text import InMemoryText
from readwell.text.decode import Encoding
from readwell.text.indexed_text import IndexedText
from readwell.text.line_index import LineIndex
from readwell.tokens import estimate_tokens, o200k_counter
from readwell.window import take_window

law = settings(max_examples=examples(75), deadline=None)

"""A deadline whose clock never moves."""
MANY = 5000
"""More windows than any text below can need."""

LETTERS = st.sampled_from(list("ab \té漢😀"))
LINE = st.one_of(
    st.just(""),
    st.text(LETTERS, max_size=8),
    st.builds(lambda letter, times: letter * times, LETTERS, st.integers(5, 60)),
)
LINES = st.lists(LINE, max_size=12)
PLACES = st.sampled_from(["held", 4, 16, 64])
"""Where the lines of a text are: in memory, or in a file that is read in blocks of so many bytes."""


@contextmanager
def texts(lines, place):
    """A way to a new text of these lines: nothing that one text has learnt is known to the next."""
    if place == "held":
        yield lambda: InMemoryText(lines, Traits())
        return
    with opened("".join(f"{line}\n" for line in lines).encode()) as source:
        yield lambda: IndexedText(source, LineIndex(source.size, Encoding("utf-8"), place), STANDING)


# --- counters -----------------------------------------------------------------------------------


ANY_DIVISOR = st.integers(1, 4)


@st.composite
def counters(draw, divisors=ANY_DIVISOR):
    """A counter of tokens that never falls when a text grows: weights of characters, divided, rounded up."""
    weights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    divisor = draw(divisors)
    return lambda text: -(-sum(weights[ord(character) % len(weights)] for character in text) // divisor)


def cost_of(count_tokens):
    return lambda start, column, lines, text, clips: count_tokens(text)


@st.composite
def limits(draw, columns=None):
    counter = draw(st.one_of(st.none(), counters()))
    return Limits(
        lines=draw(st.integers(1, 14)),
        bytes=draw(st.one_of(st.integers(1, 30), st.integers(1, 300))),
        line_length=draw(st.one_of(st.none(), st.integers(1, 20), st.integers(1, 400))),
        clip_bytes=draw(st.sampled_from([0, 0, 3])),
        tokens=None if counter is None else draw(st.integers(-3, 60)),
        cost=None if counter is None else cost_of(counter),
        columns=draw(st.booleans()) if columns is None else columns,
    )


# --- a naive window -----------------------------------------------------------------------------


def most_lines(count, fits):
    """The largest number of lines that fits, tried from all of them down."""
    return next((number for number in range(count, 0, -1) if fits(number)), 0)


def naive_shown(whole, limits, column):
    """The lines that are shown of these, and which ceiling ended them."""
    own_length = limits.line_length is not None and limits.line_length <= limits.bytes
    cut = [line[: limits.line_length] if own_length else line for line in whole]
    if column > 1:  # asked for, so only a budget ends it
        cut[0] = whole[0]

    def within_bytes(number):
        marks = sum(len(short) < len(line) for short, line in zip(cut[:number], whole, strict=False))
        return len("\n".join(cut[:number]).encode()) + marks * limits.clip_bytes <= limits.bytes

    def within_tokens(lines):
        return limits.cost is None or limits.cost(1, 1, lines, "\n".join(lines), ()) <= limits.tokens

    reason, shown = "lines", cut
    number = most_lines(len(shown), within_bytes)
    if number < len(shown):
        reason, first = "bytes", shown[0]
        length = most_lines(len(first), lambda count: len(first[:count].encode()) <= limits.bytes)
        shown = shown[:number] or [first[: max(1, length)]]
    number = most_lines(len(shown), lambda count: within_tokens(shown[:count]))
    if number < len(shown):
        reason, shown = "tokens", naive_filled(shown[:number], shown[number], limits, within_tokens)
    return shown, reason, len(shown[-1]) < len(cut[len(shown) - 1])


def naive_filled(whole, following, limits, within_tokens):
    """The lines that fit, and what fits of the next one where they leave more than a sixteenth of the budget."""
    if whole:
        used = limits.cost(1, 1, whole, "\n".join(whole), ())
        if not limits.columns or used >= limits.tokens - limits.tokens // 16:
            return whole
    length = most_lines(len(following) - 1, lambda count: within_tokens([*whole, following[:count]]))
    if not whole:
        return [following[: max(1, length)]]
    return [*whole, following[:length]] if length else whole


def naive_window(lines, start, column, limits):
    """The window that an exact count gives, by trying every number."""
    if not lines and start == 1:
        return Window([], 0, 0, 0, None, "end")
    whole = lines[start - 1 : start - 1 + limits.lines]
    whole[0] = whole[0][column - 1 :]
    shown, reason, inside = naive_shown(whole, limits, column)
    end = start + len(shown) - 1
    follows = Position(end + 1) if end < len(lines) else None
    if inside and limits.columns:
        follows = Position(end, len(shown[-1]) + (column if end == start else 1))
    clipped = tuple(
        Clip(start + number, len(line), (1 if number else column) + len(line), len(whole[number]) - len(line))
        for number, line in enumerate(shown)
        if len(line) < len(whole[number])
    )
    if not follows and clipped and clipped[-1].line == end and limits.columns:
        follows = Position(end, clipped[-1].column)
    reason = reason if follows else "end"
    text = "\n".join(shown)
    return Window(shown, start, end, len(lines), follows, reason, column=column, clipped=clipped, text=text)


def request_for(limits, **wanted):
    return ReadRequest("f.txt", limits, **wanted)


# --- the ceilings -------------------------------------------------------------------------------


@settings(law, max_examples=examples(200))
@given(LINES, PLACES, limits(), st.integers(0, 100), st.one_of(st.just(1), st.integers(1, 30)))
@example(["漢漢"], "held", Limits(9, 5), 0, 1)
@example(["漢漢"], 4, Limits(9, 2, columns=True), 0, 1)
@example(["ab", "", "c"], 4, Limits(9, 3), 0, 1)
@example(["abcd", "ab"], 64, Limits(9, 6, 3, 3), 0, 1)
def test_a_window_is_the_largest_that_fits_every_ceiling(lines, place, limits, seed, column):
    """Lines, bytes, characters of a line, tokens by any counter that never falls; at least one line, clipped if need be.

    A first line that does not fit is cut to the most whole characters that do, at least one. Range, total,
    continuation, reason and clips are those of what is shown.
    """
    start = 1 + seed % (len(lines) + 2)
    request = request_for(limits, start=start, column=column, may_wait=limits.columns)
    with texts(lines, place) as text:
        if start == len(lines) + 1 > 1 == column and limits.columns:
            assert take_window(text(), request) == Window([], start, len(lines), len(lines), None, "end")
        elif start > max(1, len(lines)):
            with pytest.raises(StartPastEnd) as caught:
                take_window(text(), request)
            assert caught.value.args == (start, len(lines))
        elif 1 < column > len(lines[start - 1] if lines else ""):
            with pytest.raises(ColumnPastEnd) as caught:
                take_window(text(), request)
            assert caught.value.args == (start, column, len(lines[start - 1] if lines else ""))
        else:
            assert take_window(text(), request) == naive_window(lines, start, column, limits)


@law
@given(LINES, PLACES, limits(), st.integers(1, 15))
def test_a_window_from_the_end_is_the_window_from_its_first_line(lines, place, limits, last):
    """The last so many lines, or all where there are fewer, under the same ceilings."""
    start = max(1, len(lines) - last + 1)
    with texts(lines, place) as text:
        found = take_window(text(), request_for(limits, last_lines=last))
    assert found == naive_window(lines, start, 1, limits)


def counted_from_the_start(window, total):
    """The same window with the numbers that it would have if its lines had been counted."""
    shift = total + 1 if window.start < 0 else 0
    follows = window.next and window.next._replace(line=window.next.line + shift)
    clipped = tuple(clip._replace(line=clip.line + shift) for clip in window.clipped)
    numbers = {"start": window.start + shift, "end": window.end + shift, "total": total}
    return window._replace(next=follows, clipped=clipped, **numbers)


@law
@given(LINES, PLACES, limits(), st.integers(1, 15), st.booleans())
@example(list("abcdef"), 4, Limits(2, 100), 3, True)
@example(["ab", "漢漢漢", "c"], 4, Limits(9, 4, columns=True), 2, True)
def test_a_window_is_the_same_where_lines_are_not_counted(lines, place, limits, number, from_end):
    """Without a total, numbers may count from the end; counted from the start they are those of an exact reading."""
    assume(from_end or number <= max(1, len(lines)))
    start = max(1, len(lines) - number + 1) if from_end else number
    wanted = {"last_lines": number} if from_end else {"start": number}
    with texts(lines, place) as text:
        found = take_window(text(), request_for(limits, exact_up_to=0, **wanted))
    assert found.total in (None, len(lines))
    assert counted_from_the_start(found, len(lines)) == naive_window(lines, start, 1, limits)


@law
@given(st.lists(LINE, min_size=1, max_size=6), PLACES, limits(columns=True), st.integers(1, 6), st.integers(0, 100))
@example(["a", "bcdef"], 4, Limits(9, 2, columns=True), 1, 2)
def test_a_window_from_the_end_can_start_inside_its_first_line(lines, place, limits, last, seed):
    """A column means the same in it, counted or not, so that a clipped line can be continued."""
    start = max(1, len(lines) - last + 1)
    column = 1 + seed % max(1, len(lines[start - 1]))
    expected = naive_window(lines, start, column, limits)
    with texts(lines, place) as text:
        counted = take_window(text(), request_for(limits, last_lines=last, column=column))
        uncounted = take_window(text(), request_for(limits, last_lines=last, column=column, exact_up_to=0))
    assert counted == expected
    assert counted_from_the_start(uncounted, len(lines)) == expected


# --- the way on ---------------------------------------------------------------------------------


def followed(take, first):
    """Every piece that is shown on the way from a first window on, as (line, column, text).

    `take` gives the window at a position; cut lines that the window leaves behind are followed on their own.
    """
    pieces, ahead = [], [(first, False)]
    for _ in range(MANY):
        if not ahead:
            return sorted(pieces)
        position, alone = ahead.pop()
        window = take(position, alone)
        if not window.lines:
            return []
        assert (window.start, window.column) == position
        columns = [position.column] + [1] * (len(window.lines) - 1)
        pieces += zip(range(window.start, window.end + 1), columns, window.lines, strict=True)
        onward = [Position(clip.line, clip.column) for clip in window.clipped]
        ahead += [(position, True) for position in onward if position != window.next]
        if window.next and (not alone or window.next in onward):
            assert window.next > position
            ahead.append((window.next, alone))
    raise AssertionError("no end in sight")


def joined(pieces, total):
    """The lines that the pieces make; each piece goes on exactly where the one before it ended."""
    lines = dict.fromkeys(range(1, total + 1), "")
    for line, column, piece in pieces:
        assert column == len(lines[line]) + 1
        lines[line] += piece
    return list(lines.values())


@law
@given(LINES, PLACES, limits(columns=True), st.sampled_from([None, 0]))
def test_following_the_way_on_gives_every_character_once(lines, place, limits, exact_up_to):
    """Window after window, and into every clipped line, whatever the ceilings."""
    with texts(lines, place) as text:

        def take(position, alone):
            ceilings = limits._replace(lines=1) if alone else limits
            wanted = {"start": position.line, "column": position.column, "exact_up_to": exact_up_to}
            return take_window(text(), request_for(ceilings, **wanted))

        pieces = followed(take, Position(1))
    assert joined(pieces, len(lines)) == lines
    assert len({piece[:2] for piece in pieces}) == len(pieces)


# --- replies of readwell's own dialect ----------------------------------------------------------

WORDS = st.lists(st.sampled_from(["alpha", "beta", " ", "\t", "é", "漢字", "😀", "x" * 300, "[end]"]), max_size=8)
FILES = st.builds(
    lambda lines, ended: "\n".join(lines) + "\n" * ended, st.lists(WORDS.map("".join), max_size=60), st.booleans()
)


@contextmanager
def reader_over(content, **chosen):
    """A reader whose root holds one file with a short name."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "f.txt").write_bytes(content)
        with readwell.Reader(root=folder, **chosen) as reader:
            yield reader


@law
@given(
    FILES,
    st.one_of(st.just(estimate_tokens), counters(st.integers(6, 12))),
    st.integers(256, 900),
    st.integers(-70, 60),
    st.booleans(),
    st.sampled_from(["exact", "lazy"]),
)
def test_a_reply_keeps_its_token_budget(content, counter, budget, offset, numbers, total):
    """By whatever counter was chosen, up to a token for two characters, the whole reply costs at most what it may."""
    with reader_over(content.encode(), count_tokens=counter, numbers=numbers) as reader:
        reply = reader.reply({"path": "f.txt", "max_tokens": budget, "offset": offset, "total": total})
    assume(not reply.is_error)
    assert reply.data["tokens"] == counter(reply.text) <= budget


STRANGE = [b"\xff", b"\x1b[1m", *(each.encode() for each in "é漢\u202e\u200b")]
REMARKABLE = st.builds(
    lambda pieces, times: b"".join(pieces) * times,
    st.lists(st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"plain", *STRANGE]), max_size=40),
    st.integers(1, 20),
)


@law
@given(REMARKABLE, st.integers(0, 600), st.sampled_from([1, 1, -1, -20]), st.booleans())
def test_remarks_on_a_file_stay_within_the_token_budget(content, budget, offset, numbers):
    """Bytes replaced, mixed ends, characters that cannot be seen, a small budget raised: all told, none too dear."""
    with reader_over(content, numbers=numbers, count_tokens=estimate_tokens) as reader:
        reply = reader.reply({"path": "f.txt", "max_tokens": budget, "offset": offset})
    assume(not reply.is_error)
    assert reply.data["tokens"] == estimate_tokens(reply.text) <= max(256, budget)


REMARKS_IN_EVERY_LINE = ("é\u202e\u200b\x1b".encode() + b"\xff\n") * 200 + b"\r"
CLAMPED = {"limit": 10**30, "column": -(10**30), "max_tokens": -(10**30)}
UNKNOWN = {f"unheard_of_{number}" * 9: number for number in range(9)}
DEAR = {"😀" * 40 + str(number): number for number in range(9)}


@pytest.mark.parametrize(
    ("counter", "more"),
    [
        pytest.param(estimate_tokens, {}, id="on the file"),
        pytest.param(estimate_tokens, CLAMPED, id="on the file and clamped arguments"),
        pytest.param(estimate_tokens, CLAMPED | UNKNOWN, id="on the file, clamped and unknown arguments"),
        pytest.param(estimate_tokens, DEAR, id="on the file and unknown arguments of dear names"),
        pytest.param(len, {}, id="on the file, a token a character"),
    ],
)
def test_every_remark_at_once_stays_within_the_token_budget(counter, more):
    """The whole reply costs at most what it may, however much there is to tell."""
    with reader_over(REMARKS_IN_EVERY_LINE, count_tokens=counter) as reader:
        reply = reader.reply({"path": "f.txt", "max_tokens": 256, "offset": -60, **more})
    assert reply.data["tokens"] == counter(reply.text) <= 256


@pytest.mark.parametrize("numbers", [True, False], ids=["numbered", "bare"])
@pytest.mark.parametrize("start", ["a", "["])
def test_a_listing_keeps_its_token_budget(numbers, start):
    """Also where every name has to be shown escaped."""
    with tempfile.TemporaryDirectory() as folder, readwell.Reader(folder, numbers=numbers) as reader:
        for number in range(600):
            (Path(folder) / f"{start}{number}").touch()
        reply = reader.reply({"path": ".", "max_tokens": 1000})
    assert reply.data["tokens"] == o200k_counter()(reply.text) <= 1000
    assert reply.data["reason"] == "tokens"


@settings(law, max_examples=examples(60))
@given(
    lines=LINES,
    ends=st.sampled_from(["\n", "\r\n", "\r"]),
    counter=st.one_of(st.just(estimate_tokens), st.just(len), counters()),
    limit=st.integers(1, 14),
    line_length=st.integers(1, 100),
    max_bytes=st.integers(1, 300),
    total=st.sampled_from(["exact", "lazy"]),
)
def test_following_a_reply_gives_every_character_once(lines, ends, counter, limit, line_length, max_bytes, total):
    """By `next` with its column, and by the columns of clipped lines, under every ceiling at once."""
    chosen = {"count_tokens": counter, "line_length": line_length, "max_bytes": max_bytes, "max_tokens": 256}
    with reader_over("".join(line + ends for line in lines).encode(), **chosen) as reader:

        def take(position, alone):
            at = {"offset": position.line, "column": position.column, "limit": 1 if alone else limit}
            return reader.read("f.txt", total=total, **at).window

        pieces = followed(take, Position(1))
    assert joined(pieces, len(lines)) == lines
    assert len({piece[:2] for piece in pieces}) == len(pieces)


@pytest.mark.parametrize(
    "what",
    [{"path": "a.md"}, {"path": "."}, {"path": "a.md", "view": "outline"}, {"path": "a.csv", "view": "markdown"}],
    ids=["a text", "a directory", "an outline", "what was converted"],
)
def test_the_last_rows_are_the_same_counted_from_either_end(tmp_path, what):
    """However many of them, and where more are asked for than there are."""
    for name in ("a.md", "b", "c", "d"):
        (tmp_path / name).write_text("# one\n# two\n# three\n# four\n# five\n")
    (tmp_path / "a.csv").write_text("name,number\none,1\ntwo,2\nthree,3\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        total = reader.reply(what).data["total"]
        assert total >= 5
        for count in range(1, total + 3):
            for limit in (2, 50):
                ways = ({"offset": -count}, {"offset": max(1, total - count + 1)})
                last, counted = (reader.reply({**what, **way, "limit": limit}).text for way in ways)
                assert re.sub(r"\n\[before: .*\]", "", last) == counted


@pytest.mark.parametrize("total", ["exact", "lazy"])
@pytest.mark.parametrize(
    "chosen", [{"max_bytes": 100}, {"line_length": 100}, {"max_tokens": 256}], ids=lambda chosen: next(iter(chosen))
)
def test_a_long_last_line_can_be_read_to_its_end_from_the_end(total, chosen):
    """The continuation of a window that was asked for from the end leads on, and ends with the line."""
    long = "".join(f"{number}, " for number in range(300))
    with reader_over(f"first\nsecond\n{long}\n".encode(), **chosen) as reader:
        shown, at = "", {"offset": -1}
        for _ in range(30):
            reply = reader.read("f.txt", total=total, **at)
            shown += reply.text
            onward = [Position(clip.line, clip.column) for clip in reply.window.clipped]
            assert reply.next in (None, *onward)
            if not onward:
                break
            at = {"offset": onward[0].line, "column": onward[0].column}
    assert shown == long


# --- names near a missing one -------------------------------------------------------------------

NAMES = st.one_of(
    st.text("aAbB.", min_size=1, max_size=6),
    st.sampled_from(
        "app.py App.py app.pyc my_app.py app.txt app apple.py apply.py aple.py .env .env.local ab a".split()
    ),
)


def naive_tier(wanted, name):
    """0: one contains the other; 1: the same stem; 2: closely spelled; 3: not alike."""
    wanted, name = wanted.lower(), name.lower()
    shorter, longer = sorted((wanted, name), key=len)
    if wanted == name or (len(shorter) >= 3 and shorter in longer):
        return 0
    if re.sub(r"(?<=.)\.[^.]*\Z", "", wanted) == re.sub(r"(?<=.)\.[^.]*\Z", "", name):
        return 1
    return 2 if SequenceMatcher(None, name, wanted, autojunk=False).ratio() >= 0.6 else 3


def naive_order(wanted, name):
    tier = naive_tier(wanted, name)
    return tier, len(name) if tier == 1 else 0, name.lower(), name


@settings(law, max_examples=examples(200))
@given(NAMES, st.lists(NAMES, max_size=12), st.sets(NAMES, max_size=4))
@example("app.py", ["app.txt", "app", "App.py", "aple.py"], set())
@example("app.py", ["app.html", "app.z", "app.c"], set())
@example("app.py", ["my_app.py", "app.py.bak", "App.py", "app.pyc"], {"App.py"})
def test_lookalikes_are_the_first_three_in_their_tiers(wanted, names, denied):
    """Containing, then of the same stem, then closely spelled; each tier in its order; only names that may be seen."""
    found = similar_names(wanted, names, lambda name: name not in denied, lambda: None)
    alike = sorted(
        {name for name in names if naive_tier(wanted, name) < 3} - denied, key=lambda name: naive_order(wanted, name)
    )
    sure = [name for name in alike if naive_tier(wanted, name) < 2][:3]
    assert found[: len(sure)] == tuple(sure)
    assert list(found) == sorted(set(found), key=lambda name: naive_order(wanted, name))
    assert set(found) <= set(alike)
    assert len(found) == min(3, len(alike))


@law
@given(NAMES, st.lists(NAMES, max_size=12), st.sets(NAMES, max_size=6))
def test_a_name_that_may_not_be_seen_leaves_no_trace(wanted, names, denied):
    """The answer is the one that would be given if it were not there; the order of the names does not matter."""
    found = similar_names(wanted, names, lambda name: name not in denied, lambda: None)
    there = [name for name in reversed(names) if name not in denied]
    assert similar_names(wanted, there, lambda name: True, lambda: None) == found


# --- names as they are shown --------------------------------------------------------------------

ANY_NAME = st.text(st.one_of(st.characters(), st.characters(categories=["Cc", "Cs"])), max_size=20)


@settings(law, max_examples=examples(200))
@given(ANY_NAME)
@example("a\nb\x7f\x85\udcff")
def test_a_name_is_shown_without_control_characters_and_surrogates(name):
    r"""They are shown as `\x0a` and `\udcff`; the name stays one line, always valid UTF-8, and is escaped once only."""
    shown = printable(name)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs"}
    assert shown.encode().decode() == shown == printable(shown)
    for character in set(name):
        if unicodedata.category(character) == "Cc":
            assert f"\\x{ord(character):02x}" in shown
        elif unicodedata.category(character) == "Cs":
            assert f"\\u{ord(character):04x}" in shown


@law
@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=30))
def test_a_plain_name_is_shown_as_it_is(name):
    """What can be seen is not changed; of the letters, four fillers cannot."""
    assume(not re.search(INVISIBLE, name))
    assert printable(name) == name


@law
@given(
    st.one_of(st.integers(-1200, -1), st.integers(1, 1200), st.integers(99_900, 100_100), st.integers(10**9, 10**20)),
    st.lists(st.sampled_from(["", "a", "\t", "7\tseven", "ü"]), max_size=5),
    st.integers(0, 120),
)
def test_every_line_stands_behind_its_own_number(start, lines, repeated):
    """Across tens, hundreds and thousands, and counted from the end."""
    lines = lines * repeated
    expected = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, start))
    assert number_lines(lines, start) == expected
