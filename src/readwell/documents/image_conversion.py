"""Images made anew by Pillow: upright, in plain colours, scaled to what models take.

They cross from the child as text like any other unit: a line of facts and the bytes in base64.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from io import BytesIO
from math import ceil, floor
from typing import TYPE_CHECKING

from ..encoded_image import Picture
from ..errors import ConversionFailed
from ..model import WHOLE_PAGE
from .contract import Converter
from .image_size import MAX_SIDE, Wanted, box_in, decode_wanted, fitted_size
from .single_unit import SingleUnit

if TYPE_CHECKING:
    from PIL.Image import Image

VERSION = "2"
MAX_BYTES = 750_000
"""In base64 this is 1 MB."""
MAX_PIXELS = 50_000_000
"""Decoded they take 200 MB; larger images are mostly made to harm."""
FORMATS = {"PNG": "PNG", "JPEG": "JPEG", "MPO": "JPEG", "GIF": "GIF", "WEBP": "WebP"}
MEDIA = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
QUALITIES = (85, 70, 50)
PAGE_COLOURS, FASTEST = 64, 2
"""Colours of a page, and Pillow's number of the method that finds them fastest."""
ORIENTATION = 0x0112
SMALLER = 0.7


def open_picture(content: bytes, password: str | None, question: bytes) -> SingleUnit:  # noqa: ARG001
    """Decodes an image and makes it anew; `question` says which part of it, and how large."""
    wanted = decode_wanted(question)
    with _opened(content) as image:
        format_name = FORMATS[image.format or ""]
        width, height = image.size
        if width * height > MAX_PIXELS:
            reason = f"it has {width}x{height} pixels, more than {MAX_PIXELS // 10**6} million"
            raise ConversionFailed(format_name, reason)
        turn = _orientation(image)
        animated = bool(getattr(image, "is_animated", False)) and format_name != "JPEG"
        image.seek(0)
        small = _wanted_part(image, turn, wanted)
    if turn > 4:
        width, height = height, width
    return SingleUnit(encoded_picture(small, format_name, (width, height), animated=animated))


def encoded_picture(
    image: Image, format_name: str, size: tuple[int, int], animated: bool = False, unfinished: bool = False
) -> str:
    """Returns an image as a unit: a line of facts, and the image in base64."""
    media, image, made = _encode_within_limit(image, format_name)
    facts = json.dumps([media, format_name, *size, *image.size, animated, unfinished])
    return f"{facts}\n{b64encode(made).decode()}"


def _opened(content: bytes) -> Image:
    """Opens an image; raises ConversionFailed for a damaged one."""
    from PIL import Image, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None  # what is too large is said by us, before it is decoded
    Image.init()
    try:
        return Image.open(BytesIO(content), formats=[name for name in FORMATS if name in Image.OPEN])
    except UnidentifiedImageError as error:
        raise ConversionFailed("image", "it is damaged, or of a kind that is not decoded") from error


def read_picture(unit: str) -> Picture | None:
    """Returns what a child sent if it is an image within the limits; it may be in an attacker's hands."""
    facts, _, coded = unit.rstrip("\n").partition("\n")
    try:
        match json.loads(facts):
            case [str(media), str(format_name), int(w), int(h), int(sw), int(sh), bool(animated), bool(unfinished)]:
                picture = Picture(
                    content=b64decode(coded, validate=True),
                    media_type=media,
                    format=format_name,
                    size=(w, h),
                    shown=(sw, sh),
                    animated=animated,
                    unfinished=unfinished,
                )
            case _:
                return None
    except (ValueError, RecursionError):
        return None
    return picture if _is_acceptable(picture) else None


def _is_acceptable(picture: Picture) -> bool:
    """Says whether an image from a child is what was asked for."""
    start = MEDIA.get(picture.media_type)
    sizes = min(*picture.size, *picture.shown) > 0 and max(picture.shown) <= MAX_SIDE
    small = len(picture.content) <= MAX_BYTES and picture.size[0] * picture.size[1] <= MAX_PIXELS
    return start is not None and picture.content.startswith(start) and sizes and small and picture.format in NAMES


NAMES = frozenset([*FORMATS.values(), "PDF"])


def _orientation(image: Image) -> int:
    """Returns how the camera was held, by the notes of the image."""
    with suppress(Exception):  # what is wrong with its notes is no reason not to show it
        orientation = image.getexif().get(ORIENTATION, 1)
        return orientation if orientation in range(1, 9) else 1
    return 1


def _in_plain_colours(image: Image, side: int) -> Image:
    """Returns the image in grey, in RGB, or in RGBA where parts of it are transparent."""
    if image.format == "JPEG":
        image.draft(None, (2 * side, 2 * side))
    image.load()
    if image.mode.startswith("I"):
        return image.point(lambda value: value * (1 / 256)).convert("L")  # pyright: ignore[reportUnknownMemberType]
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")


def _wanted_part(image: Image, turn: int, wanted: Wanted) -> Image:
    """Returns the wanted part of an image, upright; never larger than its own pixels."""
    if wanted.region != WHOLE_PAGE:
        upright = _turned(_in_plain_colours(image, max(image.size)), turn)
        left, top, right, bottom = box_in(wanted.region, *upright.size)
        image, turn = upright.crop((floor(left), floor(top), ceil(right), ceil(bottom))), 1
    else:
        image = _in_plain_colours(image, wanted.side)
    side = min(wanted.side, max(image.size))
    return _turned(_scaled_to_side(image, max(fitted_size(*image.size, wanted._replace(side=side)))), turn)


def _scaled_to_side(image: Image, longest: int) -> Image:
    """Returns the image, scaled down where it is too large."""
    if max(image.size) > longest:
        image.thumbnail((longest, longest), reducing_gap=3.0)
    return image


def _turned(image: Image, orientation: int) -> Image:
    """Returns the image upright."""
    from PIL.Image import Transpose

    turns = (
        Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.FLIP_TOP_BOTTOM,
        Transpose.TRANSPOSE, Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90,
    )  # fmt: skip
    return image if orientation == 1 else image.transpose(turns[orientation - 2])


def _encode_within_limit(image: Image, format_name: str) -> tuple[str, Image, bytes]:
    """Returns an image in a form that is small enough: without loss where it was so before, then ever smaller.

    A page is drawn in few colours: letters stay as sharp, in a fifth of the bytes.
    """
    if format_name == "PDF":
        made = _saved(image.quantize(PAGE_COLOURS, method=FASTEST), "PNG", 0)
        if len(made) <= MAX_BYTES:
            return "image/png", image, made
    elif format_name != "JPEG":
        made = _saved(image, "PNG", 0)
        if len(made) <= MAX_BYTES:
            return "image/png", image, made
    image = _on_white(image)
    while True:
        for quality in QUALITIES:
            made = _saved(image, "JPEG", quality)
            if len(made) <= MAX_BYTES:
                return "image/jpeg", image, made
        image = _scaled_to_side(image.copy(), int(max(image.size) * SMALLER))


def _saved(image: Image, format_name: str, quality: int) -> bytes:
    """Returns the image as a file."""
    held = BytesIO()
    if format_name == "PNG":
        image.save(held, format_name)
    else:
        image.save(held, format_name, quality=quality)
    return held.getvalue()


def _on_white(image: Image) -> Image:
    """Returns the image without transparency."""
    if image.mode != "RGBA":
        return image
    from PIL import Image as Images

    white = Images.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _sample() -> bytes:
    """Makes an image, having made one of each format: what reads and writes them is loaded then."""
    from PIL import Image

    Image.init()
    made = b""
    for format_name in ("WEBP", "GIF", "JPEG", "PNG"):
        held = BytesIO()
        with suppress(Exception):  # a Pillow that was built without it
            Image.new("RGB", (2, 2)).save(held, format_name)
            made = held.getvalue()
            open_picture(made, None, b"")
    return made


PICTURE = Converter("image", VERSION, open_picture, _sample)
