"""A token budget counted exactly: never exceeded, always some progress, nothing lost between two windows."""

import tempfile
import unicodedata
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import readwell
from effort import examples
from readwell.tokens import estimate_tokens, o200k_counter

law = settings(max_examples=examples(25), deadline=None)
O200K = o200k_counter()
COUNTERS = [O200K, estimate_tokens, lambda text: len(text.split()), lambda text: len(text) // 2]
DEAR = ["𒀀𒁀𒂀", "👩‍👩‍👧‍👦", "ʬʭ", "zx9Qv#", "<|endoftext|>", "\ufffd", "​‮", "ㄱㄴ", "0x7fffe3"]
CHEAP = ["the ", "    return ", "import os", "=" * 80, " ", "\t", "日本語"]
LINES = st.lists(st.lists(st.sampled_from([*DEAR, *CHEAP]), max_size=20).map("".join), min_size=1, max_size=40)
DEEP = "/".join(["ordner-漢字"] * 60)
NAMES = st.sampled_from(["f.txt", "ein längerer Name mit 漢字.txt", "n" * 200 + ".txt", f"{DEEP}/f.txt"])
WIDE = {"limit": 10**6, "line_length": 10**6, "max_bytes": 10**7, "max_tokens": 10**6, "cache_dir": None}


def followed(reader, name, budget, counter):
    """Reads a file to its end, window by window; returns its lines as the windows gave them."""
    lines, here = [], {"offset": 1, "column": 1}
    while here:
        reply = reader.reply({"path": name, "max_tokens": budget, **here})
        assert reply.data["tokens"] == counter(reply.text) <= budget
        window = reader.read(name, max_tokens=budget, **here)
        assert window.lines
        for number, text in enumerate(window.lines, here["offset"]):
            lines += [""] * (number - len(lines))
            lines[number - 1] += text
        following = reply.data["next"]
        assert not following or (following["offset"], following["column"]) > (here["offset"], here["column"])
        here = following
    return lines


@law
@given(LINES, NAMES, st.integers(256, 2000), st.sampled_from(COUNTERS))
@example(["𒀀𒁀𒂀" * 400], "f.txt", 256, O200K)
@example(["x" * 20000, "", "y"], "f.txt", 256, O200K)
@example(["a\u200b" * 10, "b"], f"{DEEP}/f.txt", 256, O200K)
@example(["<|endoftext|>" * 500], "n" * 200 + ".txt", 256, O200K)
@example(["𒀀𒁀𒂀" * 11], "n" * 200 + ".txt", 256, O200K)
def test_a_budgeted_reading_is_within_budget_and_complete(lines, name, budget, counter):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
        (Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        with readwell.Reader(folder, count_tokens=counter, **WIDE) as reader:
            assert followed(reader, name, budget, counter) == lines


@pytest.mark.parametrize("text", ["", "a", "<|endoftext|>", "\ud800 alone", "漢" * 1000, "a\0b\r\n"])
def test_any_text_can_be_counted(text):
    assert 0 <= O200K(text) <= len(text.encode(errors="replace"))


def test_what_looks_like_the_end_of_a_prompt_is_counted_as_text():
    assert O200K("<|endoftext|>") > 1


def test_the_estimate_is_not_far_below_the_exact_count_for_source_code():
    source = Path(readwell.__file__).with_name("window.py").read_text()
    assert 0.9 * O200K(source) <= estimate_tokens(source) <= 1.6 * O200K(source)


SCRIPTS = {
    "Armenian": (0x531, 0x588), "Devanagari": (0x904, 0x964), "Bengali": (0x985, 0x9E4), "Gurmukhi": (0xA05, 0xA76),
    "Gujarati": (0xA85, 0xAE4), "Oriya": (0xB05, 0xB64), "Tamil": (0xB83, 0xBD8), "Telugu": (0xC05, 0xC64),
    "Kannada": (0xC85, 0xCE4), "Malayalam": (0xD05, 0xD64), "Sinhala": (0xD85, 0xDF4), "Thai": (0xE01, 0xE4F),
    "Lao": (0xE81, 0xEE0), "Tibetan": (0xF40, 0xFBD), "Myanmar": (0x1000, 0x1050), "Georgian": (0x10D0, 0x1100),
    "Ethiopic": (0x1200, 0x135B), "Khmer": (0x1780, 0x17D4), "combining marks": (0x300, 0x370),
}  # fmt: skip
"""Scripts of which the texts that the estimate was fitted to have few or none."""
BLANKS = (
    "\t",
    "\t" * 9,
    "\n",
    "\r\n",
    " ",
    "    ",
    "\t\n",
    " \t",
    "\x0b",
    "\x0c",
    "\xa0",
    "\u2003",
    "\u2009",
    "\u202f",
    "\u3000",
)
PROMISED = 1.10
"""How far a reply may exceed a budget that is estimated."""


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_estimated_budget_holds_in_every_script(script, tmp_path):
    letters = [chr(code) for code in range(*SCRIPTS[script]) if unicodedata.category(chr(code))[0] in "LM"]
    pick = Random(script)
    words = ["".join(pick.choices(letters, k=pick.randint(2, 9))) for _ in range(1500)]
    lines = [" ".join(words[start : start + 8]) for start in range(0, len(words), 8)]
    assert_within_promise("\n".join(lines), tmp_path)


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_an_estimated_budget_holds_on_lines_of_nothing_but_white_space(blank, tmp_path):
    pick = Random(blank)
    assert_within_promise("\n".join(blank * pick.randint(1, 40) for _ in range(400)), tmp_path)
    assert_within_promise(blank * 3000, tmp_path)


def assert_within_promise(text, folder):
    assert O200K(text) <= 1.26 * estimate_tokens(text)  # to which a budget adds 15 %
    (folder / "f.txt").write_text(text, encoding="utf-8", newline="")
    with readwell.Reader(folder, count_tokens=estimate_tokens, **WIDE) as reader:
        for budget in (256, 1000, 4000):
            assert O200K(reader.reply({"path": "f.txt", "max_tokens": budget}).text) <= PROMISED * budget
