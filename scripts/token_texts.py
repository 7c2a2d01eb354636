"""Texts of many kinds from unpacked packages, to fit the estimate of tokens to and to measure it by.

Prose in every language that the packages are translated to, source code and data by suffix, and texts made at random
of what seldom stands in packages: ids, numbers, base64, emoji.
"""

import base64
import json
import string
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from os import walk
from pathlib import Path
from random import Random
from typing import NamedTuple

from translated_text import documents_of_all

LARGE_SCRIPTS = ("ja", "ko", "zh_CN", "zh_TW")
"""Languages with so many characters that they need more text."""
SUFFIXES = (
    *"py go js c h rs rb php pl pm ts json svg css html xml txt vim md s cmake sh r csv tex java lua yml".split(),
    *("min.js", "min.css", ""),
)
LONGEST_FILE = 8000
MADE = 60_000
MADE_IN_A_SCRIPT = 20_000
SCRIPTS = {
    "Greek": (0x370, 0x400), "Cyrillic": (0x400, 0x460), "Armenian": (0x530, 0x590), "Hebrew": (0x5D0, 0x5EB),
    "Arabic": (0x620, 0x6D4), "Syriac": (0x710, 0x74B), "Thaana": (0x780, 0x7B2), "Devanagari": (0x900, 0x980),
    "Bengali": (0x980, 0xA00), "Gurmukhi": (0xA00, 0xA80), "Gujarati": (0xA80, 0xB00), "Oriya": (0xB00, 0xB80),
    "Tamil": (0xB80, 0xC00), "Telugu": (0xC00, 0xC80), "Kannada": (0xC80, 0xD00), "Malayalam": (0xD00, 0xD80),
    "Sinhala": (0xD80, 0xE00), "Thai": (0xE00, 0xE50), "Lao": (0xE80, 0xEE0), "Tibetan": (0xF20, 0xFBD),
    "Myanmar": (0x1000, 0x10A0), "Georgian": (0x10D0, 0x1100), "Ethiopic": (0x1200, 0x1360),
    "Cherokee": (0x13A0, 0x1400), "Khmer": (0x1780, 0x17D4), "Mongolian": (0x1820, 0x1879),
    "Ol Chiki": (0x1C50, 0x1C7E), "Yi": (0xA000, 0xA48D),
}  # fmt: skip
"""Where the letters of scripts stand."""


class Kind(NamedTuple):
    """A text of one kind."""

    name: str
    text: str


def kinds(folder: Path, seed: int, most: int) -> Iterator[Kind]:
    """Yields texts of each kind, of so many characters in each language, four times as many of large scripts."""
    pick = Random(seed)
    yield from _languages(folder, pick, most)
    yield from _files(folder, pick, 3 * most)
    for name, line in _made(pick).items():
        yield Kind(f"made {name}", "\n".join(line() for _ in range(MADE // max(20, len(line())))))
    for name, (first, end) in SCRIPTS.items():
        letters = [chr(code) for code in range(first, end) if unicodedata.category(chr(code))[0] in "LM"]
        yield Kind(f"made {name}", _words(letters, pick))
    for name, most in (("mark", 1), ("marks", 3)):
        yield Kind(f"made {name} on letters", _marked(most, pick))


def _words(letters: list[str], pick: Random) -> str:
    """Returns lines of words that no language has, of letters of one script."""
    lines: list[str] = []
    while sum(map(len, lines)) < MADE_IN_A_SCRIPT:
        words = ["".join(pick.choices(letters, k=pick.randint(2, 10))) for _ in range(8)]
        lines.append(" ".join(words))
    return "\n".join(lines)


def _marked(most: int, pick: Random) -> str:
    """Returns words whose letters have combining marks."""
    marks = [chr(code) for code in range(0x300, 0x370)]

    def letter() -> str:
        return pick.choice(string.ascii_lowercase) + "".join(pick.choices(marks, k=pick.randint(most // 2, most)))

    words = ("".join(letter() for _ in range(pick.randint(2, 8))) for _ in range(MADE_IN_A_SCRIPT // 12))
    return "\n".join(" ".join(line) for line in zip(*[words] * 8, strict=False))


def _languages(folder: Path, pick: Random, most: int) -> Iterator[Kind]:
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for document in documents_of_all(folder):
        found[f"{document.origin} {document.language}"][document.name].append(document.text)
    for name, by_file in sorted(found.items()):
        wanted = most * (4 if name.endswith(LARGE_SCRIPTS) else 1)
        share = max(3000, wanted // len(by_file))
        parts = [_part("\n".join(texts), share, pick) for texts in by_file.values()]
        pick.shuffle(parts)
        yield Kind(name, "\n".join(parts)[:wanted])


def _part(text: str, length: int, pick: Random) -> str:
    start = pick.randrange(max(1, len(text) - length))
    return text[start : start + length]


def _files(folder: Path, pick: Random, most: int) -> Iterator[Kind]:
    found: dict[str, list[Path]] = defaultdict(list)
    for package in sorted(folder.iterdir()):
        for place, _, names in walk(package):
            for name in sorted(names):
                found[_suffix(name)].append(Path(place, name))
    for suffix in SUFFIXES:
        paths = [path for path in found[suffix] if path.is_file() and path.stat().st_size > 2000]
        pick.shuffle(paths)
        parts: list[str] = []
        for path in paths[: most // 1000]:
            if sum(map(len, parts)) < most and (text := _text(path)):
                parts.append(_part(text, LONGEST_FILE, pick))
        yield Kind(f"file {suffix}", "\n".join(parts))


def _suffix(name: str) -> str:
    for minified in ("min.js", "min.css"):
        if name.endswith(minified):
            return minified
    return name.rpartition(".")[2].lower() if "." in name else ""


def _text(path: Path) -> str:
    with path.open("rb") as file:
        raw = file.read(600_000)
    try:
        return "" if b"\0" in raw else raw.decode()
    except UnicodeDecodeError:
        return ""


def _made(pick: Random) -> dict[str, Callable[[], str]]:
    letters, capitals = string.ascii_lowercase, string.ascii_uppercase
    faces = [*map(chr, range(0x1F600, 0x1F645)), *"👍🔥🎉✨🚀✅⚠❤👏🙏💪🎯📌💡"]
    pictures = [*map(chr, [*range(0x1F300, 0x1F650), *range(0x1F680, 0x1F6D0), *range(0x1F900, 0x1FA00)])]
    signs = [*map(chr, [*range(0xA1, 0xC0), *range(0x2010, 0x2060), *range(0x20A0, 0x20C0), *range(0x2100, 0x2800)])]

    def some(of: str, least: int, most: int) -> str:
        return "".join(pick.choices(of, k=pick.randint(least, most)))

    def words(count: int, of: str = letters) -> str:
        return " ".join(some(of, 2, 12) for _ in range(count))

    def time() -> str:
        date = f"20{pick.randrange(10, 40)}-{pick.randrange(1, 13):02d}-07"
        return f"{date}T{pick.randrange(24):02d}:{pick.randrange(60):02d}:07.{pick.randrange(1000):03d}Z"

    def uid() -> str:
        return str(uuid.UUID(int=pick.getrandbits(128)))

    def emoji() -> str:
        joined = "\u200d".join(pick.choices("👩👨🧑👧💻🚀🌈🔬", k=pick.randint(2, 3)))
        flag = "".join(chr(0x1F1E6 + pick.randrange(26)) for _ in range(2))
        toned = pick.choice(faces) + pick.choice(["", "\ufe0f", "\U0001f3fd", "\U0001f3fb"])
        return pick.choice([toned, toned, pick.choice(faces), pick.choice(pictures), joined, flag])

    return {
        "log with ids": lambda: f"{time()} INFO request={uid()} trace={pick.getrandbits(64):016x}",
        "base64": lambda: base64.b64encode(pick.randbytes(57)).decode(),
        "url": lambda: f"https://example.com/{words(1)}?sig={base64.urlsafe_b64encode(pick.randbytes(40)).decode()}",
        "line of base64": lambda: base64.b64encode(pick.randbytes(3000)).decode(),
        "hex": lambda: f"{pick.getrandbits(256):064x}",
        "capital hex": lambda: f"{pick.getrandbits(128):032X}",
        "dump": lambda: pick.randbytes(16).hex(" "),
        "numbers": lambda: "\t".join(f"{pick.uniform(-1000, 1000):.{pick.choice([2, 4, 6])}f}" for _ in range(8)),
        "exponents": lambda: " ".join(f"{pick.gauss(0, 1):.8e}" for _ in range(6)),
        "letters": lambda: some(letters, 60, 60),
        "words": lambda: words(12),
        "ids": lambda: " ".join(some(letters + capitals + string.digits, 8, 24) for _ in range(5)),
        "capital ids": lambda: " ".join(some(capitals + string.digits, 8, 24) for _ in range(5)),
        "signs of ASCII": lambda: some(string.printable[:94], 80, 80),
        "records": lambda: json.dumps({"ts": time(), "id": uid(), words(1): words(1), "n": pick.random()}),
        "tables": lambda: f"│ {words(1):<14} │ {pick.randrange(9999):>6} │ {pick.choice('#=-*') * pick.randint(3, 60)}",
        "boxes": lambda: pick.choice("├└┌+") + pick.choice("─-=") * pick.randint(5, 60) + pick.choice("┤┘┐+"),
        "emoji": lambda: "".join(emoji() for _ in range(12)),
        "emoji between words": lambda: " ".join(pick.choice([words(1), words(1), emoji()]) for _ in range(12)),
        "signs": lambda: " ".join(pick.choices(signs, k=20)),
    }
