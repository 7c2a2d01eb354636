"""The profile of a document: typographic facts that every page needs, learnt from a sample of the pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TypeVar, cast

from ....named_tuple import NamedTuple
from ..heading_search.heading_levels import DEEPEST_LEVEL, Levels, find_levels
from ..page_content.text_lines import Line, letters
from ..page_text.hyphens import compounds_in
from .bookmark_titles import Title
from .running_lines import Key, PageLines, RunningLines, find_running_lines

MAX_SAMPLED = 24
RARE_SHARE = 0.06
TYPEWRITTEN = 0.8
"""The share of monospaced characters above which they are the text: in a manual half of all may be listings."""
LONGEST_LABELLED = 90
Counted = TypeVar("Counted", float, str)
LABEL = re.compile(r"\w+\W*(\d|$)|\w+[:.(]")
"""What a label looks like: "Definition 12", "Proof.", or a word by itself."""


class Profile(NamedTuple):
    """Fonts, headings and running lines of a document, so that one page alone converts as it does among the others."""

    body: float
    """The font size that most characters have."""
    bold_body: bool
    mono_body: bool
    main_font: str
    rare_fonts: frozenset[str]
    labels: frozenset[str]
    """First words of bold lines that recur often, such as `definition`: no headings."""
    levels: dict[float, int]
    """The heading level of each font size that headings use."""
    titled: bool
    """Whether the document has a title, so that its sections are one level lower."""
    running: RunningLines
    titles: dict[int, list[Title]]
    """The outline: titles by page."""
    compounds: frozenset[str] = frozenset()
    """Words with a hyphen inside, such as `long-term`: at the end of a line they keep it."""

    @property
    def level_in_body_size(self) -> int:
        """The level of headings in the size of the body text."""
        return min(DEEPEST_LEVEL, max(self.levels.values(), default=0) + 1)


def choose_sampled_pages(count: int) -> list[int]:
    """Returns the numbers of the pages to learn from: all, or evenly spaced pairs of facing pages."""
    if count <= MAX_SAMPLED:
        return list(range(1, count + 1))
    lefts = [1 + number * (count - 2) // (MAX_SAMPLED // 2 - 1) for number in range(MAX_SAMPLED // 2)]
    return sorted({number for left in lefts for number in (left, left + 1)})


def learn_profile(pages: list[PageLines], titles: dict[int, list[Title]]) -> Profile:
    """Learns a profile from sampled pages."""
    lines = [line for page in pages for line in page.lines]
    sizes, fonts = _count_by_size_and_font(lines)
    total = sum(sizes.values())
    body = _most_common(sizes, 10.0)
    levels = find_levels(pages, sizes, body)
    return Profile(
        body=body,
        bold_body=sum(line.length for line in lines if line.bold) > total / 2,
        mono_body=sum(line.length for line in lines if line.mono) > TYPEWRITTEN * total,
        main_font=_most_common(fonts, ""),
        rare_fonts=frozenset(font for font, count in fonts.items() if count < RARE_SHARE * total),
        labels=_paragraph_labels(lines, len(pages)),
        levels=levels.by_size,
        titled=levels.title != "",
        running=find_running_lines(pages),
        titles=_move_below_title(titles, levels),
        compounds=compounds_in(line.text for line in lines),
    )


def _move_below_title(titles: dict[int, list[Title]], levels: Levels) -> dict[int, list[Title]]:
    """Moves the entries of the outline one level below the title of the document, unless one of them is the title."""
    if not levels.title or any(title.letters == levels.title for on_page in titles.values() for title in on_page):
        return titles
    return {
        page: [title._replace(level=min(DEEPEST_LEVEL, title.level + 1)) for title in on_page]
        for page, on_page in titles.items()
    }


def _count_by_size_and_font(lines: list[Line]) -> tuple[Counter[float], Counter[str]]:
    """Counts characters by size and by font."""
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        sizes[line.size] += line.length
        fonts[line.font] += line.length
    return sizes, fonts


def _most_common(counts: Counter[Counted], otherwise: Counted) -> Counted:
    """Returns the most frequent value; of several the largest."""
    return max(counts, key=lambda key: (counts[key], key), default=otherwise)


def _paragraph_labels(lines: list[Line], pages: int) -> frozenset[str]:
    """Returns the bold words that label paragraphs throughout a document."""
    bold = [line for line in lines if line.bold and len(line.text) < LONGEST_LABELLED]
    firsts = Counter(letters(line.words[0].text) for line in bold)
    labelling = Counter(letters(line.words[0].text) for line in bold if LABEL.match(line.text))
    least = max(5, 0.15 * pages)
    return frozenset(word for word, count in firsts.items() if count >= least and 2 * labelling[word] >= count)


def dump_profile(profile: Profile) -> bytes:
    """Returns a profile as JSON; equal profiles give equal bytes."""
    plain = profile._asdict() | {
        "rare_fonts": sorted(profile.rare_fonts),
        "labels": sorted(profile.labels),
        "compounds": sorted(profile.compounds),
        "levels": sorted(profile.levels.items()),
        "running": sorted(profile.running.items()),
        "titles": sorted(profile.titles.items()),
    }
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode()


def load_profile(content: bytes) -> Profile | None:
    """Returns a profile from its JSON; None for anything that `dump_profile` did not write."""
    try:
        profile = _from_json(json.loads(content))
        return profile if dump_profile(profile) == content else None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return None


def _from_json(plain: dict[str, object]) -> Profile:
    """Rebuilds a profile from parsed JSON; raises where a value has the wrong type."""
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
        compounds=frozenset(map(str, cast("list[str]", plain["compounds"]))),
        titles={int(page): [Title(str(text), int(level)) for text, level in on_page] for page, on_page in titles},
    )
