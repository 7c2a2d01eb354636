"""Images made for tests, and what is promised of every image that a reader shows."""

import io
import struct
import zlib
from base64 import b64encode

import pytest

from readwell.documents.image_conversion import MAX_BYTES
from readwell.documents.image_size import LONGEST_SIDE

Image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
CORNERS = [RED, GREEN, BLUE, WHITE]


def chunk(kind, body):
    return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))


def png(width, height, rows, depth=8, colours=2):
    """A PNG by hand, whatever it claims to be."""
    head = struct.pack("!IIBBBBB", width, height, depth, colours, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def saved(image, form, **options):
    held = io.BytesIO()
    image.save(held, form, **options)
    return held.getvalue()


def quarters(width=64, height=32, mode="RGB"):
    """An image of four colours: top left, top right, bottom left, bottom right."""
    image = Image.new("RGB", (width, height))
    for number, colour in enumerate(CORNERS):
        left, top = number % 2 * width // 2, number // 2 * height // 2
        image.paste(colour, (left, top, left + width // 2, top + height // 2))
    return image.convert(mode)


def ask(reader, folder, name, content):
    (folder / name).write_bytes(content)
    return reader.reply({"path": name})


def shown(reply):
    """The image of a reply, checked against all that is promised of any."""
    picture = reply.picture
    assert not reply.is_error, reply.text
    assert len(picture.content) <= MAX_BYTES
    assert len(b64encode(picture.content)) <= 1_000_000
    found = Image.open(io.BytesIO(picture.content))
    found.load()
    assert found.size == picture.shown
    assert max(found.size) <= LONGEST_SIDE
    assert f"image/{found.format.lower()}" == picture.media_type
    assert not found.getexif()
    told = reply.data["image"]
    assert (told["width"], told["height"], told["shown_width"], told["shown_height"]) == (*picture.size, *picture.shown)
    assert reply.text.startswith(
        f"[{reply.data['path']} | {picture.format} image, {told['width']}x{told['height']} pixels | "
    )
    return found.convert("RGB")


def corners(image):
    """The four colours in their places, as far as a lossy format keeps them."""
    width, height = image.size
    places = [(width // 4, height // 4), (3 * width // 4, height // 4)]
    places += [(width // 4, 3 * height // 4), (3 * width // 4, 3 * height // 4)]
    return [tuple(255 if value > 128 else 0 for value in image.getpixel(place)) for place in places]
