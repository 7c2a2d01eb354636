"""What a whole document says about each of its pages, learnt from a sample of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import NamedTuple, TypeVar, cast

from .levels import DEEPEST_LEVEL, Levels, find_levels
from .lines import Line, letters
from .outline import Title
from .running import Key, PageLines, Running, find_running

MOST_SAMPLED = 24
RARE_SHARE = 0.06
LONGEST_LABELLED = 90
Weighed = TypeVar("Weighed", float, str)
LABEL = re.compile(r"\w+\W*(\d|$)|\w+[:.(]")
"""How a label stands: "Definition 12", "Proof.", or alone."""


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
    titled: bool
    """Whether a title stands above all sections, so that these are a level lower."""
    running: Running
    titles: dict[int, list[Title]]
    """The outline: titles by page."""

    @property
    def below(self) -> int:
        """The level of headings that do not stand out by size."""
        return min(DEEPEST_LEVEL, max(self.levels.values(), default=0) + 1)


def sampled_numbers(count: int) -> list[int]:
    """Returns the pages to learn from: all, or pairs of facing pages at equal distances, from the first to the last."""
    if count <= MOST_SAMPLED:
        return list(range(1, count + 1))
    lefts = [1 + number * (count - 2) // (MOST_SAMPLED // 2 - 1) for number in range(MOST_SAMPLED // 2)]
    return sorted({number for left in lefts for number in (left, left + 1)})


def learn(pages: list[PageLines], titles: dict[int, list[Title]]) -> Profile:
    """Learns a profile from sampled pages."""
    lines = [line for page in pages for line in page.lines]
    sizes, fonts = _weigh(lines)
    total = sum(sizes.values())
    body = _heaviest(sizes, 10.0)
    levels = find_levels(pages, sizes, body)
    return Profile(
        body=body,
        bold_body=sum(line.length for line in lines if line.bold) > total / 2,
        mono_body=sum(line.length for line in lines if line.mono) > total / 2,
        main_font=_heaviest(fonts, ""),
        rare_fonts=frozenset(font for font, count in fonts.items() if count < RARE_SHARE * total),
        labels=_labels(lines, len(pages)),
        levels=levels.of_sizes,
        titled=levels.title != "",
        running=find_running(pages),
        titles=_below_title(titles, levels),
    )


def _below_title(titles: dict[int, list[Title]], levels: Levels) -> dict[int, list[Title]]:
    """Puts the outline's entries below the title of the document, unless that is one of them."""
    if not levels.title or any(title.letters == levels.title for found in titles.values() for title in found):
        return titles
    return {
        page: [title._replace(level=min(DEEPEST_LEVEL, title.level + 1)) for title in found]
        for page, found in titles.items()
    }


def _weigh(lines: list[Line]) -> tuple[Counter[float], Counter[str]]:
    """Counts characters by size and by font."""
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        sizes[line.size] += line.length
        fonts[line.font] += line.length
    return sizes, fonts


def _heaviest(counts: Counter[Weighed], otherwise: Weighed) -> Weighed:
    return max(counts, key=lambda key: (counts[key], key), default=otherwise)


def _labels(lines: list[Line], pages: int) -> frozenset[str]:
    bold = [line for line in lines if line.bold and len(line.text) < LONGEST_LABELLED]
    firsts = Counter(letters(line.words[0].text) for line in bold)
    labelling = Counter(letters(line.words[0].text) for line in bold if LABEL.match(line.text))
    least = max(5, 0.15 * pages)
    return frozenset(word for word, count in firsts.items() if count >= least and 2 * labelling[word] >= count)


def dump_profile(profile: Profile) -> bytes:
    """Returns a profile as JSON, always the same for the same profile."""
    plain = profile._asdict() | {
        "rare_fonts": sorted(profile.rare_fonts),
        "labels": sorted(profile.labels),
        "levels": sorted(profile.levels.items()),
        "running": sorted(profile.running.items()),
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
    running = cast("list[tuple[tuple[str, int, str], int]]", plain["running"])
    titles = cast("list[tuple[int, list[tuple[str, int]]]]", plain["titles"])
    return Profile(
        body=float(str(plain["body"])),
        bold_body=plain["bold_body"] is True,
        mono_body=plain["mono_body"] is True,
        main_font=str(plain["main_font"]),
        rare_fonts=frozenset(map(str, cast("list[str]", plain["rare_fonts"]))),
        labels=frozenset(map(str, cast("list[str]", plain["labels"]))),
        levels={float(size): int(level) for size, level in pairs["levels"]},
        titled=plain["titled"] is True,
        running={Key(str(text), int(step), str(numbering)): int(page) for (text, step, numbering), page in running},
        titles={int(page): [Title(str(text), int(level)) for text, level in found] for page, found in titles},
    )
