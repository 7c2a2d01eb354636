"""What people pack to harm: bombs of every packing, packings in each other, deep trees, false headers, damage, kills."""

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib

import pytest

import readwell
from corpus import docx_writer
from corpus.packing import entry as zip_entry
from corpus.packing import with_directory
from corpus.seven_zip_writer import seven_zip_of
from effort import examples
from readwell.packed.decompressors import zstd_module

LINE = (b"a" * 1023 + b"\n") * 1024
TYPED = {"CONVERSION_FAILED", "NOT_FOUND", "BINARY_FILE", "TOO_LARGE", "DOCUMENT_LOCKED", "NOT_REGULAR", "read"}


def code(reply):
    return reply.data["error"]["code"] if reply.is_error else "read"


def zipped(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


PACK = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda raw: zstd_module().compress(raw),
}
ARCHIVES = {"zip": zipped, "7z": seven_zip_of, "tar": tarred, "tar.gz": lambda files: gzip.compress(tarred(files))}


@pytest.mark.parametrize(
    "packing", [pytest.param(each, marks=pytest.mark.slow) for each in PACK if each != "zst"] + ["zst"]
)
def test_a_bomb_of_each_packing_is_refused_and_its_first_window_is_read(tmp_path, packing):
    packed = PACK[packing](b"a" * (90 << 20))
    (tmp_path / f"bomb.{packing}").write_bytes(packed)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert code(reader.reply({"path": f"bomb.{packing}", "offset": -3})) == "TOO_LARGE"
        assert code(reader.reply({"path": f"bomb.{packing}", "total": "exact"})) == "TOO_LARGE"


def zstd_with_window(exponent, mantissa=0):
    """Two lines whose header asks for a window of 1024 bytes times two to the exponent, and some eighths more."""
    content = b"one\ntwo\n"
    block = (len(content) << 3 | 1).to_bytes(3, "little")
    return bytes.fromhex("28b52ffd00") + bytes([exponent << 3 | mantissa]) + block + content


def xz_with_dictionary(size):
    """Two lines whose header asks for a dictionary, by the number that stands for its size."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]
    raw = bytearray(lzma.compress(b"one\ntwo\n", check=lzma.CHECK_NONE, filters=filters))
    raw[16:17], raw[20:24] = bytes([size]), zlib.crc32(raw[12:16] + bytes([size]) + raw[17:20]).to_bytes(4, "little")
    return bytes(raw)


@pytest.mark.parametrize(
    "extension, largest, too_large",
    [("zst", zstd_with_window(17), zstd_with_window(17, 1)), ("xz", xz_with_dictionary(31), xz_with_dictionary(32))],
    ids=["zst", "xz"],
)
def test_what_needs_more_memory_than_is_allowed_is_not_unpacked(tmp_path, extension, largest, too_large):
    (tmp_path / f"largest.{extension}").write_bytes(largest)
    (tmp_path / f"too_large.{extension}").write_bytes(too_large)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read(f"largest.{extension}").lines == ["one", "two"]
        assert code(reader.reply({"path": f"too_large.{extension}"})) == "CONVERSION_FAILED"


@pytest.mark.parametrize("inner", ["gz", "tar.gz"])
def test_packings_in_each_other_are_opened_once(tmp_path, inner):
    """A file that holds itself, or a hundred layers, would be unpacked for ever."""
    content = {"gz": gzip.compress(b"core\n"), "tar.gz": gzip.compress(tarred({"x": b"core\n"}))}[inner]
    for _ in range(100):
        content = gzip.compress(content)
    (tmp_path / "a.gz").write_bytes(content)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert code(reader.reply({"path": "a.gz"})) == "BINARY_FILE"
        assert code(reader.reply({"path": "a.gz/x"})) == "NOT_FOUND"
        assert reader.search_reply({"pattern": "core", "path": "."}).data["count"] == 0


@pytest.mark.parametrize(
    "kind, depth",
    [("zip", 250), *(pytest.param(each, 1900, marks=pytest.mark.slow) for each in ("zip", "7z", "tar", "tar.gz"))],
)
def test_trees_of_any_depth_are_listed_outlined_and_searched(tmp_path, kind, depth):
    deep = "d/" * depth + "needle.txt"
    files = {"d/" * 10_000 + "x": b"needle\n", deep: b"needle\n", "flat.txt": b"needle\n"}
    (tmp_path / f"a.{kind}").write_bytes(ARCHIVES[kind](files))
    start = time.monotonic()
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        listed = reader.reply({"path": f"a.{kind}"})
        assert listed.text.split("\n")[1:3] == ["d/", "flat.txt\t7"]
        assert "[note: 1 member left out" in listed.text
        outline = reader.reply({"path": f"a.{kind}", "view": "outline"}).text
        head, *rows = outline.split("\n")[1 : 3 + depth // 501]
        assert head == "./\t2 files, 14 bytes"
        assert "".join(row.partition("\t")[0].strip() for row in rows) == "d/" * depth
        assert {row.partition("\t")[2] for row in rows} == {"1 file, 7 bytes"}
        assert "counts are too low" not in outline
        assert reader.search_reply({"pattern": "needle", "path": f"a.{kind}"}).data["count"] == 2
        assert "1\tneedle" in reader.reply({"path": f"a.{kind}/{deep}"}).text
    assert time.monotonic() - start < 60


def header_of(name, size, kind=b"0"):
    """The header of a TAR member with any size in it."""
    raw = bytearray(tarfile.TarInfo(name).tobuf(tarfile.USTAR_FORMAT))
    raw[124:136], raw[156:157] = size, kind
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    return bytes(raw)


@pytest.mark.parametrize(
    "size", [b"77777777777\0", b"\x80" + b"\xff" * 11, b"\xff" * 12, b"99999999999 ", b"-0000000001\0"]
)
@pytest.mark.parametrize("kind", [b"0", b"x"])
def test_false_sizes_in_a_tar_are_typed(tmp_path, size, kind):
    (tmp_path / "a.tar").write_bytes(header_of("a.txt", size, kind) + b"line\n".ljust(1024, b"\0"))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert code(reader.reply({"path": "a.tar"})) in TYPED
        assert code(reader.reply({"path": "a.tar/a.txt"})) in TYPED


@pytest.mark.parametrize(
    "packed", [b"", b"\x01\x02\x05\0" + b"\xff" * 5 + b"abc", b"\x01\x02\x03\0abc", b"\x01\x02\x05\0\x28" + bytes(9)]
)
def test_a_member_that_does_not_begin_as_lzma_is_damaged(tmp_path, packed):
    entry = zip_entry(b"a.txt", 10, len(packed), 0, method=zipfile.ZIP_LZMA)
    local = b"PK\3\4" + bytes(22) + struct.pack("<2H", 5, 0) + b"a.txt"
    (tmp_path / "a.zip").write_bytes(with_directory(local + packed, [entry]))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip/a.txt"})
    assert (code(reply), "it is damaged: the member does not begin as LZMA" in reply.text) == (
        "CONVERSION_FAILED",
        True,
    )


@pytest.mark.parametrize("packing", PACK)
def test_cut_off_and_changed_compressed_files_are_typed(tmp_path, packing):
    chance = random.Random(packing)
    whole = PACK[packing](b"".join(b"line %d\n" % number for number in range(5000)))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for number in range(min(examples(12), 300)):
            broken = bytearray(whole[: chance.randrange(1, len(whole))] if number % 2 else whole)
            for _ in range(chance.choice([0, 1, 4])):
                broken[chance.randrange(len(broken))] ^= chance.randrange(1, 256)
            (tmp_path / f"a.{packing}").write_bytes(broken)
            for params in ({"limit": 3}, {"offset": -2}, {"total": "exact"}):
                assert code(reader.reply({"path": f"a.{packing}", **params})) in TYPED


@pytest.mark.parametrize("kind", ARCHIVES)
def test_deny_rules_see_the_names_inside_of_every_archive(tmp_path, kind):
    files = {
        "a/.env": b"KEY=1\n",
        "a/b.txt": b"KEY=2\n",
        "inner.zip": zipped({"a/.env": b"KEY=3\n", "c.txt": b"KEY=4\n"}),
    }
    (tmp_path / f"p.{kind}").write_bytes(ARCHIVES[kind](files))
    with readwell.Reader(tmp_path, deny=[".env"], cache_dir=None) as reader:
        for path in ("a/.env", "inner.zip/a/.env", "nothing/.env"):
            assert code(reader.reply({"path": f"p.{kind}/{path}"})) == "ACCESS_DENIED"
        for path in (f"p.{kind}", f"p.{kind}/inner.zip"):
            found = reader.search_reply({"pattern": "KEY", "path": path, "everything": True})
            assert "KEY=1" not in found.text and "KEY=3" not in found.text
        globbed = reader.reply({"paths": [f"p.{kind}/**/*"]})
        assert "KEY=2" in globbed.text and "KEY=1" not in globbed.text
        assert ".env" not in reader.reply({"path": f"p.{kind}", "view": "outline"}).text


@pytest.mark.parametrize("kind", ARCHIVES)
def test_globs_lead_into_every_archive(tmp_path, kind):
    files = {"src/app.py": b"app\n", "src/deep/er.py": b"er\n", "src/x.txt": b"no\n", "top.py": b"top\n"}
    (tmp_path / f"dist.{kind}").write_bytes(ARCHIVES[kind](files))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        text = reader.reply({"paths": [f"dist.{kind}/**/*.py"]}).text
        assert all(word in text for word in ("1\tapp", "1\ter", "1\ttop")) and "1\tno" not in text


KILLED = """
import os, signal, sys, readwell
reader = readwell.Reader(sys.argv[1], cache_dir=sys.argv[2])
for path in sys.argv[3:]:
    reader.reply({"path": path})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_reader_of_archives_leaves_nothing_but_the_cache(tmp_path):
    place, cache, temporary = tmp_path / "place", tmp_path / "cache", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    files = {
        "a.docx": docx_writer.headings(),
        "big.log": LINE * 3,
        "in.zip": zipped({"x.docx": docx_writer.headings()}),
    }
    for kind, make in ARCHIVES.items():
        (place / f"a.{kind}").write_bytes(make(files))
    names = sorted(os.listdir(place))
    paths = [f"{name}/{inside}" for name in names for inside in ("a.docx", "big.log", "in.zip/x.docx")]
    run = [sys.executable, "-c", KILLED, str(place), str(cache), *paths]
    done = subprocess.run(run, check=False, env={**os.environ, "TMPDIR": str(temporary)}, timeout=120)
    assert done.returncode == -9
    assert (sorted(os.listdir(place)), os.listdir(temporary)) == (names, [])


HELD = """
import sys, time, readwell
def hold(done, total, what):
    if what == "unpack" and done >= 3 << 20:
        print(done, flush=True)
        time.sleep(600)
readwell.Reader(sys.argv[1], cache_dir=sys.argv[2], on_progress=hold).reply({"path": sys.argv[3], "offset": -1})
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="NOT TESTED: processes are not listed here")
@pytest.mark.parametrize("kind", ["gz", "zip", pytest.param("7z", marks=pytest.mark.slow), "tar.gz"])
def test_a_reader_that_is_killed_while_it_unpacks_leaves_no_process_and_no_file(tmp_path, kind):
    place, cache, temporary = tmp_path / "place", tmp_path / "cache", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    noise = random.Random(1).randbytes(4 << 20).hex().encode()
    made = gzip.compress(noise, 1) if kind == "gz" else ARCHIVES[kind]({"big.log": noise})
    (place / f"a.{kind}").write_bytes(made)
    path = "a.gz" if kind == "gz" else f"a.{kind}/big.log"
    run = subprocess.Popen(
        [sys.executable, "-c", HELD, str(place), str(cache), path],
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=temporary,
        stdout=subprocess.PIPE,
    )
    with run:
        assert int(run.stdout.readline()) >= 3 << 20
        started = descendants_of(run.pid)
        assert started
        run.kill()
        assert run.wait(60) == -9
    until = time.monotonic() + 60
    while any(map(parent_of, started)) and time.monotonic() < until:
        time.sleep(0.05)
    assert [each for each in started if parent_of(each)] == []
    assert (os.listdir(place), os.listdir(temporary)) == ([f"a.{kind}"], [])
    assert sorted(os.listdir(tmp_path)) == ["cache", "place", "temporary"]


def descendants_of(process):
    """The processes that one has started, and those that they have."""
    children = [int(each) for each in os.listdir("/proc") if each.isdigit() and parent_of(int(each)) == process]
    return children + [each for child in children for each in descendants_of(child)]


def parent_of(process):
    """The parent of a process; None where it has ended, though nobody may have asked how."""
    try:
        with open(f"/proc/{process}/stat") as file:
            state, parent = file.read().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(parent)


@pytest.mark.slow
def test_a_gigabyte_of_json_on_one_line_is_read_searched_and_not_outlined(tmp_path):
    piece = b'{"key": "some value", "list": [1, 2, 3]}, ' * 25_000
    with (tmp_path / "a.json").open("wb") as file:
        file.write(b"[")
        for _ in range((1 << 30) // len(piece)):
            file.write(piece)
        file.write(b'{"last": 1}]')
    start = time.monotonic()
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        read = reader.reply({"path": "a.json"})
        assert not read.is_error and len(read.text) < 200_000 and "[more: " in read.text
        for view in ("outline", "markdown"):
            reply = reader.reply({"path": "a.json", "view": view})
            assert code(reply) in ("TOO_LARGE", "read", "INVALID_PARAM") and len(reply.text) < 200_000
        assert reader.search_reply({"pattern": '"last"', "path": "a.json"}).data["count"] == 1
    assert time.monotonic() - start < 120
