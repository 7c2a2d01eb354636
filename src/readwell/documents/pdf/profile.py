"""What a whole document says about each of its pages, learnt from a sample of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from statistics import median
from typing import NamedTuple, TypeVar, cast

from .lines import Line, letters
from .outline import Title
from .running import PageLines, Running, find_running
from .titles import may_be_title

MOST_SAMPLED = 24
HEADING_RATIO = 1.12
"""A heading's size is larger than the body's by this."""
COMMON_SHARE, RARE_SHARE = 0.2, 0.06
SAME_LEVEL = 0.94
DEEPEST_LEVEL = 6
LONGEST_LABELLED, LONGEST_NUMBERED = 90, 100
Key = TypeVar("Key", float, str)
LABEL = re.compile(r"\w+\W*(\d|$)|\w+[:.(]")
"""How a label stands: "Definition 12", "Proof.", or alone."""
SECTION = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+[^\W\d_]{2}")


class Profile(NamedTuple):
    """How a document is set, so that a page by itself reads as it does among the others."""

    body: float
    """The size that most characters have."""
    bold_body: bool
    mono_body: bool
    main_font: str
    rare_fonts: frozenset[str]
    labels: frozenset[str]
    """First words of bold lines that come again and again, such as `definition`: no headings."""
    levels: dict[float, int]
    """The heading level of each size that is one."""
    running: Running
    titles: dict[int, list[Title]]
    """The outline: titles by page."""

    @property
    def below(self) -> int:
        """The level of headings that do not stand out by size."""
        return min(DEEPEST_LEVEL, max(self.levels.values(), default=0) + 1)


def sampled_numbers(count: int) -> list[int]:
    """Returns the pages to learn from: all, or some at equal distances, the first and the last among them."""
    if count <= MOST_SAMPLED:
        return list(range(1, count + 1))
    return sorted({1 + number * (count - 1) // (MOST_SAMPLED - 1) for number in range(MOST_SAMPLED)})


def learn(pages: list[PageLines], titles: dict[int, list[Title]]) -> Profile:
    """Learns a profile from sampled pages."""
    lines = [line for page in pages for line in page.lines]
    sizes, fonts = _weigh(lines)
    total = sum(sizes.values())
    body = _heaviest(sizes, 10.0)
    return Profile(
        body=body,
        bold_body=sum(line.length for line in lines if line.bold) > total / 2,
        mono_body=sum(line.length for line in lines if line.mono) > total / 2,
        main_font=_heaviest(fonts, ""),
        rare_fonts=frozenset(font for font, count in fonts.items() if count < RARE_SHARE * total),
        labels=_labels(lines, len(pages)),
        levels=_levels(lines, sizes, body),
        running=find_running(pages),
        titles=titles,
    )


def _weigh(lines: list[Line]) -> tuple[Counter[float], Counter[str]]:
    """Counts characters by size and by font."""
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        sizes[line.size] += line.length
        fonts[line.font] += line.length
    return sizes, fonts


def _heaviest(counts: Counter[Key], otherwise: Key) -> Key:
    return max(counts, key=lambda key: (counts[key], key), default=otherwise)


def _labels(lines: list[Line], pages: int) -> frozenset[str]:
    bold = [line for line in lines if line.bold and len(line.text) < LONGEST_LABELLED]
    firsts = Counter(letters(line.words[0].text) for line in bold)
    labelling = Counter(letters(line.words[0].text) for line in bold if LABEL.match(line.text))
    least = max(5, 0.15 * pages)
    return frozenset(word for word, count in firsts.items() if count >= least and 2 * labelling[word] >= count)


def _levels(lines: list[Line], sizes: Counter[float], body: float) -> dict[float, int]:
    """Ranks the sizes that headings have, largest first; section numbers know better than the rank."""
    titled = Counter(line.size for line in lines if line.size > HEADING_RATIO * body and may_be_title(line.text))
    most = COMMON_SHARE * sum(sizes.values())
    large = [size for size in sizes if size > HEADING_RATIO * body and sizes[size] < most and titled[size]]
    large.sort(reverse=True)
    levels = _ranks([size for size in large if titled[size] >= 2] or large)
    for size in large:
        smaller = [level for other, level in levels.items() if other <= size]
        levels.setdefault(size, min(smaller, default=max(levels.values())))
    for size, depth in _numbered_depths(lines).items():
        if size in levels:
            levels[size] = depth
    return levels


def _ranks(sizes: list[float]) -> dict[float, int]:
    """Numbers falling sizes from 1; sizes that the eye cannot tell apart share a level."""
    levels: dict[float, int] = {}
    level, first = 0, 0.0
    for size in sizes:
        if not level or size < SAME_LEVEL * first:
            level, first = level + 1, size
        levels[size] = min(DEEPEST_LEVEL, level)
    return levels


def _numbered_depths(lines: list[Line]) -> dict[float, int]:
    """Returns the usual depth of section numbers ("2.1" is 2) of the sizes that have two numbered lines or more."""
    depths: dict[float, list[int]] = {}
    for line in lines:
        number = SECTION.match(line.text)
        if number and len(line.text) < LONGEST_NUMBERED:
            depths.setdefault(line.size, []).append(number.group(1).count(".") + 1)
    return {size: min(DEEPEST_LEVEL, int(median(found))) for size, found in depths.items() if len(found) >= 2}


def dump_profile(profile: Profile) -> bytes:
    """Returns a profile as JSON, always the same for the same profile."""
    plain = profile._asdict() | {
        "rare_fonts": sorted(profile.rare_fonts),
        "labels": sorted(profile.labels),
        "levels": sorted(profile.levels.items()),
        "running": [sorted(profile.running.texts.items()), sorted(profile.running.numbers)],
        "titles": sorted(profile.titles.items()),
    }
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode()


def load_profile(content: bytes) -> Profile | None:
    """Returns a profile from its JSON; None for anything that `dump_profile` did not write."""
    try:
        profile = _from_plain(json.loads(content))
        return profile if dump_profile(profile) == content else None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return None


def _from_plain(plain: dict[str, object]) -> Profile:
    """Rebuilds a profile with its types; what does not fit them raises."""
    pairs = cast("dict[str, list[tuple[int, int]]]", plain)
    texts, numbers = cast("tuple[list[tuple[tuple[str, int], int]], list[int]]", plain["running"])
    titles = cast("list[tuple[int, list[tuple[str, int]]]]", plain["titles"])
    return Profile(
        body=float(str(plain["body"])),
        bold_body=plain["bold_body"] is True,
        mono_body=plain["mono_body"] is True,
        main_font=str(plain["main_font"]),
        rare_fonts=frozenset(map(str, cast("list[str]", plain["rare_fonts"]))),
        labels=frozenset(map(str, cast("list[str]", plain["labels"]))),
        levels={float(size): int(level) for size, level in pairs["levels"]},
        running=Running(
            {(str(text), int(step)): int(page) for (text, step), page in texts},
            frozenset(int(step) for step in numbers),
        ),
        titles={int(page): [Title(str(text), int(level)) for text, level in found] for page, found in titles},
    )
