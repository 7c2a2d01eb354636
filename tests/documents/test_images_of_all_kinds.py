"""Whatever an image is like, what is shown of it is within the limits, and what cannot be shown is a typed failure."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_images import RED, Image, ask, chunk, png, saved, shown

import readwell
from effort import examples

MODES = {
    "PNG": ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"],
    "JPEG": ["L", "RGB", "CMYK"],
    "GIF": ["1", "L", "P", "RGB", "RGBA"],
    "WEBP": ["L", "RGB", "RGBA"],
}
KINDS = [(form, mode) for form, modes in MODES.items() for mode in modes]
SIDES = st.one_of(st.integers(1, 64), st.sampled_from([1567, 1568, 1569, 2000]))
AS_MANY_AS_ALLOWED = 7070


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="module")
def reader(folder):
    with readwell.Reader(folder, images=True, cache_dir=None) as reader:
        yield reader


def drawn(mode, width, height, seed):
    """Noise in a corner of an image that is plain elsewhere, not dithered, so that its bytes do not have it scaled."""
    if mode == "I;16":
        return Image.new(mode, (width, height), seed % 65536)
    image = Image.new("RGBA", (width, height), (seed % 256, 99, 200, 255 - seed % 200))
    small = (min(width, 40), min(height, 40))
    image.paste(Image.frombytes("RGBA", small, random.Random(seed).randbytes(4 * small[0] * small[1])))
    return (
        image.convert("RGB").convert(mode, dither=Image.Dither.NONE)
        if mode in ("1", "P", "CMYK")
        else image.convert(mode)
    )


@settings(max_examples=examples(25), deadline=None)
@given(st.sampled_from(KINDS), SIDES, SIDES, st.integers(0, 10**6), st.integers(0, 9))
def test_what_is_shown_is_within_the_limits_and_keeps_its_shape(reader, folder, kind, width, height, seed, turn):
    form, mode = kind
    exif = Image.Exif()
    exif[0x0112] = turn
    options = {} if form == "GIF" else {"exif": exif}
    reply = ask(reader, folder, "any", saved(drawn(mode, width, height, seed), form, **options))
    size = (height, width) if form != "GIF" and 5 <= turn <= 8 else (width, height)
    scale = min(1, 1568 / max(size))
    assert reply.picture.size == size
    found = shown(reply).size
    assert all(abs(side - max(1, scale * whole)) <= 1 for side, whole in zip(found, size))


@pytest.mark.parametrize(
    "size, small", [((1, 60_000), (1, 1568)), ((65_500, 3), (1568, 1)), ((1568, 1568), (1568, 1568)), ((1, 1), (1, 1))]
)
@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_the_thinnest_image_is_shown(reader, folder, form, size, small):
    assert shown(ask(reader, folder, "thin", saved(Image.new("RGB", size, RED), form))).size == small


@pytest.mark.slow
@pytest.mark.parametrize("depth, colours, pixel", [(16, 0, 2), (16, 2, 6), (16, 6, 8), (8, 4, 2), (8, 6, 4)], ids=str)
def test_as_many_pixels_as_are_allowed_fit_into_the_cage_in_every_mode(reader, folder, depth, colours, pixel):
    side = AS_MANY_AS_ALLOWED
    rows = (b"\0" + b"\x80" * pixel * side) * side
    assert shown(ask(reader, folder, "huge.png", png(side, side, rows, depth, colours))).size == (1568, 1568)


@pytest.mark.slow
@pytest.mark.parametrize("form, mode", [("JPEG", "CMYK"), ("WEBP", "RGBA"), ("GIF", "P"), ("PNG", "P")])
def test_as_many_pixels_as_are_allowed_fit_into_the_cage_in_every_format(reader, folder, form, mode):
    side = AS_MANY_AS_ALLOWED
    options = {"method": 0, "lossless": True} if form == "WEBP" else {}
    image = Image.new(mode, (side, side))
    assert shown(ask(reader, folder, "huge", saved(image, form, **options))).size == (1568, 1568)


@pytest.mark.parametrize("form", MODES)
def test_an_image_cut_anywhere_is_a_typed_failure_or_an_image(reader, folder, form):
    whole = saved(drawn("RGB", 90, 60, 5), form)
    rng = random.Random(form)
    cuts = [1, 2, 3, 4, 6, 8, 11, 12, 16, len(whole) - 1, *rng.sample(range(12, len(whole)), examples(12))]
    for cut in cuts:
        reply = ask(reader, folder, "cut", whole[:cut])
        if reply.is_error:
            assert (reply.picture, reply.data["error"]["code"] in ("CONVERSION_FAILED", "BINARY_FILE")) == (None, True)
        elif reply.data["kind"] == "image":
            shown(reply)
        else:
            assert cut < 12  # too short to be told from text


def test_an_animation_of_many_frames_takes_no_longer_than_its_first(reader, folder):
    frame = Image.new("P", (8, 8))
    frame.putpalette([255, 0, 0, 0, 0, 255])
    head = saved(frame, "GIF")[:-1]
    at = head.index(b",", 13 + 3 * 2)
    one = bytes.fromhex("21f904000a000000") + head[at:]
    reply = ask(reader, folder, "long.gif", head + one * 50_000 + b";")
    assert shown(reply).getpixel((4, 4)) == RED
    assert reply.data["notices"][0]["code"] == "animated"


def with_chunk(kind, body):
    content = png(1, 1, b"\0\xff\0\0")
    return content[:33] + chunk(kind, body) + content[33:]


@pytest.mark.parametrize(
    "kind, body", [(b"eXIf", b"MM\0*" + struct.pack("!I", 2**31)), (b"tEXt", b"x" * 9)], ids=["eXIf", "tEXt"]
)
def test_an_image_whose_notes_are_broken_is_shown(reader, folder, kind, body):
    assert shown(ask(reader, folder, "notes.png", with_chunk(kind, body))).getpixel((0, 0)) == RED


def test_an_image_whose_colours_are_described_wrongly_is_refused(reader, folder):
    reply = ask(reader, folder, "gamma.png", with_chunk(b"gAMA", b"\0"))
    assert (reply.picture, reply.data["error"]["code"]) == (None, "CONVERSION_FAILED")


@pytest.mark.parametrize(
    "name, content",
    [
        ("utf-16.png", "\ufeffwords\n".encode("utf-16-le")),
        ("words.jpg", b"words\n"),
        ("svg.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>\n"),
        ("empty", b""),
    ],
)
def test_what_is_no_image_is_read_as_what_it_is(reader, folder, name, content):
    reply = ask(reader, folder, name, content)
    assert (reply.picture, reply.is_error, reply.data.get("kind")) == (None, False, "file")


@pytest.mark.parametrize("content", [b"BM" + bytes(60), b"II*\0" + bytes(60), b"\0\0\1\0" + bytes(60)])
def test_images_of_other_kinds_are_named_and_never_shown(reader, folder, content):
    reply = ask(reader, folder, "other.png", content)
    assert (reply.picture, reply.data["error"]["code"]) == (None, "BINARY_FILE")


def test_an_encoding_does_not_make_an_image_a_text(reader, folder):
    content = saved(Image.new("RGB", (4, 4), RED), "PNG")
    (folder / "dot.png").write_bytes(content)
    reply = reader.reply({"path": "dot.png", "encoding": "utf-8"})
    assert shown(reply).getpixel((1, 1)) == RED
    assert "\n[note: encoding ignored: it holds for texts, and this is read as an image]\n[end]" in reply.text
    raw = reader.reply({"path": "dot.png", "encoding": "cp1252", "view": "source"})
    assert (raw.data["kind"], raw.data["encoding"]) == ("file", "cp1252")
    with readwell.Reader(folder) as plain:
        refused = plain.reply({"path": "dot.png", "encoding": "utf-8"})
    assert (
        refused.text
        == f"[error BINARY_FILE] 'dot.png' is a PNG image, {len(content)} bytes. Look at it with view=\"image\", if your client shows images."
    )


def test_a_text_that_begins_like_an_image_is_read_in_the_encoding_asked_for(reader, folder):
    (folder / "gif.txt").write_bytes("GIF89a ist das Kürzel\n".encode("cp1252"))
    reply = reader.reply({"path": "gif.txt", "encoding": "cp1252"})
    assert "1\tGIF89a ist das Kürzel\n" in reply.text
