"""A compressed file is read as what it holds: every window as that of the plain file, unpacked no further than needed."""

import bz2
import gzip
import io
import lzma
import os
import random
import re
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from functools import partial

import pytest

import readwell
from corpus import docx_writer
from effort import examples, some_of
from readwell.dialects import NAMES as DIALECTS
from readwell.dialects import dialect_named
from readwell.documents.contract import Damaged
from readwell.packed.compression import PACKED_AT_ONCE, unpack_file
from readwell.packed.decompressors import bzip2_decompressor, zstd_module
from readwell.packed.packing_detection import ZSTD_MODULE
from readwell.packed.piece_cache import ContentEnd, PieceCache
from readwell.packed.zip_members import ZIP
from readwell.tool import Tool

zstd = pytest.importorskip(ZSTD_MODULE, reason="the extra archives is not installed")

PACK = {
    "gz": partial(gzip.compress, compresslevel=1),
    "bz2": partial(bz2.compress, compresslevel=1),
    "xz": partial(lzma.compress, preset=0),
    "zst": zstd.compress,
}
NAMES = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
LINES = [f"{number} {'x' * (number * 7 % 90)} größe" for number in range(40_000)]
CONTENTS = {
    "lf": "\n".join(LINES).encode(),
    "crlf": "\r\n".join(LINES[:30_000]).encode() + b"\r\n",
    "utf16": "\n".join(LINES[:20_000]).encode("utf-16"),
    "latin": "\n".join(LINES[:25_000]).encode("latin-1"),
    "long": b"a" * 3_000_000 + b"\nb\n",
    "piece": (b"x" * 63 + b"\n") * (1 << 14),
    "pieces": (b"x" * 63 + b"\n") * (3 << 14),
    "one": b"one line",
    "empty": b"",
}
SAME = ("start", "end", "total", "next", "reason", "clipped", "encoding", "bom", "newline", "final_newline")


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packed")
    for name, content in CONTENTS.items():
        (folder / f"{name}.txt").write_bytes(content)
        for extension, pack in PACK.items():
            (folder / f"{name}.txt.{extension}").write_bytes(pack(content))
    time.sleep(0.05)  # files that have just changed are not kept
    with readwell.Reader(folder, cache_dir=folder / "cache", total="lazy") as opened:
        yield opened


def told(reader, path, **params):
    """What a reply says: its lines and the numbers of its data."""
    reply = reader.reply({"path": path, **params})
    if reply.is_error:
        return reply.data["error"]["code"]
    lines = [line for line in reply.text.split("\n") if not line.startswith("[")]
    return lines, {name: reply.data[name] for name in SAME}


@pytest.mark.parametrize("extension", PACK)
@pytest.mark.parametrize("name", CONTENTS)
def test_every_window_of_a_compressed_file_is_that_of_the_plain_one(reader, name, extension):
    chance = random.Random(f"{name}{extension}")
    total = CONTENTS[name].count(b"\n") + 1
    starts = [1, 2, total - 1, total, total + 1, total + 9, -1, -2, -70, -total]
    starts += [chance.randrange(1, total + 2) for _ in range(examples(4))]
    for start in starts:
        limit = chance.choice((1, 3, 50))
        plain = told(reader, f"{name}.txt", offset=start, limit=limit, total="exact")
        packed = told(reader, f"{name}.txt.{extension}", offset=start, limit=limit, total="exact")
        assert packed == plain, (start, limit)


@pytest.mark.parametrize("name", ["lf", "pieces", "one", "latin"])
def test_without_a_total_the_lines_are_the_same(reader, name):
    for start in (1, 2, 700, -3):
        plain = told(reader, f"{name}.txt", offset=start, limit=5)
        packed = told(reader, f"{name}.txt.gz", offset=start, limit=5)
        assert texts_of(packed[0]) == texts_of(plain[0])
        assert start < 0 or packed[0] == plain[0]  # the numbers of a tail may not be known


def texts_of(numbered):
    return [line.partition("\t")[2] for line in numbered]


def test_the_header_names_the_packing_and_does_not_count_what_was_not_unpacked(tmp_path):
    (tmp_path / "app.log.gz").write_bytes(gzip.compress(CONTENTS["pieces"]))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        first = reader.reply({"path": "app.log.gz", "limit": 2})
    assert first.text.startswith("[app.log.gz | gzip | lines 1-2 of ? | utf-8 LF | rev ")
    assert first.data["total"] is None and first.data["final_newline"] is None


@pytest.mark.parametrize("extension", PACK)
def test_the_header_names_each_packing(reader, extension):
    assert f" | {NAMES[extension]} | lines 1-1 of 1 | " in reader.reply({"path": f"one.txt.{extension}"}).text


def test_the_source_of_a_compressed_file_is_binary(reader):
    reply = reader.reply({"path": "one.txt.gz", "view": "source"})
    assert (
        reply.text == "[error BINARY_FILE] 'one.txt.gz' is a gzip file, 28 bytes. Leave out view to read what it holds."
    )


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "native"])
def test_the_published_dialects_answer_as_before(tmp_path, name):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"text\n"))
    tool = Tool(dialect_named(name), [str(tmp_path)])
    params = {tool.dialect_tool.required[0]: "a.txt.gz"}
    assert "text\n" not in tool.reply(params).text
    tool.close()


def test_several_streams_one_after_the_other_are_one_text(tmp_path):
    for extension, pack in PACK.items():
        (tmp_path / f"a.{extension}").write_bytes(pack(b"one\n") + pack(b"two\n"))
    (tmp_path / "zeros.gz").write_bytes(gzip.compress(b"one\n") + bytes(600))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for extension in PACK:
            assert "\n1\tone\n2\ttwo\n[end]" in reader.reply({"path": f"a.{extension}"}).text
        assert reader.reply({"path": "zeros.gz"}).text.endswith("\n1\tone\n[end]")


CUT = dict.fromkeys(PACK, "it is cut off or damaged: only the first ") | {
    "bz2": "it is cut off, or the rest of it is damaged: only the first "
}


@pytest.mark.parametrize("extension", PACK)
def test_what_there_is_of_a_truncated_file_is_read_and_the_end_is_told(tmp_path, extension):
    packed = PACK[extension](random.Random(1).randbytes(800_000).hex().encode())
    (tmp_path / f"a.txt.{extension}").write_bytes(packed[: len(packed) * 3 // 4])
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": f"a.txt.{extension}", "total": "exact"})
        assert not reply.is_error
        (notice,) = [each for each in reply.data["notices"] if each["code"] == "damaged"]
        assert notice["message"].startswith(CUT[extension])
        again = reader.reply({"path": f"a.txt.{extension}", "total": "exact"})
        assert again.data == reply.data


WRONG = "its checksum is wrong: it could be unpacked to its end, but may not be what was packed"


@pytest.mark.parametrize("place", [-8, -1], ids=["checksum", "length"])
@pytest.mark.parametrize("count", [1, 1000, 300_000])
def test_a_gzip_file_of_which_only_the_checksum_is_wrong_is_read_whole_with_a_note(tmp_path, count, place):
    packed = bytearray(gzip.compress(b"".join(b"line %d\n" % number for number in range(1, count + 1)), 1))
    packed[place] ^= 0xFF
    (tmp_path / "a.txt.gz").write_bytes(packed)
    (tmp_path / "both.gz").write_bytes(packed + gzip.compress(b"behind\n"))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt.gz", "offset": -1})
        assert f"\n{count}\tline {count}\n" in reply.text
        assert [each["message"] for each in reply.data["notices"] if each["code"] == "checksum"] == [WRONG]
        assert f"\n{count + 1}\tbehind\n" in reader.reply({"path": "both.gz", "offset": -1}).text
        found = reader.search_reply({"pattern": f"line {count}$", "path": "a.txt.gz"})
        assert f"line {count}" in found.text


@pytest.mark.parametrize("cut", range(PACKED_AT_ONCE - 9, PACKED_AT_ONCE + 1))
def test_a_wrong_checksum_is_told_wherever_the_packed_pieces_end(cut):
    content = random.Random(2).randbytes(90_000)
    one = bytearray(gzip.compress(content))
    one[-8] ^= 0xFF
    head = gzip.compress(b"")[:3] + b"\x08" + gzip.compress(b"")[4:10]  # a name fills it up
    one = head + b"n" * ((cut - len(one) - 1) % PACKED_AT_ONCE) + b"\0" + bytes(one[10:])
    raw = one + gzip.compress(b"behind")
    assert len(one) % PACKED_AT_ONCE == cut % PACKED_AT_ONCE
    pieces, held = unpack_file("gzip", lambda at, count: raw[at : at + count], len(raw)), []
    with pytest.raises(Damaged, match="its checksum is wrong"):
        while True:
            held.append(next(pieces))
    assert b"".join(held) == content + b"behind"


def test_what_comes_before_a_damage_in_the_midst_of_a_small_gzip_file_is_read(tmp_path):
    content = b"".join(b"line %d\n" % number for number in range(1, 301))
    packer = zlib.compressobj(wbits=31)
    packed = packer.compress(content) + packer.flush(zlib.Z_FULL_FLUSH)
    (tmp_path / "a.txt.gz").write_bytes(packed + b"\x07 no block begins so")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.txt.gz", "offset": -1})
    assert "\n300\tline 300\n" in reply.text
    what = f"it is damaged: only the first {len(content)} bytes of what it holds can be read, and some of them may be wrong"
    assert f"[note: {what}]" in reply.text


def test_a_damaged_file_is_told_and_one_of_which_nothing_is_left_fails(tmp_path):
    packed = bytearray(gzip.compress(random.Random(1).randbytes(200_000).hex().encode()))
    packed[-100] ^= 0xFF
    (tmp_path / "a.gz").write_bytes(packed)
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b\x08" + bytes(range(100)))
    (tmp_path / "c.gz").write_bytes(gzip.compress(b"text\n")[:11])
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "its checksum is wrong" in reader.reply({"path": "a.gz", "total": "exact"}).text
        for name in ("b.gz", "c.gz"):
            assert reader.reply({"path": name}).data["error"]["code"] == "CONVERSION_FAILED"


def test_a_bomb_is_refused_before_it_fills_anything(tmp_path):
    line = (b"a" * 1023 + b"\n") * 1024
    packer = lzma.LZMACompressor(preset=0)
    packed = b"".join(packer.compress(line) for _ in range(100)) + packer.flush()
    assert len(line) * 100 > 1000 * len(packed)
    (tmp_path / "bomb.xz").write_bytes(packed)
    with readwell.Reader(tmp_path, cache_dir=tmp_path / "cache") as reader:
        assert not reader.reply({"path": "bomb.xz", "limit": 3}).is_error
        assert reader.reply({"path": "bomb.xz", "offset": -3}).data["error"]["code"] == "TOO_LARGE"
        assert reader.reply({"path": "bomb.xz", "total": "exact"}).data["error"]["code"] == "TOO_LARGE"


def test_a_document_that_is_compressed_is_a_document(tmp_path):
    docx = docx_writer.headings()
    (tmp_path / "a.docx").write_bytes(docx)
    (tmp_path / "a.docx.gz").write_bytes(gzip.compress(docx))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        plain, packed = reader.reply({"path": "a.docx"}), reader.reply({"path": "a.docx.gz"})
    assert packed.text.split("\n")[1:] == plain.text.split("\n")[1:]
    assert packed.text.startswith("[a.docx.gz | gzip | docx | ")


def test_a_window_far_down_goes_on_where_the_last_one_stopped(tmp_path):
    content = b"".join(b"%d line of a long log\n" % number for number in range(900_000))
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(content, 1))
    time.sleep(0.05)
    unpacked, calls = [], []

    def note(done, _total, what):
        if what == "unpack":
            unpacked.append(done >> 20)

    with readwell.Reader(tmp_path, cache_dir=None, on_progress=note) as reader:
        for at in range(300_000, 800_000, 100_000):
            before = len(unpacked)
            reply = reader.reply({"path": "a.log.gz", "offset": at, "limit": 1})
            assert reply.text.split("\n")[1] == f"{at}\t{at - 1} line of a long log"
            calls.append(len(unpacked) - before)
    assert unpacked == list(range(len(unpacked))), "a piece was unpacked again"
    assert calls[0] >= 7 and all(1 <= each <= 4 for each in calls[1:])


@pytest.mark.slow
def test_a_child_that_waited_too_long_is_replaced(tmp_path, monkeypatch):
    from readwell.documents.worker import worker

    monkeypatch.setattr(worker, "LONGEST_UNPACKED_S", 0.1)
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(CONTENTS["pieces"]))
    time.sleep(0.05)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert not reader.reply({"path": "a.log.gz", "limit": 1}).is_error
        time.sleep(2.5)
        monkeypatch.undo()
        assert not reader.reply({"path": "a.log.gz", "offset": 40_000, "limit": 1}).is_error


def test_nothing_is_left_on_disk_but_the_cache(tmp_path):
    place, cache, temporary = tmp_path / "place", tmp_path / "cache", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    (place / "a.log.gz").write_bytes(gzip.compress(CONTENTS["pieces"]))
    code = f"""
import os, signal, readwell
reader = readwell.Reader({str(place)!r}, cache_dir={str(cache)!r})
reader.read("a.log.gz", limit=3)
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code], check=False, env={**os.environ, "TMPDIR": str(temporary)})
    assert (os.listdir(place), os.listdir(temporary)) == (["a.log.gz"], [])


def test_search_finds_lines_in_compressed_files(reader):
    found = reader.search("^777 ", paths=["lf.txt", "lf.txt.gz", "lf.txt.xz"], limit=9)
    assert [(each.path, [row.line for row in each.rows]) for each in found.files] == [
        ("lf.txt", [778]),
        ("lf.txt.gz", [778]),
        ("lf.txt.xz", [778]),
    ]


def test_a_search_tells_that_a_compressed_file_is_cut_off(tmp_path):
    lines = b"".join(b"line %d %s\n" % (number, os.urandom(8).hex().encode()) for number in range(20_000))
    packed = gzip.compress(lines)
    (tmp_path / "cut.log.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "whole.log.gz").write_bytes(packed)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for path, pattern in (("cut.log.gz", "line 1 "), ("cut.log.gz", "nowhere"), (".", "nowhere"), (".", "line 1 ")):
            reply = reader.search_reply({"pattern": pattern, "path": path})
            assert "[note: damaged or cut off, so searched as far as it goes: cut.log.gz]" in reply.text
        assert "[note" not in reader.search_reply({"pattern": "line 1 ", "path": "whole.log.gz"}).text


def test_an_outline_of_a_compressed_file_is_that_of_the_plain_one(tmp_path):
    (tmp_path / "a.md").write_text("# One\ntext\n## Two\nmore\n")
    (tmp_path / "a.md.gz").write_bytes(gzip.compress((tmp_path / "a.md").read_bytes()))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        plain, packed = (reader.reply({"path": name, "view": "outline"}).text for name in ("a.md", "a.md.gz"))
        assert packed.split("\n")[1:] == plain.split("\n")[1:]
        assert packed.startswith("[a.md.gz | gzip | markdown, 4 lines | outline 1-2 of 2 | rev ")


def test_a_file_that_changes_is_read_anew(tmp_path):
    place = tmp_path / "a.gz"
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for word in (b"one\n", b"two\n", b"six\n"):
            place.write_bytes(gzip.compress(word))
            assert word.decode() in reader.reply({"path": "a.gz"}).text


@pytest.mark.parametrize("params", [{"offset": -2}, {"total": "exact", "limit": 1}], ids=["tail", "total"])
def test_what_is_larger_than_the_memory_for_pieces_is_read_to_its_end(tmp_path, params):
    """Pieces that were dropped are unpacked again; the child that came to the end is not asked for more."""
    chance = random.Random(7)
    lines = [chance.randbytes(40).hex() for _ in range(220_000)]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    (tmp_path / "b.gz").write_bytes(gzip.compress((tmp_path / "a.txt").read_bytes(), 1))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        unpacked, plain = (reader.reply({"path": name, "total": "exact", **params}).data for name in ("b.gz", "a.txt"))
        again = reader.reply({"path": "b.gz", "offset": 3, "limit": 1}).text
    assert [unpacked[name] for name in ("start", "end", "total")] == [plain[name] for name in ("start", "end", "total")]
    assert f"3\t{lines[2]}\n" in again


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["open", "ended"])
def test_the_last_lines_of_a_file_that_nobody_has_unpacked_are_its_last_lines(tmp_path, end):
    (tmp_path / "a.gz").write_bytes(PACK["gz"](CONTENTS["lf"] + end))
    for total in ("auto", "lazy", "exact"):
        with readwell.Reader(tmp_path, cache_dir=None) as reader:
            assert reader.read("a.gz", offset=-3, total=total).lines == LINES[-3:]


@pytest.fixture
def without_zstd(monkeypatch):
    """The package of the extra `archives` is not installed."""
    monkeypatch.setitem(sys.modules, ZSTD_MODULE, None)
    zstd_module.cache_clear()
    yield
    zstd_module.cache_clear()


def test_pieces_are_kept_packed_where_zstd_is_not_installed(without_zstd):
    cache, pieces = PieceCache(None), [bytes([number]) * 2**20 for number in range(9)]
    for number, piece in enumerate(pieces):
        cache.keep(b"key", number, piece, lasting=True)
    assert [cache.piece(b"key", number) for number in range(10)] == [*pieces, None]


def test_of_the_pieces_that_do_not_last_six_mebibytes_are_kept():
    cache, pieces = PieceCache(None), [bytes([number]) * 2**20 for number in range(7)]
    for number, piece in enumerate(pieces[:6]):
        cache.keep(b"key", number, piece, lasting=False)
    assert [cache.piece(b"key", number) for number in range(6)] == pieces[:6]
    cache.keep(b"key", 6, pieces[6], lasting=False)
    assert [cache.piece(b"key", number) for number in range(7)] == [None, *pieces[1:]]


DAMAGED_LINES = "".join(f"{number} {random.Random(number).randbytes(30).hex()}\n" for number in range(60_000)).encode()
RAW = {
    "bz2": bzip2_decompressor,
    "xz": lzma.LZMADecompressor,
    "zst": zstd.ZstdDecompressor,
    zipfile.ZIP_DEFLATED: lambda: zlib.decompressobj(-15),
    zipfile.ZIP_BZIP2: bzip2_decompressor,
}


def overwritten(packed):
    """The same bytes, but for some in the middle."""
    at = len(packed) * 6 // 10
    return packed[:at] + b"\xff" * 200_000 + packed[at + 200_000 :]


def before_the_damage(make, packed):
    """What a decompressor gives that is fed byte by byte until it fails."""
    decompressor, given = make(), list[bytes]()
    try:
        for at in range(len(packed)):
            given.append(decompressor.decompress(packed[at : at + 1]))
    except Exception:
        return b"".join(given)
    raise AssertionError("not damaged")


@pytest.mark.parametrize("extension", some_of(["zst", "bz2", "xz"], 3))
def test_all_that_precedes_a_damage_is_read(tmp_path, extension):
    packed = overwritten(PACK[extension](DAMAGED_LINES))
    kept = before_the_damage(RAW[extension], packed)
    (tmp_path / f"a.{extension}").write_bytes(packed)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": f"a.{extension}", "total": "exact", "limit": 1})
        last = reader.reply({"path": f"a.{extension}", "offset": -1}).text.split("\n")[2]
    assert f"only the first {len(kept)} bytes of what it holds can be read" in reply.text
    assert last.partition("\t")[2] == kept.decode().split("\n")[-1]


@pytest.mark.parametrize("method", some_of([zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2], 2))
def test_all_that_precedes_a_damage_in_a_member_is_read(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("m.txt", DAMAGED_LINES)
        packed = archive.getinfo("m.txt").compress_size
    content = (tmp_path / "a.zip").read_bytes()
    start = 30 + len("m.txt")
    member = overwritten(content[start : start + packed])
    (tmp_path / "a.zip").write_bytes(content[:start] + member + content[start + packed :])
    kept = before_the_damage(RAW[method], member)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip/m.txt", "total": "exact", "limit": 1})
    assert f"only the first {len(kept)} bytes of what it holds can be read" in reply.text


def with_flipped_bits(packed, count, first=4):
    """Copies of packed bytes behind their signature, each with one other bit."""
    for seed in range(count):
        random_source, copy = random.Random(seed), bytearray(packed)
        copy[random_source.randrange(first, len(packed))] ^= 1 << random_source.randrange(8)
        yield bytes(copy)


def what_is_left(pieces):
    """The bytes that an unpacker gives, and what the note says of them."""
    held = bytearray()
    try:
        for piece in pieces:
            held += piece
    except Damaged as damaged:
        return bytes(held), ContentEnd(len(held), str(damaged)).notice(0, len(held)).message
    return bytes(held), ""


FLAT_LINES = b"a" * 3_000_000 + b"\n" + b"line\n" * 200_000
CHECKED_PACK = PACK | {
    "zst": lambda content: zstd.compress(content, options={zstd.CompressionParameter.checksum_flag: 1})
}


@pytest.mark.parametrize("content", [DAMAGED_LINES[:2_000_000], FLAT_LINES], ids=["dense", "flat"])
@pytest.mark.parametrize("extension", PACK)
def test_no_wrong_byte_of_a_damaged_file_is_shown_untold(extension, content):
    seen = set[str]()
    for raw in with_flipped_bits(CHECKED_PACK[extension](content), examples(30)):
        held, told = what_is_left(unpack_file(NAMES[extension], lambda at, count: raw[at : at + count], len(raw)))  # noqa: B023
        assert content.startswith(held) or "may be wrong" in told or told == WRONG
        assert extension != "bz2" or (content.startswith(held) and "may be wrong" not in told)
        seen.add(told.partition(":")[0])
    assert seen != {""}


@pytest.mark.parametrize("method", some_of([zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2], 2))
def test_no_wrong_byte_of_a_damaged_member_is_shown_untold(method):
    made, content = io.BytesIO(), DAMAGED_LINES[:500_000]
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("m.txt", content)
        member = archive.getinfo("m.txt")
    whole, start = made.getvalue(), 30 + len("m.txt")
    asked = f"{len(content)} 0 {member.compress_size} {method} 0 {member.CRC}".encode()
    for damaged in with_flipped_bits(whole[start : start + member.compress_size], examples(30), first=9):
        raw = whole[:start] + damaged + whole[start + len(damaged) :]
        held, told = what_is_left(ZIP.run(lambda at, count: raw[at : at + count], len(raw), asked))  # noqa: B023
        assert content.startswith(held) or "may be wrong" in told or told == WRONG


def test_of_bzip2_whole_blocks_are_left_however_its_packed_bytes_arrive():
    content = DAMAGED_LINES[:1_000_000]
    packed = bz2.compress(content, 1)
    damaged = packed[:-200_000] + b"\0" + packed[-199_999:]
    expected = before_the_damage(bzip2_decompressor, damaged)
    assert content.startswith(expected) and 500_000 < len(expected) < 1_000_000
    for step in (7, 4096, len(damaged)):
        decompressor, given = bzip2_decompressor(), bytearray()
        with pytest.raises(OSError, match="Invalid data stream"):
            for at in range(0, len(damaged), step):
                given += decompressor.decompress(damaged[at : at + step], 1000)
                while not decompressor.needs_input:
                    given += decompressor.decompress(b"", 1000)
        assert given == expected


def test_a_whole_stream_before_something_else_is_not_called_wrong(tmp_path):
    for extension in ("gz", "bz2", "xz"):
        (tmp_path / f"a.{extension}").write_bytes(PACK[extension](b"one\ntwo\n") + b"no stream begins so")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for extension in ("gz", "bz2", "xz"):
            told = "[note: it is damaged, or followed by something else: only the first 8 bytes of what it holds can be read]"
            assert told in reader.reply({"path": f"a.{extension}"}).text


def test_an_offset_behind_what_is_left_of_a_file_says_that_it_is_cut_off(tmp_path):
    whole = gzip.compress(b"".join(b"line %d\n" % number for number in range(5000)))
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        total = reader.reply({"path": "cut.gz", "total": "exact"}).data["total"]
        told = reader.reply({"path": "cut.gz", "offset": 4000}).text
    assert told.startswith(
        f"[error OUT_OF_RANGE] Offset 4000 is past the end of 'cut.gz' ({total} lines; it is cut off or damaged: only "
    )
    assert told.endswith(f" can be read, and some of them may be wrong). Use an offset from 1 to {total}.")


def test_of_a_tar_that_is_cut_off_only_the_member_that_is_cut_says_so_with_its_own_bytes(tmp_path):
    packed = io.BytesIO()
    content = DAMAGED_LINES[:1_000_000]
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, written in (("whole.txt", b"line\n" * 10), ("cut.txt", content)):
            member = tarfile.TarInfo(name)
            member.size = len(written)
            archive.addfile(member, io.BytesIO(written))
    (tmp_path / "a.tar.gz").write_bytes(packed.getvalue()[: len(packed.getvalue()) // 2])
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        cut = reader.reply({"path": "a.tar.gz/cut.txt", "total": "exact", "limit": 1})
        last = reader.reply({"path": "a.tar.gz/cut.txt", "offset": -1}).text.split("\n")[2].partition("\t")[2]
        assert "cut off" not in reader.reply({"path": "a.tar.gz/whole.txt", "total": "exact"}).text
    kept = int(re.search(r"it is cut off or damaged: only the first (\d+) bytes", cut.text)[1])
    assert content[:kept].decode().split("\n")[-1] == last
