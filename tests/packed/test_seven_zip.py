"""7z archives: every method that is read, those that are not, and headers that no program writes."""

import shutil
import struct
import subprocess
import time
import zlib

import pytest

import readwell
from corpus.seven_zip_writer import (
    AES,
    BZIP2,
    COPY,
    DEFLATE,
    LZMA,
    LZMA2,
    PPMD,
    X86,
    Block,
    archive,
    block_of,
    number,
    seven_zip_of,
    with_packed_header,
    with_signature_header,
)

FILES = {
    "src/app.py": b"import os\n" * 300,
    "big.log": b"".join(b"%d some line of a log\n" % each for each in range(60_000)),
    "größe.md": "# Größe\n".encode() * 40,
    "empty.txt": b"",
}
LINK, FOLDER = 0o120777 << 16 | 0x8000, 0x10


@pytest.fixture
def read(tmp_path):
    with readwell.Reader(tmp_path, cache_dir=None) as reader:

        def reading(content, inside="", **params):
            (tmp_path / "a.7z").write_bytes(content)
            return reader.reply({"path": f"a.7z{inside}", **params})

        yield reading


def code(reply):
    return reply.data["error"]["code"] if reply.is_error else "read"


@pytest.mark.parametrize("solid", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", [COPY, LZMA, LZMA2, BZIP2, DEFLATE])
def test_each_method_gives_the_same_lines(read, method, solid):
    content = with_packed_header(seven_zip_of(FILES, method, solid))
    reply = read(content, "/big.log", offset=-1)
    assert "\n60000\t59999 some line of a log\n" in reply.text
    assert "[end]" in reply.text
    assert "1\t# Größe\n" in read(content, "/größe.md", limit=1).text
    assert code(read(content, "/empty.txt")) == "read"


@pytest.mark.parametrize("inner", [COPY, LZMA, DEFLATE])
def test_a_filter_for_programs_before_a_method_keeps_every_byte(read, inner):
    import lzma

    program = b"\xe8\x10\x20\0\0text\n" * 5000 + b"end\n"
    framed = lzma.compress(program, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2}])
    filtered = lzma.decompress(framed, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    assert filtered != program
    packed = block_of([filtered], inner)
    block = packed._replace(coders=[(X86, b""), *packed.coders], checksums=[zlib.crc32(program)])
    reply = read(archive(["a.txt"], [block]), "/a.txt", offset=-1)
    assert "checksum" not in reply.text
    assert "\tend\n" in reply.text or code(reply) == "BINARY_FILE"


def test_one_child_serves_all_members_of_a_block(tmp_path):
    files = {f"{each:03}.txt": b"needle %d\n" % each for each in range(40)}
    (tmp_path / "a.7z").write_bytes(seven_zip_of(files))
    time.sleep(0.05)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.search_reply({"pattern": "needle", "path": "a.7z"}).data["count"] == 40
        assert reader._tool.activity().conversions <= 2


@pytest.mark.parametrize(
    ("method", "expected"), [(AES, "DOCUMENT_LOCKED"), (PPMD, "CONVERSION_FAILED"), (b"\x0b", "CONVERSION_FAILED")]
)
def test_methods_that_are_not_read_are_named_and_lead_on(read, method, expected):
    block = Block([(method, b"")], b"abc", 3, [3], [0])
    content = archive(["a.txt"], [block], ["empty.txt"])
    assert "a.txt\t3" in read(content).text
    reply = read(content, "/a.txt")
    assert code(reply) == expected
    assert "npack it with" in reply.text
    assert code(read(content, "/empty.txt")) == "read"


def test_links_folders_and_names_that_lead_out(read):
    names = ["../out.txt", "/etc/passwd", "same", "same", "deep/" * 2500 + "x", "link"]
    blocks = [block_of([b"x\n"] * len(names))]
    content = archive(names, blocks, [], ["folder"], [0] * 5 + [LINK, FOLDER])
    listed = read(content)
    assert listed.text.splitlines()[1:4] == ["folder/", "link\tlink", "same\t2"]
    assert "left out" in listed.text
    assert code(read(content, "/link")) == "NOT_REGULAR"
    assert "leads nowhere" in read(content, "/link").text
    for inside in ("/../a.7z", "/../out.txt", "//etc/passwd"):
        assert code(read(content, inside)) in ("NOT_FOUND", "read", "ACCESS_DENIED")
        assert "root:" not in read(content, inside).text


def test_a_name_with_a_nul_would_shift_the_others_and_is_refused(read):
    content = archive(["a\0b", "c"], [block_of([b"x\n", b"y\n"])])
    assert code(read(content)) == code(read(content, "/c")) == "CONVERSION_FAILED"


def test_a_wrong_checksum_is_told_of_that_member_and_not_of_the_one_before(read):
    block = block_of([b"one\n", b"two\n", b"three\n"], COPY)
    content = archive(["1", "2", "3"], [block._replace(packed=block.packed.replace(b"two", b"TWO"))])
    assert "[note: its checksum is wrong: it could be unpacked to its end, but may not be" in read(content, "/2").text
    assert "checksum" not in read(content, "/1").text
    assert "[note: its checksum is wrong: only the first 0 bytes" in read(content, "/3").text


def test_a_block_that_breaks_off_is_read_as_far_as_it_goes(read):
    block = block_of([b"one\n", b"two\n" * 100], COPY)
    content = archive(["1", "2"], [block._replace(packed=block.packed[:50])])
    assert "it is cut off or damaged: only the first 46 bytes" in read(content, "/2", offset=-1).text
    assert "cut off" not in read(content, "/1").text


def test_a_bomb_is_refused(read):
    block = block_of([bytes(80 << 20)])
    assert code(read(archive(["zeros"], [block]), "/zeros")) == "TOO_LARGE"
    liar = block_of([b"x\n"])._replace(size=1 << 50, sizes=[1 << 50])
    assert code(read(archive(["liar"], [liar]), "/liar")) == "TOO_LARGE"


def test_a_dictionary_larger_than_the_memory_is_not_made(read):
    block = block_of([b"line\n" * 100], LZMA)
    claimed = block._replace(coders=[(LZMA, struct.pack("<BL", 93, 0xFFFF_FFFF))])
    assert "100\tline\n" in read(archive(["a"], [claimed]), "/a").text


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\1\0",
        b"\1",
        b"\x17",
        b"\x99",
        b"\1\5" + number(1 << 40),
        b"\1\5" + number(1_000_000) + b"\x11" + number(3) + b"\0ab\0\0",
        b"\1\4\6" + number(1 << 63) + number(1) + b"\x09" + number(1 << 62) + b"\0\7\x0b\1\0\1\1\0\x0c\5\0\0\0\0",
        b"\1\4\7\x0b\1\0" + number(5000) + b"\0" * 5000,
        b"\1\4\7\x0b\1\0\2\1\0\1\0\1\1\0\0\0" + b"\x0c\1\1\0\0\0",
        b"\1\4\6\0\1\x09\5\0\7\x0b\1\0\1\1\0\x0c\5\0\x08\x0d\2\x09\x09\0\0\5\0\0",
        b"\x17\6\0\1\x09\2\0\7\x0b\1\0\1\1\0\x0c\2\0\0",
        b"\1\2\1" + number(1 << 60),
    ],
)
def test_headers_that_no_program_writes_are_refused_in_time(read, header):
    start = time.monotonic()
    reply = read(with_signature_header(b"\x01\0", header))
    assert code(reply) in ("read", "CONVERSION_FAILED")
    assert time.monotonic() - start < 10


def test_a_header_that_is_its_own_content_ends(read):
    """A header packed by no method whose content is the header again."""
    header = b"\x17\6\0\1\x09\x15\0\7\x0b\1\0\1\1\0\x0c\x15\0\0"
    header = header.ljust(21, b"\0")
    assert code(read(with_signature_header(header, header))) == "CONVERSION_FAILED"


METHODS = {
    "lzma2": [],
    "lzma": ["-m0=lzma"],
    "bcj": ["-m0=bcj", "-m1=lzma"],
    "bzip2": ["-m0=bzip2"],
    "deflate": ["-m0=deflate"],
    "copy": ["-m0=copy"],
    "delta": ["-m0=delta:4", "-m1=lzma2"],
    "arm": ["-m0=arm", "-m1=lzma"],
    "apart": ["-ms=off"],
    "plain header": ["-mhc=off"],
}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("7zz"), reason="NOT TESTED: needs the program 7zz")
@pytest.mark.parametrize("method", METHODS)
def test_archives_of_the_program_itself_read_like_the_files(tmp_path, method):
    for name, content in FILES.items():
        (tmp_path / "plain" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "plain" / name).write_bytes(content)
    subprocess.run(
        ["7zz", "a", "../a.7z", ".", *METHODS[method]], cwd=tmp_path / "plain", check=True, capture_output=True
    )
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for name in FILES:
            for params in ({}, {"offset": -2}):
                member = reader.reply({"path": f"a.7z/{name}", **params}).text
                plain = reader.reply({"path": f"plain/{name}", **params}).text
                assert member.partition(" | ")[2] == plain.partition(" | ")[2]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("7zz"), reason="NOT TESTED: needs the program 7zz")
def test_archives_with_a_password_are_locked(tmp_path):
    (tmp_path / "x.txt").write_bytes(b"secret\n")
    for name, more in {"members": [], "names": ["-mhe=on"]}.items():
        run = ["7zz", "a", f"{name}.7z", "x.txt", "-ppass", *more]
        subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert code(reader.reply({"path": "members.7z/x.txt"})) == "DOCUMENT_LOCKED"
        assert code(reader.reply({"path": "names.7z"})) == "DOCUMENT_LOCKED"
        assert "x.txt\t7" in reader.reply({"path": "members.7z"}).text
