"""Random paths and random bytes: nothing is raised but a ReadError, nothing stays open, nothing hangs."""

import gc
import os
import random

from effort import examples
from every_dialect import PARAMS, path_param
from readwell import Reader, ReadError
from readwell.dialects import NAMES, dialect_named
from readwell.policy import DOOR_DENIALS
from readwell.tool import Tool

COUNT = examples(500)
"""In soak: 100,000 of each."""

PIECES = [
    "a", "b", "..", ".", "", "/", "folder", "link", "loop", "out", ".env", "\0", "\n", "\x1b", "\udcff", "x" * 255, "x" * 256,
    "~", "~root", "file://", "%2e", "\u202e", "\u200b", "C:", "\\", "*", "[", "proc", "self", "fd", "0", "dev", "null", "etc",
]  # fmt: skip


def descriptors():
    gc.collect()
    return len(os.listdir("/dev/fd"))


def fill(root):
    (root / "folder").mkdir(parents=True)
    (root / "a").write_bytes(b"text\n")
    (root / "folder" / "b").write_bytes(b"text\n")
    (root / ".env").write_bytes(b"secret\n")
    for name, target in {"link": "a", "loop": "loop", "out": "../..", "folder/link": "../.env"}.items():
        (root / name).symlink_to(target)


def random_path(chance):
    if chance.random() < 0.3:
        size = chance.choice([1, 10, 300, 5000])
        return os.fsdecode(chance.randbytes(chance.randint(0, size)))
    return chance.choice(["", "/"]) + "/".join(chance.choice(PIECES) for _ in range(chance.randint(1, 8)))


def test_no_path_breaks_a_read(tmp_path):
    fill(tmp_path / "root")
    tools = [Tool(dialect_named(name), (str(tmp_path / "root"),), denials=DOOR_DENIALS) for name in NAMES]
    chance = random.Random(COUNT)
    before = descriptors()
    for _ in range(COUNT):
        path = random_path(chance)
        tool = chance.choice(tools)
        reply = tool.reply({path_param(tool.dialect.name): path})
        assert "secret" not in reply.text
        reply.text.encode()
    assert descriptors() == before


def random_bytes(chance):
    kind = chance.randrange(6)
    size = chance.choice([0, 1, 2, 100, 5000, 70_000])
    if kind == 0:
        return chance.randbytes(size)
    if kind == 1:
        return b"".join(
            chance.choice([b"a", b"\r", b"\n", b"\r\n", "é".encode(), b"\xff", b"\x00"]) for _ in range(size // 4)
        )
    if kind == 2:
        heads = [
            b"%PDF-",
            b"PK\x03\x04",
            b"\xd0\xcf\x11\xe0",
            b"\xff\xfe",
            b"\xfe\xff",
            b"\xef\xbb\xbf",
            b"\x00\x00\xfe\xff",
        ]
        return chance.choice(heads) + chance.randbytes(size)
    if kind == 3:
        return "".join(chr(chance.randrange(0x250)) for _ in range(size)).encode("utf-16-le")
    if kind == 4:
        return bytes(chance.choice(b"abc\n\t \x1b") for _ in range(size))
    return b"x" * size + b"\n" * chance.randrange(3)


def test_no_content_breaks_a_read(tmp_path):
    file = tmp_path / "file.bin"
    tools = [Tool(dialect_named(name), (str(tmp_path),), cache_dir=None) for name in NAMES]
    chance = random.Random(COUNT + 1)
    before = descriptors()
    for _ in range(COUNT):
        file.write_bytes(random_bytes(chance))
        tool = chance.choice(tools)
        params = {path_param(tool.dialect.name): "file.bin"}
        if chance.random() < 0.3:
            params[PARAMS[tool.dialect.name][1]] = chance.randint(1, 50)
        tool.reply(params).text.encode()
    assert descriptors() == before


def test_no_call_of_the_reader_raises_anything_but_a_read_error(tmp_path):
    fill(tmp_path / "root")
    chance = random.Random(COUNT + 2)
    raised = set()
    with Reader(tmp_path / "root", deny=[".env"], ignore_files=True) as reader:
        for _ in range(COUNT):
            try:
                reader.read(random_path(chance), offset=chance.randint(-5, 5), column=chance.randint(-1, 9))
            except ReadError as error:
                raised.add(type(error).__name__)
    assert raised >= {"NotFound", "InvalidRequest", "AccessDenied"}
