"""Images as a model is shown them: upright, within the limits, or a typed failure; never anything else."""

import io
import json
import random
import struct
import zlib
from base64 import b64encode

import pytest
from small_images import BLUE, CORNERS, GREEN, RED, WHITE, Image, ask, chunk, corners, png, quarters, saved, shown

import readwell
from effort import examples
from readwell.dialects import NAMES, dialect_named
from readwell.documents.image_conversion import MAX_BYTES, read_picture
from readwell.documents.image_size import LONGEST_SIDE
from readwell.tool import Tool


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="module")
def reader(folder):
    with readwell.Reader(folder, images=True, cache_dir=None) as reader:
        yield reader


@pytest.mark.parametrize("form, told", [("PNG", "PNG"), ("JPEG", "JPEG"), ("GIF", "GIF"), ("WEBP", "WebP")])
def test_an_image_is_shown_whatever_it_is_called(reader, folder, form, told):
    for name in (f"a.{form.lower()}", "a.txt", "a"):
        reply = ask(reader, folder, name, saved(quarters(), form))
        assert corners(shown(reply)) == CORNERS
        rev = reply.data["revision"]
        assert reply.text == f"[{name} | {told} image, 64x32 pixels | shown in full size | rev {rev}]\n[end]"
        assert reply.data["kind"] == "image"


@pytest.mark.parametrize(
    "size, small", [((3136, 100), (1568, 50)), ((2000, 4000), (784, 1568)), ((1569, 1), (1568, 1))]
)
def test_a_large_image_is_scaled_and_the_reply_tells_it(reader, folder, size, small):
    reply = ask(reader, folder, "large.png", saved(quarters(*size), "PNG"))
    assert shown(reply).size == small
    scale = f"{1568 / max(size):.3g}"
    assert f"{size[0]}x{size[1]} pixels | shown as {small[0]}x{small[1]}, scale {scale} |" in reply.text


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_an_image_of_noise_is_made_small_enough(reader, folder, mode):
    noise = Image.frombytes(mode, (1600, 1600), random.Random(1).randbytes(1600 * 1600 * len(mode)))
    assert max(shown(ask(reader, folder, "noise.png", saved(noise, "PNG"))).size) <= LONGEST_SIDE


@pytest.mark.parametrize(
    "mode, form", [("CMYK", "JPEG"), ("L", "JPEG"), ("P", "PNG"), ("P", "GIF"), ("1", "PNG"), ("RGBA", "WEBP")]
)
def test_every_kind_of_colour_is_shown(reader, folder, mode, form):
    found = shown(ask(reader, folder, "colours", saved(quarters(mode=mode), form)))
    assert corners(found) == CORNERS if mode not in ("L", "1") else found.getpixel((60, 30)) == WHITE


def test_sixteen_bits_of_grey_are_scaled_to_eight(reader, folder):
    reply = ask(reader, folder, "grey.png", png(2, 1, b"\0" + struct.pack("!HH", 0x8000, 0xFFFF), depth=16, colours=0))
    assert [shown(reply).getpixel((x, 0))[0] for x in (0, 1)] == [128, 255]


def test_what_is_transparent_stays_so(reader, folder):
    clear = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    for content in (saved(clear, "PNG"), saved(clear.convert("P"), "GIF", transparency=0)):
        reply = ask(reader, folder, "clear", content)
        shown(reply)
        assert Image.open(io.BytesIO(reply.picture.content)).convert("RGBA").getpixel((1, 1))[3] == 0


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photograph_is_turned_as_its_camera_says(reader, folder, orientation):
    back = [None, None, 0, 3, 1, 5, 2, 6, 4][orientation]  # how a camera that is held so stores the picture
    stored = quarters() if back is None else quarters().transpose(Image.Transpose(back))
    exif = Image.Exif()
    exif[0x0112] = orientation
    reply = ask(reader, folder, "photo.jpg", saved(stored, "JPEG", exif=exif, quality=95))
    assert corners(shown(reply)) == CORNERS
    assert reply.picture.size == (64, 32)


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_shown_and_the_reply_says_so(reader, folder, form):
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, GREEN, BLUE)]
    options = {"lossless": True} if form == "WEBP" else {}
    reply = ask(reader, folder, "moving", saved(frames[0], form, save_all=True, append_images=frames[1:], **options))
    assert shown(reply).getpixel((4, 4)) == RED
    assert "\n[note: animated: the first frame is shown]\n[end]" in reply.text


def test_text_that_is_called_an_image_is_read_as_text(reader, folder):
    reply = ask(reader, folder, "words.png", b"GIF89a is the name of a format\n")
    assert (reply.picture, reply.data["kind"], reply.data["total"]) == (None, "file", 1)


def bombs():
    gif = (
        b"GIF89a"
        + struct.pack("<HH", 65535, 65535)
        + b"\0\0\0,"
        + struct.pack("<HHHH", 0, 0, 65535, 65535)
        + b"\0\x08\0;"
    )
    return {
        "wide.png": png(2**31 - 1, 2**31 - 1, b""),
        "large.png": png(60_000, 60_000, b"\0" * 60_001, depth=1, colours=0),
        "large.gif": gif,
        "text.png": png(1, 1, b"\0\0\0\0")[:33]
        + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(8 << 20)))
        + chunk(b"IEND", b""),
    }


@pytest.mark.parametrize("name", bombs())
def test_a_bomb_is_a_typed_failure(reader, folder, name):
    reply = ask(reader, folder, name, bombs()[name])
    assert (reply.picture, reply.data["error"]["code"]) == (None, "CONVERSION_FAILED"), reply.text


def test_the_pixels_of_a_bomb_are_named(reader, folder):
    reply = ask(reader, folder, "b.png", png(8000, 8000, b"", colours=0))
    assert reply.text == (
        "[error CONVERSION_FAILED] 'b.png' could not be converted: it has 8000x8000 pixels, more than 50 million. "
        "Read another file."
    )


def test_an_image_of_as_many_pixels_as_are_allowed_is_shown(reader, folder):
    rows = (b"\0" + b"\xff" * 875) * 7000
    assert (
        shown(ask(reader, folder, "white.png", png(7000, 7000, rows, depth=1, colours=0))).getpixel((700, 700)) == WHITE
    )


@pytest.mark.parametrize("name", ["e.png", "e.JPG", "e.gif", "e.webp"])
def test_an_image_of_no_bytes_is_a_typed_failure(reader, folder, name):
    reply = ask(reader, folder, name, b"")
    assert (reply.picture, reply.data["error"]["code"]) == (None, "CONVERSION_FAILED")
    assert "the file is empty" in reply.text


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_broken_image_is_a_typed_failure_or_an_image(reader, folder, form):
    rng = random.Random(form)
    whole = saved(quarters(300, 200), form)
    cut = ask(reader, folder, "cut", whole[: len(whole) // 2])
    assert cut.data.get("error", {}).get("code") == "CONVERSION_FAILED", cut.text
    for _ in range(examples(10)):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 20)):
            content[rng.randrange(12, len(content))] = rng.randrange(256)
        reply = ask(reader, folder, "broken", bytes(content))
        if reply.is_error:
            assert reply.picture is None
            assert reply.data["error"]["code"] == "CONVERSION_FAILED"
        else:
            shown(reply)


def test_who_cannot_carry_images_gets_their_type_and_size(folder):
    (folder / "logo.png").write_bytes(saved(quarters(), "PNG"))
    size = (folder / "logo.png").stat().st_size
    with readwell.Reader(folder) as reader:
        said = f"[error BINARY_FILE] 'logo.png' is a PNG image, {size} bytes. Look at it with view=\"image\", if your client shows images."
        assert reader.reply({"path": "logo.png"}).text == said
    with readwell.Reader(folder, images=True) as reader:
        assert reader.reply({"path": "logo.png", "view": "source"}).text == said.replace(
            'Look at it with view="image", if your client shows images.', "Leave out view to look at it."
        )
        assert said in reader.reply({"paths": ["logo.png", "nowhere"]}).text
    for name in {*NAMES} - {"native"}:
        tool = Tool(dialect_named(name), [str(folder)])
        reply = tool.reply({tool.dialect_tool.required[0]: "logo.png"})
        assert (reply.is_error, reply.picture) == (True, None)


def test_without_the_extra_an_image_is_named_by_its_type(folder, monkeypatch):
    from readwell.documents import converters

    (folder / "logo.png").write_bytes(saved(quarters(), "PNG"))
    monkeypatch.setattr(
        converters, "IMAGE_DECODER", converters.IMAGE_DECODER._replace(needs=("a_library_that_nobody_has",))
    )
    with readwell.Reader(folder, images=True) as reader:
        assert reader.reply({"path": "logo.png"}).data["error"]["code"] == "BINARY_FILE"


def test_an_unchanged_image_is_not_sent_again(reader, folder):
    reply = ask(reader, folder, "same.png", saved(quarters(), "PNG"))
    again = reader.reply({"path": "same.png", "if_revision": reply.data["revision"]})
    assert (again.text, again.picture) == (
        f"[same.png | unchanged since rev {reply.data['revision']} | for its lines leave out if_revision]",
        None,
    )


@pytest.mark.slow
def test_what_a_decoder_sends_is_believed_only_if_it_is_an_image():
    right = ["image/png", "PNG", 2, 2, 2, 2, False, False]
    content = saved(Image.new("L", (2, 2)), "PNG")

    def crossed(facts, content):
        return read_picture(f"{json.dumps(facts)}\n{b64encode(content).decode()}")

    assert crossed(right, content) == (content, "image/png", "PNG", (2, 2), (2, 2), False, False)
    wrong = [
        (["text/html", *right[1:]], content),
        (["image/jpeg", *right[1:]], content),
        ([right[0], "EVIL]", *right[2:]], content),
        ([*right[:4], 5000, 2, False, False], content),
        ([*right[:2], 0, *right[3:]], content),
        ([*right[:2], 10**6, 10**6, *right[4:]], content),
        (right[:-1], content),
        (right, b"<svg>"),
        (right, content + bytes(MAX_BYTES)),
    ]
    assert [crossed(*each) for each in wrong] == [None] * len(wrong)
    assert [read_picture(said) for said in ("", "[]", "{", "[" * 10**5, f"{json.dumps(right)}\n§")] == [None] * 5


def test_the_words_above_an_image_are_shortened_where_its_path_takes_the_budget(folder):
    place = folder
    for _ in range(12):
        place = place / ("x" * 200)
    place.mkdir(parents=True)
    Image.new("RGB", (8, 8)).save(place / "a.png")
    with readwell.Reader(folder, images=True, cache_dir=None, max_tokens=256) as reader:
        path = str((place / "a.png").relative_to(folder))
        header = reader.reply({"path": path, "max_tokens": 256}).text.split("\n")[0]
    assert header.startswith("[…xxxxxxxxxx")
    assert "x/a.png | PNG image, 8x8 pixels" in header
