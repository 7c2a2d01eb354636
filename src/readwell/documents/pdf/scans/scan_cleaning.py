"""The image of a scan as an engine reads it best: shaded grounds white, leader dots removed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..page_bitmap import PageBitmap

GREYS = bytes(150 <= level < 235 for level in range(256))
"""Maps a level to 1 where it may be that of a shaded ground with dark letters."""
GROUND_RUN = re.compile(rb"\x01{40,}")
"""Pixels side by side that are more than a letter."""
MIN_SHARE = 0.01
"""The share of the page that shaded grounds cover where they matter."""
DARKEST = 0.1
"""The share of the pixels of grounds that may be darker than what is made white."""
MARGIN = 10

DARK = bytes(level < 160 for level in range(256))
MIN_DOTS = 8
LEADER = re.compile(rb"(?:\x01{1,6}\x00{2,14}){7,}\x01{1,6}")
"""A row of pixels through leader dots."""
DOT = re.compile(rb"\x01+")
UNEVEN = 2
"""Pixels by which the distances of dots may differ."""
DOT_HEIGHT = 7
"""Pixels above and below the middle of a dot that are empty."""


def cleaned(image: PageBitmap) -> PageBitmap:
    """Returns an image in grey, easier to read."""
    return without_leaders(with_white_ground(image))


def with_white_ground(image: PageBitmap) -> PageBitmap:
    """Makes shaded grounds white and the rest lighter in proportion: letters on a shade are not found otherwise."""
    runs = [match.span() for match in GROUND_RUN.finditer(image.content.translate(GREYS))]
    if sum(end - start for start, end in runs) < MIN_SHARE * len(image.content):
        return image
    levels = sorted(b"".join([image.content[start:end] for start, end in runs]))
    white = levels[int(DARKEST * len(levels))] - MARGIN
    lighter = bytes(min(255, level * 255 // white) for level in range(256))
    return image._replace(content=image.content.translate(lighter))


def without_leaders(image: PageBitmap) -> PageBitmap:
    """Removes rows of dots that lead to a page number: they are read as letters."""
    dark, stride = image.content.translate(DARK), image.stride
    rows = range(-DOT_HEIGHT * stride, (DOT_HEIGHT + 1) * stride, stride)
    clean: bytearray | None = None
    for match in LEADER.finditer(dark, -rows[0], max(0, len(dark) - rows[-1])):
        for start, end in _evenly_spaced_dots(match[0], match.start()):
            if 1 in dark[start + rows[0] : end + rows[0]] or 1 in dark[start + rows[-1] : end + rows[-1]]:
                continue
            clean = clean or bytearray(image.content)
            for row in rows:
                clean[start + row : end + row] = b"\xff" * (end - start)
    return image._replace(content=bytes(clean)) if clean else image


def _evenly_spaced_dots(row: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Yields where dots of a row are evenly spaced; the others are strokes of letters."""
    dots = [dot.span() for dot in DOT.finditer(row)]
    first = 0
    for number in range(1, len(dots) + 1):
        if number < len(dots):
            step, usual = dots[number][0] - dots[number - 1][0], dots[first + 1][0] - dots[first][0]
            if abs(step - usual) <= UNEVEN:
                continue
        if number - first >= MIN_DOTS:
            yield at + dots[first][0], at + dots[number - 1][1]
        first = number - 1
