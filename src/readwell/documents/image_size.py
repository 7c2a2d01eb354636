"""How large an image is shown: which part of it, its longest side, and what it may cost."""

from __future__ import annotations

from ..encoded_image import PATCH
from ..model import WHOLE_PAGE, ImageRegion
from ..named_tuple import NamedTuple

LONGEST_SIDE = 1568
MAX_SIDE = 4096
"""The longest side that a setting may ask for."""
ENOUGH = 1 << 20


class Wanted(NamedTuple):
    """What is asked of a decoder: the part of the image, its longest side in pixels, and what it may cost in tokens."""

    region: ImageRegion = WHOLE_PAGE
    side: int = LONGEST_SIDE
    tokens: int = ENOUGH

    def encoded(self) -> bytes:
        """Returns the question as bytes."""
        import json

        return json.dumps([*self.region, self.side, self.tokens]).encode()


def decode_wanted(question: bytes) -> Wanted:
    """Returns a question from its bytes; the usual one for none."""
    if not question:
        return Wanted()
    import json

    *region, side, tokens = map(int, json.loads(question))
    return Wanted(ImageRegion(*region), side, tokens)


def fitted_size(width: float, height: float, wanted: Wanted) -> tuple[int, int]:
    """Returns the largest size of an image of this shape that is neither too long nor too dear."""
    side = float(wanted.side)
    while True:
        scale = side / max(width, height)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        cost = -(-size[0] // PATCH) * -(-size[1] // PATCH)
        if cost <= wanted.tokens or side <= PATCH:
            return size
        side = min(side - 1, side * (wanted.tokens / cost) ** 0.5)


def box_in(region: ImageRegion, width: float, height: float) -> tuple[float, float, float, float]:
    """Returns a region of an image as left, top, right and bottom in its own measure."""
    x0, y0, x1, y1 = region
    return x0 * width / 1000, y0 * height / 1000, x1 * width / 1000, y1 * height / 1000
