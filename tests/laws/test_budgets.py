"""A budget is a promise: whatever the text, the whole reply keeps it, and uses it where there is more to show."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kinds_of_text import texts_of_many_kinds

import readwell
from effort import examples
from readwell.tokens import count_tokens, estimate_tokens, o200k_counter

O200K = o200k_counter()
law = settings(max_examples=examples(40), deadline=None)
KINDS = sorted(texts_of_many_kinds(0))
PROMISES = {count_tokens: (1.02, 0.85), estimate_tokens: (1.10, 0.70)}
"""Of each counter: how much of a budget a reply takes at most, and at least where there is more to show."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("kinds")
    for seed in range(2):
        for kind, text in texts_of_many_kinds(seed).items():
            Path(made, f"{kind} {seed}.txt").write_text(text, encoding="utf-8")
    return made


@law
@given(
    kind=st.sampled_from(KINDS),
    seed=st.integers(0, 1),
    budget=st.one_of(st.integers(256, 1000), st.integers(256, 12_000)),
    offset=st.sampled_from([1, 1, 7, 120, -100]),
    counter=st.sampled_from(list(PROMISES)),
)
def test_a_reply_keeps_its_budget_and_uses_it(folder, kind, seed, budget, offset, counter):
    most, least = PROMISES[counter]
    with readwell.Reader(folder, count_tokens=counter, cache_dir=None) as reader:
        asked = {"path": f"{kind} {seed}.txt", "max_tokens": budget}
        reply = reader.reply({**asked, "offset": offset})
        if reply.is_error:  # so many lines are not there
            reply = reader.reply(asked)
    cost = O200K(reply.text)
    assert cost <= budget * most
    assert cost >= budget * least or reply.data["reason"] != "tokens"
    assert counter is estimate_tokens or reply.data["tokens"] >= cost


ODD = [
    "\u202ea\u200bb\x1b\x01 line",
    "é" * 60,
    "\U000e0061\u202e\x01\U0001f600" * 90,
    "plain words of a line",
    "",
]
"""Lines that take notices, marks of cut lines, or many tokens."""
TROUBLED = {"limit": 99_999, "column": -5, "bogus": 1}
"""Params that each have a notice."""


@law
@given(
    lines=st.lists(
        st.tuples(st.sampled_from(ODD), st.integers(1, 30), st.sampled_from(["\r", "\n", "\r\n"])), min_size=1
    ),
    asked=st.dictionaries(st.sampled_from(list(TROUBLED)), st.none()).map(
        lambda names: {n: TROUBLED[n] for n in names}
    ),
    budget=st.one_of(st.integers(256, 600), st.integers(256, 3000)),
    offset=st.sampled_from([1, 1, 8, -9]),
    max_bytes=st.sampled_from([50_000, 50_000, 300, 1000]),
    line_length=st.sampled_from([2000, 20]),
    counter=st.sampled_from([count_tokens, len]),
)
@example([(ODD[0], 34, "\r"), ("end", 1, "")], TROUBLED, 512, 1, 50_000, 2000, count_tokens)  # ended by the file
@example([(ODD[0], 36, "\r"), ("end", 1, "")], {}, 512, 1, 50_000, 2000, count_tokens)
@example([(ODD[2], 1, "\n")], {}, 256, 1, 300, 2000, count_tokens)  # ended by bytes
@example([(ODD[1], 40, "\r")], {}, 300, 8, 50_000, 20, len)  # whole lines leave much of the budget
def test_notices_are_part_of_the_budget_whatever_ends_a_window(
    tmp_path_factory, lines, asked, budget, offset, max_bytes, line_length, counter
):
    folder = tmp_path_factory.mktemp("odd")
    text = "".join((line + end) * times for line, times, end in lines)
    Path(folder, "odd.txt").write_bytes(text.encode())
    with readwell.Reader(
        folder, count_tokens=counter, cache_dir=None, max_bytes=max_bytes, line_length=line_length
    ) as reader:
        params = {"path": "odd.txt", "max_tokens": budget, **asked}
        reply = reader.reply({**params, "offset": offset})
        if reply.is_error:  # so many lines are not there
            reply = reader.reply(params)
    cost = (len if counter is len else O200K)(reply.text)
    assert cost <= budget * 1.02
    assert reply.data["tokens"] >= cost


@law
@given(
    names=st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 1)), min_size=2, max_size=8, unique=True),
    budget=st.one_of(st.integers(512, 3000), st.integers(512, 12_000)),
    counter=st.sampled_from(list(PROMISES)),
)
@example(names=[("records", 0), ("arabic", 0)], budget=512, counter=count_tokens)  # just no room for both
def test_a_reply_of_several_files_keeps_its_budget_and_uses_it(folder, names, budget, counter):
    most, least = PROMISES[counter]
    with readwell.Reader(folder, count_tokens=counter, cache_dir=None) as reader:
        paths = [f"{kind} {seed}.txt" for kind, seed in names]
        reply = reader.reply({"paths": paths, "max_tokens": budget})
    cost = O200K(reply.text)
    assert cost <= budget * most
    cut = [file for file in reply.data["files"] if file["next"]]
    by_tokens = cut and all(file["reason"] == "tokens" for file in cut)
    names = 48 if reply.data["not_read"] else 0  # set aside for the names of files that had no room
    assert cost >= (budget - names) * least or not (by_tokens or reply.data["not_read"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_estimate_is_near_the_exact_count_for_every_kind_of_text(kind):
    for seed in range(3):
        text = texts_of_many_kinds(seed)[kind]
        # A language is here one sentence over and over, so that an error in it does not even out.
        assert 0.8 <= O200K(text) / estimate_tokens(text) <= 1.2


def test_the_estimate_of_many_kinds_is_right_in_the_middle_and_seldom_low():
    ratios = sorted(
        O200K(text) / estimate_tokens(text) for seed in range(10, 12) for text in texts_of_many_kinds(seed).values()
    )
    assert 0.93 <= ratios[len(ratios) // 2] <= 1.03
    assert ratios[len(ratios) * 9 // 10] <= 1.08


@pytest.mark.parametrize(
    "text", ["漢" * 999, "=" * 9999, "&" * 999, " " * 9999, "\n" * 999, "é" * 999, "│" * 999, "x1" * 999]
)
def test_a_run_of_one_character_is_not_estimated_far_too_low(text):
    assert estimate_tokens(text) >= 0.5 * O200K(text)


def test_a_reply_with_fewer_bytes_than_its_budget_has_tokens_is_not_counted(tmp_path, monkeypatch):
    def refuse(text):
        raise AssertionError("counted")

    (tmp_path / "small.txt").write_text("é\n" * 100)
    monkeypatch.setattr("readwell.tokens._best_counter", lambda: refuse)
    with readwell.Reader(tmp_path) as reader:
        reply = reader.reply({"path": "small.txt"})
        assert reply.data["tokens"] == len(reply.text.encode())
        with pytest.raises(AssertionError, match="counted"):
            reader.reply({"path": "small.txt", "max_tokens": 256})


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"minified", "one line of base64", "table"}))
def test_a_window_cut_by_tokens_is_counted_about_twice(folder, monkeypatch, kind):
    counted = []
    monkeypatch.setattr("readwell.tokens._best_counter", lambda: lambda text: counted.append(len(text)) or O200K(text))
    with readwell.Reader(folder, cache_dir=None) as reader:
        reply = reader.reply({"path": f"{kind} 0.txt", "max_tokens": 4000})
    assert reply.data["reason"] == "tokens"
    assert sum(counted) <= 3.5 * len(reply.text)


def test_the_counter_never_comes_from_a_folder_that_is_read(tmp_path):
    (tmp_path / "splintr.py").write_text("print('RUN')\nclass Tokenizer: pass\n")
    (tmp_path / "big.txt").write_text("some words of it\n" * 2000)
    (tmp_path / "agent.py").write_text(
        "import readwell\nprint(readwell.Reader('.', max_tokens=300).reply({'path': 'big.txt'}).data['tokens'])\n"
    )
    heard = subprocess.run([sys.executable, "agent.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert 250 <= int(heard.stdout) <= 300


def test_a_chosen_counter_is_always_asked(tmp_path):
    (tmp_path / "small.txt").write_text("one two\n")
    with readwell.Reader(tmp_path, count_tokens=lambda text: len(text.split())) as reader:
        reply = reader.reply({"path": "small.txt"})
    assert reply.data["tokens"] == len(reply.text.split())


PROVERBS = {
    "odia": "ଯେଉଁଠି ଇଚ୍ଛା ଅଛି ସେଠାରେ ଉପାୟ ଅଛି, ଏବଂ ଧୈର୍ଯ୍ୟ ସବୁଠାରୁ ବଡ଼ ଶକ୍ତି",
    "sinhala": "උත්සාහය ඇති තැන මාර්ගයක් ඇත, ඉවසීම ලොකුම ශක්තියයි",
    "uyghur": "ئىرادە بار يەردە يول بار، سەۋر ئەڭ چوڭ كۈچتۇر",
    "albanian": "Ku ka vullnet ka edhe rrugë, dhe durimi është forca më e madhe e njeriut",
    "lithuanian": "Kur yra noras, ten yra ir kelias, o kantrybė yra didžiausia žmogaus stiprybė",
    "khmer": "កន្លែងដែលមានឆន្ទៈ មានផ្លូវ ហើយការអត់ធ្មត់គឺជាកម្លាំងធំបំផុត",
    "lao": "ບ່ອນໃດມີຄວາມຕັ້ງໃຈ ບ່ອນນັ້ນມີທາງ ແລະ ຄວາມອົດທົນແມ່ນກຳລັງທີ່ໃຫຍ່ທີ່ສຸດ",
    "burmese": "ဆန္ဒရှိလျှင် နည်းလမ်းရှိသည်၊ သည်းခံခြင်းသည် အကြီးမားဆုံး ခွန်အားဖြစ်သည်",
    "georgian": "სადაც არის სურვილი, იქ არის გზა, და მოთმინება უდიდესი ძალაა",
    "amharic": "ፈቃድ ባለበት መንገድ አለ፣ ትዕግስትም ከሁሉ የሚበልጥ ኃይል ነው",
    "tibetan": "བསམ་པ་ཡོད་ན་ལམ་ཡོད། བཟོད་པ་ནི་ནུས་པ་ཆེ་ཤོས་ཡིན།",
    "runes": "ᚠᛇᚻ᛫ᛒᛦᚦ᛫ᚠᚱᚩᚠᚢᚱ᛫ᚠᛁᚱᚪ᛫ᚷᛖᚻᚹᛦᛚᚳᚢᛗ",
}
"""Scripts and languages that prices by character miss, and one that the prices were not fitted to at all."""


@pytest.mark.parametrize("language", PROVERBS)
def test_the_estimate_knows_every_script(language):
    assert 0.75 <= O200K(PROVERBS[language]) / estimate_tokens(PROVERBS[language]) <= 1.25
