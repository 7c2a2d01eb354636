"""An archive is a folder: listing, members, globs, search, outline; names inside are data and lead nowhere else."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import time
import zipfile
import zlib

import pytest

import readwell
from corpus import docx_writer
from corpus.seven_zip_writer import LZMA, seven_zip_of, with_packed_header

FILES = {
    "src/app.py": b"import os\n\n\ndef main():\n    return os.getcwd()\n" * 30,
    "src/deep/er/util.py": b"VALUE = 1\n",
    "docs/notes.md": "# Größe\nline\n".encode() * 4000,
    "data/latin.txt": "größe\n".encode("latin-1") * 50,
    "data/blob.bin": bytes(range(256)) * 20,
    "empty.txt": b"",
    "report.docx": docx_writer.headings(),
    "big.log": b"".join(b"%d some line of a log\n" % number for number in range(60_000)),
    "old.log.gz": gzip.compress(b"one\ntwo\n"),
}


def zip_of(files, method=zipfile.ZIP_DEFLATED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tar_of(files):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    for name, content in FILES.items():
        path = folder / "plain" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    packed = tar_of(FILES)
    (folder / "a.zip").write_bytes(zip_of(FILES))
    (folder / "stored.jar").write_bytes(zip_of(FILES, zipfile.ZIP_STORED))
    (folder / "bz.zip").write_bytes(zip_of(FILES, zipfile.ZIP_BZIP2))
    (folder / "lzma.zip").write_bytes(zip_of(FILES, zipfile.ZIP_LZMA))
    (folder / "a.tar").write_bytes(packed)
    (folder / "a.7z").write_bytes(with_packed_header(seven_zip_of(FILES)))
    (folder / "apart.7z").write_bytes(seven_zip_of(FILES, LZMA, solid=False))
    (folder / "a.tar.gz").write_bytes(gzip.compress(packed))
    (folder / "a.tbz2").write_bytes(bz2.compress(packed, 1))
    (folder / "a.tar.xz").write_bytes(lzma.compress(packed, preset=0))
    (folder / "nested.zip").write_bytes(zip_of({"in/a.zip": zip_of({"b.zip": zip_of({"x": b"x\n"}), "y.txt": b"y\n"})}))
    time.sleep(0.05)
    return folder


RARE = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("stored.jar", "bz.zip", "lzma.zip", "a.tbz2", "a.tar.xz", "apart.7z")
]
ARCHIVES = ("a.zip", "a.7z", "a.tar", "a.tar.gz", *RARE)


@pytest.fixture(scope="module")
def reader(place):
    with readwell.Reader(place, cache_dir=place / "cache") as opened:
        yield opened


def without_path(reply):
    """A reply without the path in its header, and without the time of the file."""
    if reply.is_error:
        return reply.data["error"]["code"]
    data = {name: value for name, value in reply.data.items() if name not in ("path", "mtime_ms", "tokens")}
    return reply.text.partition(" | ")[2], data


@pytest.mark.parametrize("archive", ARCHIVES)
@pytest.mark.parametrize("name", FILES)
def test_a_member_reads_like_the_same_file_unpacked(reader, archive, name):
    chance = random.Random(name)
    total = FILES[name].count(b"\n") + 1
    for params in ({}, {"offset": -3}, {"offset": total + 5}, {"offset": chance.randrange(1, total + 1), "limit": 2}):
        member = reader.reply({"path": f"{archive}/{name}", **params})
        plain = reader.reply({"path": f"plain/{name}", **params})
        assert without_path(member) == without_path(plain), params


@pytest.mark.parametrize("archive", ARCHIVES)
def test_folders_are_listed_as_those_of_the_disk(reader, archive):
    for folder in ("", "/src", "/src/deep", "/docs"):
        member, plain = reader.reply({"path": archive + folder}), reader.reply({"path": f"plain{folder}"})
        assert member.text.split("\n")[1:] == plain.text.split("\n")[1:]
    kind = "zip" if archive.endswith(("zip", "jar")) else "7z" if archive.endswith("7z") else "tar"
    assert reader.reply({"path": archive}).text.startswith(f"[{archive}/ | {kind} | entries 1-7 of 7]\n")


@pytest.mark.parametrize("archive", ARCHIVES)
def test_an_archive_has_the_outline_of_a_folder(reader, archive):
    outline, plain = (reader.reply({"path": path, "view": "outline"}).text for path in (archive, "plain"))
    assert outline.split("\n")[1:] == plain.split("\n")[1:]


@pytest.mark.parametrize("archive", ARCHIVES)
def test_an_archive_is_searched_when_it_is_named(reader, archive):
    def found(path):
        result = reader.search("9999 some line of a log|^one|main", path)
        return [(each.path.partition("/")[2], [row.line for row in each.rows]) for each in result.files]

    assert found(archive) == found("plain")
    assert [each.path for each in reader.search("getcwd", ".").files] == ["plain/src/app.py"]


def test_one_child_unpacks_all_that_is_read_of_an_archive(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({f"{each % 7}/{each}.txt": b"needle %d\n" % each for each in range(40)}))
    time.sleep(0.05)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.search_reply({"pattern": "needle", "path": "a.zip"}).data["count"] == 40
        assert "1\tneedle 8\n" in reader.reply({"path": "a.zip/1/8.txt"}).text
        assert reader._tool.activity().conversions == 1


def test_a_search_tells_what_of_an_archive_is_damaged_or_left_out(tmp_path):
    whole = zip_of(
        {"a.txt": b"needle and some more\n" * 50, "../b.txt": b"x", "c.txt": b"needle\n"}, zipfile.ZIP_STORED
    )
    (tmp_path / "a.zip").write_bytes(whole.replace(b"needle and", b"nEEdle and", 1))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.search_reply({"pattern": "needle", "path": "a.zip"})
        assert "[note: 1 member left out" in reply.text
        assert "[note: searched to its end, but its checksum is wrong: a.zip/a.txt]" in reply.text
        assert reply.data["count"] == 50


def test_sizes_and_offsets_of_large_archives_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    (tmp_path / "large.zip").write_bytes(zip_of({f"d/{each}.txt": b"line %d\n" % each * each for each in range(1, 9)}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "large.zip/d"}).text.splitlines()[1:3] == ["1.txt\t7", "2.txt\t14"]
        assert "8\tline 8\n[end]" in reader.reply({"path": "large.zip/d/8.txt"}).text


@pytest.mark.parametrize("system", [0, 3])
def test_what_a_member_is_follows_from_its_mode_where_the_system_has_modes(tmp_path, system):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, mode in {"plain": 0o100644, "none": 0, "link": 0o120777, "pipe": 0o010644, "dir/": 0o040755}.items():
            member = zipfile.ZipInfo(name)
            member.create_system, member.external_attr = system, mode << 16
            archive.writestr(member, b"" if name == "dir/" else b"abc\n")
    (tmp_path / "a.zip").write_bytes(made.getvalue())
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        listed = reader.reply({"path": "a.zip"}).text.splitlines()[1:-1]
    odd = (
        ["link\tlink", "none\t4", "pipe\tspecial", "plain\t4"]
        if system == 3
        else ["link\t4", "none\t4", "pipe\t4", "plain\t4"]
    )
    assert listed == ["dir/", *odd]


def test_globs_lead_into_archives(reader):
    reply = reader.reply({"paths": ["a.zip/**/*.py"], "limit": 4})
    assert "[a.zip/src/app.py | lines" in reply.text and "[a.zip/src/deep/er/util.py | lines" in reply.text
    found = reader.search("VALUE", paths=["a.tar.gz/**/*.py"])
    assert [each.path for each in found.files] == ["a.tar.gz/src/deep/er/util.py"]


def test_a_missing_member_is_told_with_what_it_may_have_meant(reader):
    reply = reader.reply({"path": "a.zip/src/ap.py"})
    assert reply.text == "[error NOT_FOUND] File 'a.zip/src/ap.py' does not exist. Did you mean: a.zip/src/app.py?"


@pytest.mark.parametrize(
    "path", ["a.zip/../a.zip", "a.zip/src/../src/app.py", "a.zip/..", "a.zip/src/app.py/x", "a.zip/no/x"]
)
def test_names_inside_lead_nowhere_else(reader, path):
    assert reader.reply({"path": path}).data["error"]["code"] == "NOT_FOUND"


def test_an_archive_in_an_archive_opens_and_one_in_that_does_not(reader):
    assert "\n1\ty\n" in reader.reply({"path": "nested.zip/in/a.zip/y.txt"}).text
    assert reader.reply({"path": "nested.zip/in/a.zip"}).text.startswith(
        "[nested.zip/in/a.zip/ | zip | entries 1-2 of 2]"
    )
    assert reader.reply({"path": "nested.zip/in/a.zip/b.zip/x"}).data["error"]["code"] == "NOT_FOUND"
    assert reader.reply({"path": "nested.zip/in/a.zip/b.zip"}).data["error"]["code"] == "BINARY_FILE"


def test_deny_rules_see_the_names_inside(place):
    (place / "secret.zip").write_bytes(zip_of({"a/.env": b"KEY=1\n", "a/b.txt": b"b\n", "private/x": b"x\n"}))
    (place / "other.zip").unlink(missing_ok=True)
    (place / "other.zip").symlink_to("secret.zip")
    with readwell.Reader(place, deny=[".env", "secret.zip/private/"], cache_dir=None) as reader:
        for path in ("secret.zip/a/.env", "secret.zip/nothing/.env", "secret.zip/private/x", "other.zip/private/x"):
            assert reader.reply({"path": path}).data["error"]["code"] == "ACCESS_DENIED", path
        assert reader.reply({"path": "secret.zip/a"}).text.split("\n")[1:] == ["b.txt\t2", "[note: 1 denied]", "[end]"]
        assert reader.reply({"path": "other.zip"}).text.split("\n")[1:] == ["a/", "[note: 1 denied]", "[end]"]
        found = reader.search("KEY|x|b", "secret.zip", everything=True)
        assert [each.path for each in found.files] == ["secret.zip/a/b.txt"]
        assert reader.reply({"path": "secret.zip/a/.en"}).text.endswith("Did you mean: secret.zip/a/b.txt?") is False


def test_names_that_lead_out_are_left_out_and_counted(tmp_path):
    bad = [
        "../x",
        "/abs.txt",
        "//x.txt",
        "/etc/passwd",
        "a/../../x",
        "a//b",
        "a/./b",
        "x" * 300,
        "/".join("d" * 10_000),
        "a\x00b",
    ]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in (*bad, "good.txt"):
            info = zipfile.ZipInfo("placeholder")
            info.filename = name
            archive.writestr(info, "text\n")
    (tmp_path / "a.zip").write_bytes(made.getvalue())
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip"})
        told = f"[note: {len(bad)} members left out: their names lead out of the archive, or stand twice]"
        assert reply.text.split("\n")[1:] == ["good.txt\t5", told, "[end]"]
        assert reader.reply({"path": "a.zip/../x"}).data["error"]["code"] == "NOT_FOUND"


def test_of_two_members_of_one_name_the_last_is_read_and_the_other_told(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", "first\n")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.txt", "second\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "second" in reader.reply({"path": "a.zip/a.txt"}).text
        assert "1 member left out" in reader.reply({"path": "a.zip"}).text


def test_links_and_devices_in_a_tar_lead_nowhere(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name, kind in (
            ("link", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("dev", tarfile.CHRTYPE),
            ("pipe", tarfile.FIFOTYPE),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.tar"}).text.split("\n")[1:-1] == [
            "dev\tspecial",
            "hard\tlink",
            "link\tlink",
            "pipe\tspecial",
        ]
        for name in ("link", "hard", "dev", "pipe"):
            assert reader.reply({"path": f"a.tar/{name}"}).data["error"]["code"] == "NOT_REGULAR"


def encrypted(archive):
    """The same archive with every member said to be encrypted."""
    made = bytearray(archive)
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (start := made.find(signature, start)) >= 0:
            made[start + at] |= 1
            start += 4
    return bytes(made)


def test_an_encrypted_member_is_locked_and_its_archive_is_listed(tmp_path):
    (tmp_path / "a.zip").write_bytes(encrypted(zip_of({"a.txt": b"text\n"})))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "\na.txt\t5\n" in reader.reply({"path": "a.zip"}).text
        reply = reader.reply({"path": "a.zip/a.txt"})
    assert reply.data["error"]["code"] == "DOCUMENT_LOCKED"
    assert reply.text.endswith("Unpack it with its password, and read what comes out.")


def test_members_that_overlap_are_refused(tmp_path):
    one = zip_of({"a.txt": b"a" * 100})
    at = one.index(b"PK\x01\x02")
    entry, end = one[at : one.index(b"PK\x05\x06")], one[one.index(b"PK\x05\x06") :]
    other = entry.replace(b"a.txt", b"b.txt")
    end = end[:8] + struct.pack("<2H2L", 2, 2, len(entry) * 2, at) + end[20:]
    (tmp_path / "a.zip").write_bytes(one[:at] + entry + other + end)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip"})
    assert (
        reply.text == "[error CONVERSION_FAILED] 'a.zip' could not be unpacked: its members overlap. Read another file."
    )


@pytest.mark.parametrize("claimed", [3, 10_000])
def test_a_member_of_another_size_than_the_directory_says_is_told(tmp_path, claimed):
    made = bytearray(zip_of({"a.txt": b"text\nmore\n"}))
    at = made.index(b"PK\x01\x02")
    made[at + 24 : at + 28] = struct.pack("<L", claimed)
    (tmp_path / "a.zip").write_bytes(made)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip/a.txt"})
    assert "than the archive says: only the first" in reply.text


def test_bombs_in_archives_are_refused(tmp_path):
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    made = bytearray(zip_of({"bomb.txt": b"a\n" * 10_000_000}))
    at = made.index(b"PK\x01\x02")
    made[at + 24 : at + 28] = struct.pack("<L", 3 << 30)
    (tmp_path / "a.zip").write_bytes(made)
    assert packed
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.zip/bomb.txt"}).data["error"]["code"] == "TOO_LARGE"


def test_a_zip_that_is_also_a_pdf_is_what_it_begins_with(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4\nnothing\nstartxref\n0\n%%EOF\n" + zip_of({"a.txt": b"text\n"}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.pdf"}).data["error"]["code"] == "CONVERSION_FAILED"
        assert reader.reply({"path": "a.pdf/a.txt"}).data["error"]["code"] == "NOT_FOUND"


def test_an_office_document_is_no_archive(reader):
    assert reader.reply({"path": "plain/report.docx/word/document.xml"}).data["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("archive", ["a.zip", "a.7z", "apart.7z", "a.tar", "a.tar.gz"])
def test_damage_is_typed_and_never_hangs(place, tmp_path, archive):
    whole = (place / archive).read_bytes()
    chance = random.Random(archive)
    codes = set()
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        for number in range(12):
            broken = bytearray(whole[: chance.randrange(600, len(whole))] if number % 2 else whole)
            for _ in range(3):
                broken[chance.randrange(len(broken))] ^= chance.randrange(1, 256)
            (tmp_path / archive).write_bytes(broken)
            for name in ("", "/src/app.py", "/big.log"):
                reply = reader.reply({"path": archive + name})
                codes.add(reply.data["error"]["code"] if reply.is_error else "read")
    assert codes <= {
        "read",
        "CONVERSION_FAILED",
        "NOT_FOUND",
        "BINARY_FILE",
        "TOO_LARGE",
        "DOCUMENT_LOCKED",
        "NOT_REGULAR",
    }


def test_published_dialects_do_not_enter_archives(place):
    from readwell.dialects import NAMES, dialect_named
    from readwell.tool import Tool

    for name in {*NAMES} - {"native"}:
        tool = Tool(dialect_named(name), [str(place)])
        reply = tool.reply({tool.dialect_tool.required[0]: "a.zip/src/app.py"})
        assert "getcwd" not in reply.text
        tool.close()


def test_an_archive_opens_by_the_name_that_its_header_shows(place):
    with readwell.Reader(place, cache_dir=None) as reader:
        shown, plain = (reader.reply({"path": path}) for path in ("a.zip/", "a.zip"))
        assert (shown.text, shown.is_error) == (plain.text, False)
        assert reader.search_reply({"pattern": "import", "path": "a.zip/"}).data["count"] > 0
        assert reader.reply({"path": "nowhere/"}).data["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("archive", ["a.zip", "a.tar"])
def test_a_missing_folder_in_an_archive_is_told_with_the_nearest_that_exists(tmp_path, archive):
    files = {"src/app.py": b"x\n", "in.zip": zip_of({"deep/a.txt": b"x\n"})}
    (tmp_path / archive).write_bytes((zip_of if archive == "a.zip" else tar_of)(files))
    nearest = {"nope/x.py": "", "src/nope/er/x.py": "/src", "./src//nope/./x.py": "/./src", "in.zip/nope/x": "/in.zip"}
    with readwell.Reader(tmp_path) as reader:
        for path, folder in nearest.items():
            hint = reader.reply({"path": f"{archive}/{path}"}).data["error"]["hint"]
            told = (
                f"Nor does its directory; the nearest that does is '{archive}{folder}/'. Read it to see what is there."
            )
            assert (path, hint) == (path, told)
            assert not reader.reply({"path": f"{archive}{folder}/"}).is_error
        through = reader.reply({"path": f"{archive}/src/app.py/x/y"}).text
        assert f"does not exist: '{archive}/src/app.py' is a file. Read '{archive}/src/app.py'." in through


@pytest.mark.parametrize("made", [zip_of, tar_of])
def test_a_member_opens_by_its_name_as_it_is_printed(tmp_path, made):
    names = [
        "new\nline.txt",
        "[x.txt",
        "deep\x1b/er\x07/a.txt",
        "bidi\u202e.txt",
        "nbsp\u202fname.txt",
        "a\nb",
        "plain",
    ]
    (tmp_path / "pack").write_bytes(made({name: f"{name!a} has amber\n".encode() for name in names}))
    (tmp_path / "odd\nname").write_bytes((tmp_path / "pack").read_bytes())
    with readwell.Reader(tmp_path) as reader:
        for archive in ("pack", "odd\\x0aname"):
            found = reader.search_reply({"pattern": "amber", "path": archive}).data["matches"]
            assert [match["text"] for match in found] == [f"{name!a} has amber" for name in sorted(names)]
            for match in found:
                reply = reader.reply({"path": match["path"]})
                assert (match["text"] in reply.text, reply.data["path"]) == (True, match["path"]), reply.text
            listed = reader.reply({"path": f"{archive}/"}).text.splitlines()[1:-2]
            shown = [row.split("\t")[0] for row in listed if not row.startswith("[")]
            assert "\\x5bx.txt" in shown
            assert [name for name in shown if reader.reply({"path": f"{archive}/{name}"}).is_error] == []
        reply = reader.reply({"path": "pack/nbsp name.txt"})
        assert [notice["code"] for notice in reply.data["notices"]] == ["name-repaired"]
        assert reader.reply({"path": "pack/\\x5bx.txt"}).text.startswith("[pack/[x.txt | ")
        assert "has amber" in reader.search_reply({"pattern": "amber", "path": "pack/deep\\x1b/er\\x07"}).text


def test_a_member_whose_name_is_shown_for_another_is_not_guessed(tmp_path):
    (tmp_path / "a.tar").write_bytes(tar_of({"a\nb": b"line end\n", r"a\x0ab": b"backslash\n"}))
    with readwell.Reader(tmp_path) as reader:
        assert r"a\x5cx0ab" in reader.reply({"path": "a.tar"}).text
        asked = reader.reply({"path": r"a.tar/a\x0ab"})
        assert (asked.is_error, "two entries are called so" in asked.text) == (True, True)
        assert "backslash" in reader.reply({"path": r"a.tar/a\x5cx0ab"}).text
        assert "line end" in reader.reply({"path": "a.tar/a\nb"}).text


def test_a_denied_member_is_not_opened_by_another_spelling(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"sec\nret/key.txt": b"amber\n", "open.txt": b"x\n"}))
    with readwell.Reader(tmp_path, deny=["sec*ret"]) as reader:
        there, nowhere = (
            reader.reply({"path": f"a.zip/{name}"}) for name in (r"sec\x0aret/key.txt", r"sec\x0bret/key.txt")
        )
        assert (there.is_error, "amber" in there.text) == (True, False)
        assert there.text.replace("x0a", "") == nowhere.text.replace("x0b", "")


ENDS = {"a.zip/ok.txt/": "a.zip/ok.txt", "a.zip/ok.txt/.": "a.zip/ok.txt", "a.zip/ok.txt/x/y": "a.zip/ok.txt"}
DEEPER = {"a.zip/in.zip/c.txt/": "a.zip/in.zip/c.txt", "a.zip/in.zip/c.txt/x": "a.zip/in.zip/c.txt"}


@pytest.mark.parametrize(("path", "file"), {**ENDS, **DEEPER}.items())
def test_a_member_that_is_a_file_leads_no_further_and_is_named(tmp_path, path, file):
    (tmp_path / "a.zip").write_bytes(zip_of({"ok.txt": b"ok\n", "in.zip": zip_of({"c.txt": b"c\n"})}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": path})
        assert reply.text == f"[error NOT_FOUND] File '{path}' does not exist: '{file}' is a file. Read '{file}'."
        assert reader.reply({"path": "a.zip/in.zip/"}).text.startswith("[a.zip/in.zip/ | zip | entries 1-1 of 1]")


@pytest.mark.parametrize("mode", ["", "gz"])
def test_an_empty_tar_has_no_entries(tmp_path, mode):
    name = "a.tar.gz" if mode else "a.tar"
    tarfile.open(tmp_path / name, f"w:{mode}").close()
    (tmp_path / "zeros.bin").write_bytes(bytes(10_240))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": name}).text == f"[{name}/ | tar | entries 0-0 of 0]\n[end]"
        assert reader.reply({"path": "zeros.bin"}).data["error"]["code"] == "BINARY_FILE"


def test_a_sparse_member_of_a_tar_is_listed_with_its_size_and_not_called_a_device(tmp_path):
    block = bytearray(tarfile.TarInfo("s.img").tobuf(tarfile.GNU_FORMAT))
    block[156:157] = tarfile.GNUTYPE_SPARSE
    block[124:136] = b"%011o\0" % 512  # the bytes that are stored, where they belong, and the size with holes
    block[386:410] = b"%011o\0%011o\0" % (0, 512)
    block[483:495] = b"%011o\0" % 98_304
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    (tmp_path / "a.tar").write_bytes(bytes(block) + b"x" * 512 + bytes(1024))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "\ns.img\t98304\n" in reader.reply({"path": "a.tar"}).text
        reply = reader.reply({"path": "a.tar/s.img"})
    assert reply.data["error"]["code"] == "CONVERSION_FAILED"
    assert "the member is stored without its holes, which is not read" in reply.text


def test_a_member_that_is_packed_in_an_unknown_way_is_refused_with_its_method_and_the_others_are_read(tmp_path):
    content = bytearray(zip_of({"a.txt": b"a\n", "b.txt": b"b\n"}))
    for start, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = content.index(start) + place
        content[at : at + 2] = (98).to_bytes(2, "little")
    (tmp_path / "a.zip").write_bytes(content)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.zip/a.txt"})
        assert reader.read("a.zip/b.txt").lines == ["b"]
    assert reply.text.startswith("[error CONVERSION_FAILED] 'a.zip/a.txt' could not be ")
    assert "the member is packed by method 98, which is not read" in reply.text


def test_members_left_out_are_told_at_the_top_of_an_archive_alone(tmp_path):
    (tmp_path / "a.zip").write_bytes(zip_of({"sub/a.txt": b"a\n", "../b.txt": b"b\n"}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "1 member left out" in reader.reply({"path": "a.zip"}).text
        assert "left out" not in reader.reply({"path": "a.zip/sub"}).text
