"""Rules of the tool `search`: order, globs, what is passed over, and that nothing stays open."""

import gzip
import os
import re
import sys
import zipfile
from contextlib import closing

import pytest

import readwell
from corpus.docx_writer import document
from corpus.pdf_writer import Page, pdf
from readwell.dialects import dialect_named
from readwell.tool import Deferred, Tool


@pytest.fixture
def reader(tmp_path):
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        yield reader


def put(folder, files):
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


def said(reader, pattern, **params):
    return re.sub(r"rev [0-9a-f]{12}", "rev REV", reader.search_reply({"pattern": pattern, **params}).text)


def paths(reader, pattern, **params):
    return [match.path for match in reader.search(pattern, **params).matches]


def lines(reader, pattern, path, **params):
    return [match.line for match in reader.search(pattern, path, **params).matches]


def printed(*texts):
    page = Page()
    for number, text in enumerate(texts):
        page.text(72, 720 - 14 * number, text, 11)
    return page


def test_classes_are_ascii_and_the_description_says_so(tmp_path, reader):
    put(tmp_path, {"a.txt": "é\nword\n\u0661\u0662\n12\n\u00a0\na b\n"})
    assert lines(reader, r"^\w+$", "a.txt") == [2, 4]
    assert lines(reader, r"\d", "a.txt") == [4]
    assert lines(reader, r"\s", "a.txt") == [6]
    assert lines(reader, r"é\b", "a.txt") == []
    assert "ASCII" in dialect_named("native").tools[1].definition("json")["description"]


@pytest.mark.parametrize("literal", [False, True])
def test_case_is_ignored_in_every_script(tmp_path, reader, literal):
    put(tmp_path, {"a.txt": "École\nΣΊΣΥΦΟΣ\nстрока\n"})
    for number, word in enumerate(("éCOLE", "σίσυφος", "СТРОКА"), 1):
        assert lines(reader, word, "a.txt", ignore_case=True, literal=literal) == [number]
        assert lines(reader, word, "a.txt", literal=literal) == []


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("x[^]]y", [4, 5]), ("x[^]a]y", [5]), ("x[^a]y", [3, 5]), ("x[]a]y", [3, 4]), (r"x\[\^]y", [6])],
)
def test_a_set_that_excludes_characters_matches_no_line_end(tmp_path, reader, pattern, found):
    put(tmp_path, {"a.txt": "x\ny\nx]y\nxay\nxby\nx[^]y\n"})
    assert lines(reader, pattern, "a.txt") == found


def test_paths_are_in_the_order_of_code_points_and_documents_come_last(tmp_path, reader):
    pytest.importorskip("pypdfium2")
    names = ("B.txt", "a-b.txt", "a.txt", "a/b.txt", "z.txt")
    put(tmp_path, dict.fromkeys(reversed(names), "k\n") | {"a.pdf": pdf(printed("k"))})
    for _ in range(2):  # converted, then kept
        assert paths(reader, "k") == [*names, "a.pdf"]


def test_a_line_counts_once_however_often_it_matches(tmp_path, reader):
    put(tmp_path, {"a.txt": "k k k\nk\n"})
    result = reader.search("k")
    assert [(match.line, match.column) for match in result.matches] == [(1, 1), (2, 1)] and result.total == 2


def test_a_glob_with_a_slash_is_a_path_below_the_folder_that_is_searched(tmp_path, reader):
    put(tmp_path, dict.fromkeys(("top/a.py", "top/sub/b.py", "top/sub/deep/c.py", "sub/d.py"), "k"))
    assert paths(reader, "k", path="top", glob="sub/*.py") == ["top/sub/b.py"]
    assert paths(reader, "k", path="top", glob="sub/**/*.py") == ["top/sub/b.py", "top/sub/deep/c.py"]
    assert paths(reader, "k", path="top", glob="top/**") == []
    assert paths(reader, "k", glob="c.py") == ["top/sub/deep/c.py"]


@pytest.mark.parametrize(
    "glob, found",
    [
        ("x.ts", ["src/in/x.ts", "src/x.ts", "x.ts"]),
        ("/x.ts", ["x.ts"]),
        ("./x.ts", ["x.ts"]),
        ("/src/x.ts", ["src/x.ts"]),
        ("./src//x.ts", ["src/x.ts"]),
        ("{/x.ts,in/}", ["x.ts"]),
        ("src/", ["src/in/x.ts", "src/x.ts"]),
        ("/src/", ["src/in/x.ts", "src/x.ts"]),
        ("**/in/", ["src/in/x.ts"]),
        ("in/", []),
        ("src", []),
        ("/", ["src/in/x.ts", "src/x.ts", "x.ts"]),
    ],
)
def test_a_glob_with_a_slash_anywhere_is_a_path_and_one_that_ends_in_it_a_folder(tmp_path, reader, glob, found):
    put(tmp_path, dict.fromkeys(("x.ts", "src/x.ts", "src/in/x.ts"), "k\n"))
    assert paths(reader, "k", glob=glob) == found


def test_a_glob_for_the_top_that_matches_nothing_names_the_one_for_any_depth(tmp_path, reader):
    put(tmp_path, {"src/x.ts": "k\n"})
    for glob in ("/x.ts", "./x.ts"):
        assert f'[note: no file matches glob "{glob}"; at any depth: "**/x.ts"]\n' in said(reader, "k", glob=glob)


def test_all_ignore_files_are_followed_without_a_repository(tmp_path):
    put(tmp_path, {".gitignore": "*.log\n!keep.log\n", ".ignore": "x.txt\n", ".aiignore": "own.txt\n", "sub/.gitignore": "y.txt\n"})  # fmt: skip
    put(tmp_path, dict.fromkeys(("a.log", "keep.log", "x.txt", "own.txt", "y.txt", "sub/y.txt", "sub/z.txt"), "needle"))
    with readwell.Reader(tmp_path, cache_dir=None, ignore_files=True) as reader:
        assert paths(reader, "needle") == ["keep.log", "sub/z.txt", "y.txt"]
        assert paths(reader, "needle", path="x.txt") == ["x.txt"]
        # The reader's own ignore files deny; the others are passed over until everything is asked for.
        assert paths(reader, "needle", everything=True) == [
            "a.log",
            "keep.log",
            "sub/y.txt",
            "sub/z.txt",
            "x.txt",
            "y.txt",
        ]


def test_a_compressed_file_is_searched_and_an_archive_when_it_is_named(tmp_path, reader):
    put(tmp_path, {"a.txt.gz": gzip.compress(b"x\nneedle\n"), "a.zip.txt": "needle"})
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/b.txt", "needle\n")
    assert paths(reader, "needle") == ["a.txt.gz", "a.zip.txt"]
    assert paths(reader, "needle", path="a.zip") == ["a.zip/in/b.txt"]
    assert paths(reader, "needle", paths=["a.*"]) == ["a.txt.gz", "a.zip.txt", "a.zip/in/b.txt"]
    assert paths(reader, "needle", paths=["a.*"], after="a.zip.txt:1") == ["a.zip/in/b.txt"]


MIXED = "é in UTF-8\n".encode() * 3 + b"plain\n" * 20_000 + "le café\n".encode("latin-1")


@pytest.mark.parametrize(
    "params", [{"pattern": "café"}, {"pattern": "CAFÉ", "ignore_case": True}, {"pattern": r"caf\x{e9}"}]
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_search_beyond_ascii_names_files_with_bytes_that_cannot_be_decoded(tmp_path, reader, params, packed):
    content = MIXED * (20 if packed else 1)
    name = "mixed.log.gz" if packed else "mixed.log"
    (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)
    put(tmp_path, {"sound.txt": "un thé\n"})
    note = f"[note: some bytes cannot be decoded, so a match may be missing: {name}]"
    reply = reader.search_reply(params)
    assert reply.text.split("\n")[1:] == [note, "[end]"]
    assert reply.data["notices"][0]["code"] == "undecodable"
    assert note in reader.search_reply({**params, "path": name}).text


def test_bytes_that_cannot_be_decoded_hide_nothing_from_a_pattern_in_ascii(tmp_path, reader):
    (tmp_path / "mixed.log").write_bytes(MIXED)
    assert "decoded" not in reader.search_reply({"pattern": "le caf.$"}).text


@pytest.mark.parametrize("count", [1, 60_000])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-32"])
def test_a_replacement_character_in_a_text_is_no_byte_that_cannot_be_decoded(tmp_path, reader, codec, count):
    text = ("un thé \ufffd été\n" * count).encode(codec)
    (tmp_path / "a.txt").write_bytes(text)
    assert reader.search_reply({"pattern": "zé"}).text == '[search "zé" in ./ | no match in 1 file]\n[end]'
    (tmp_path / "a.txt").write_bytes(text + {"utf-8": b"\xff", "utf-16": b"\x00\xd8", "utf-32": b"\xff" * 4}[codec])
    assert (
        "some bytes cannot be decoded, so a match may be missing: a.txt" in reader.search_reply({"pattern": "zé"}).text
    )


def test_bytes_that_an_old_encoding_lacks_are_told_too(tmp_path, reader):
    (tmp_path / "a.txt").write_bytes("日本語の文章です。\n".encode("shift_jis") * 50 + b"\x83\n")
    assert "cannot be decoded" in reader.search_reply({"pattern": "猫"}).text


def test_a_gzip_file_with_a_wrong_checksum_is_searched_to_its_end(tmp_path, reader):
    whole = gzip.compress(b"needle\n" * 1000)
    (tmp_path / "sum.gz").write_bytes(whole[:-8] + b"\0\0\0\0" + whole[-4:])
    (tmp_path / "cut.gz").write_bytes(whole[:-12])
    told = reader.search_reply({"pattern": "needle", "limit": 5000}).text
    assert "[note: damaged or cut off, so searched as far as it goes: cut.gz]" in told
    assert "[note: searched to its end, but its checksum is wrong: sum.gz]" in told


def test_documents_that_fail_are_named_up_to_five(tmp_path, reader):
    pytest.importorskip("pypdfium2")
    put(tmp_path, {f"{number}.pdf": b"%PDF-1.4\nnothing\nstartxref\n" for number in range(7)})
    reply = reader.search_reply({"pattern": "k"})
    assert not reply.is_error and reply.data["skipped"]["failed"] == 7
    assert reply.text.split("\n")[1] == (
        "[note: not searched: 7 could not be read: 0.pdf, 1.pdf, 2.pdf, 3.pdf, 4.pdf and 2 more]"
    )


def test_a_document_with_nothing_in_it_is_searched_all_the_same(tmp_path, reader):
    pytest.importorskip("pypdfium2")
    (tmp_path / "blank.pdf").write_bytes(pdf(Page(), Page()))
    (tmp_path / "empty.docx").write_bytes(document(""))
    assert reader.search_reply({"pattern": "k"}).text == '[search "k" in ./ | no match in 2 files]\n[end]'


def test_a_glob_among_the_paths_matches_thousands_of_files(tmp_path, reader):
    put(tmp_path, {f"{number:04}.txt": "k\n" for number in range(1100)} | {"last.md": "k\n"})
    result = reader.search("k", paths=["*.txt", "last.md"], only="files", limit=2000)
    assert [each.path for each in result.files] == [*(f"{number:04}.txt" for number in range(1100)), "last.md"]
    assert said(reader, "k", paths=["*.txt"], limit=1).startswith(
        '[search "k" in *.txt | matches 1-1 of 1+ in 1+ files]\n[0000.txt | 1+ matches |'
    )
    assert said(reader, "k", paths=["*.md"]).startswith('[last.md | search "k" | matches 1-1 of 1 |')


@pytest.mark.parametrize(
    "given, everything, found",
    [
        (["*.txt"], False, ["a.txt"]),
        (["**/*.txt"], False, ["a.txt", "src/b.txt"]),
        (["*/*.txt"], False, ["src/b.txt"]),
        (["*.txt", "git.txt", "link.txt"], False, ["a.txt", "git.txt", "link.txt"]),  # these are named
        (["build/*.txt"], False, ["build/c.txt"]),  # so is this folder
        (["l*/b.txt", "a.txt"], False, ["a.txt"]),
        (["*/../link/*.txt", "a.txt"], False, ["a.txt"]),
        (["*.txt"], True, [".hidden.txt", "a.txt", "ai.txt", "git.txt", "ig.txt"]),
        (["**/c.txt"], True, ["build/c.txt"]),
        ([".h*.txt"], False, [".hidden.txt"]),
    ],
)
def test_a_glob_among_the_paths_matches_what_a_search_of_the_folder_meets(tmp_path, reader, given, everything, found):
    names = ("a.txt", "ai.txt", "git.txt", "ig.txt", ".hidden.txt", "src/b.txt", "build/c.txt")
    ignored = {".gitignore": "/git.txt\nbuild/\n", ".aiignore": "ai.txt\n", ".ignore": "ig.txt\n"}
    put(tmp_path, dict.fromkeys(names, "k\n") | ignored)
    (tmp_path / "link").symlink_to("src")
    (tmp_path / "link.txt").symlink_to("a.txt")
    assert paths(reader, "k", paths=given, everything=everything) == found


def test_a_link_that_a_glob_spells_out_is_followed(tmp_path, reader):
    put(tmp_path, {"versions/2/a.txt": "k\n"})
    (tmp_path / "versions" / "current").symlink_to("2")
    assert paths(reader, "k", paths=["versions/current/*.txt"]) == ["versions/current/a.txt"]
    assert paths(reader, "k", paths=["v*/current/*.txt"]) == ["versions/current/a.txt"]
    assert paths(reader, "k", paths=["versions/*/*.txt"]) == ["versions/2/a.txt"]


def test_a_glob_that_matches_nothing_says_so(tmp_path, reader):
    put(tmp_path, {"a.txt": "k\n"})
    told = "No file matches '*.py'. Check the pattern, or read a directory to see what is there."
    assert said(reader, "k", paths=["*.py"]) == f"[error NOT_FOUND] {told}"
    assert f"\n[note: {told} Hidden and ignored files: everything=true.]\n" in said(
        reader, "k", paths=["a.txt", "*.py"]
    )
    assert f"\n[note: {told}]\n" in said(reader, "k", paths=["a.txt", "*.py"], everything=True)
    assert 'Send a pattern in paths: paths=["*.py"].' in said(reader, "k", path="*.py")


def test_a_glob_cannot_exclude(tmp_path, reader):
    put(tmp_path, {"a.py": "k\n"})
    wants = "a glob such as *.py or src/**/*.ts: it says what is searched, and cannot exclude"
    assert said(reader, "k", glob="!a.py") == f"[error INVALID_PARAM] Invalid glob. It must be {wants}."


def test_a_glob_whose_alternative_matches_no_file_says_which(tmp_path, reader):
    put(tmp_path, {"a.py": "k\n", "source/b.py": "k\n", "deep/source/c.py": "k\n"})
    told = said(reader, "k", glob="{a.py,deep/b.py,*.rs}")
    assert '[note: no file matches glob "deep/b.py"; at any depth: "**/deep/b.py"]\n' in told
    assert '[note: no file matches glob "*.rs"]\n' in told
    assert '"a.py"' not in told
    assert "no file matches" not in said(reader, "k", glob="source/*.py")
    assert "no file matches" not in said(reader, "k", glob="*.{py,rs}", limit=1)  # not all was looked at


@pytest.mark.parametrize(
    "given, glob, found",
    [
        ({"path": "a.txt"}, "*.py", []),
        ({"path": "a.py"}, "*.py", ["a.py"]),
        ({"path": "src/b.py"}, "*.py", ["src/b.py"]),
        ({"path": "src/b.py"}, "src/*.py", ["src/b.py"]),
        ({"path": "src/b.py"}, "/a.py", []),
        ({"path": ".c.py"}, "*.py", [".c.py"]),
        ({"paths": ["a.txt", "a.py", "src"]}, "*.py", ["a.py", "src/b.py"]),
        ({"paths": ["a.*"]}, "*.py", ["a.py"]),
        ({"paths": ["a.*", "src"]}, "*.txt", ["a.txt", "src/b.txt"]),
    ],
)
def test_a_glob_also_selects_among_files_that_are_named(tmp_path, reader, given, glob, found):
    put(tmp_path, dict.fromkeys(("a.txt", "a.py", "src/b.py", "src/b.txt", ".c.py"), "k\n"))
    assert paths(reader, "k", glob=glob, **given) == found
    note = f'[note: no file matches glob "{glob}"'
    assert (note in said(reader, "k", glob=glob, **given)) == (not found)


def test_a_match_of_a_glob_that_cannot_be_opened_is_told(tmp_path):
    put(tmp_path, {"a.txt": "k\n", "b.txt": "k\n", "c.txt": "k\n"})

    def remove(*_):
        (tmp_path / "b.txt").unlink(missing_ok=True)

    with readwell.Reader(tmp_path, cache_dir=None, on_progress=remove) as reader:
        assert paths(reader, "k", paths=["*.txt"]) == ["a.txt", "c.txt"]


def test_of_several_paths_the_missing_ones_are_told_and_the_others_searched(tmp_path, reader):
    put(tmp_path, {"app.py": "k\n", "src/b.py": "k\n"})
    told = reader.search_reply({"pattern": "k", "paths": ["app.py", "src", "ap.py", "none/*.ts"]})
    lines = told.text.split("\n")
    assert lines[0] == '[search "k" in 4 paths | matches 1-2 of 2 in 2 files]'
    assert lines[-3:] == [
        "[note: File 'ap.py' does not exist. Did you mean: app.py?]",
        "[note: No file matches 'none/*.ts'. Check the pattern, or read a directory to see what is there. Hidden and ignored files: everything=true.]",
        "[end]",
    ]
    assert [notice["code"] for notice in told.data["notices"]] == ["missing", "missing"]


@pytest.mark.parametrize(
    "spellings",
    [
        ["a.txt", "./a.txt"],
        ["./a.txt", "{root}/a.txt", "a.txt"],
        ["src/../a.txt", "a.txt"],
        ["link/../a.txt", "src/a.txt"],
        [".", "./a.txt"],
        ["src", "./src/", "{root}/src", "src/a.txt"],
        ["*.txt", "./*.txt", "{root}/a.txt"],
        ["*.txt", "./a.txt", "."],
        ["src/caf\u00e9.txt", "src/cafe\u0301.txt"],
    ],
)
def test_a_file_that_is_spelled_in_two_ways_is_searched_once(tmp_path, reader, spellings):
    put(tmp_path, {"a.txt": "k\n", "src/a.txt": "k\n", "src/in/b.txt": "k\n", "src/caf\u00e9.txt": "k\n"})
    (tmp_path / "link").symlink_to("src/in")
    found = paths(reader, "k", paths=[each.replace("{root}", str(tmp_path)) for each in spellings])
    assert found == sorted({*found}) and found


@pytest.mark.parametrize(
    "spellings, shown",
    [
        (["a.txt", "./a.txt"], ["a.txt"]),
        (["{here}/a.txt", "a.txt"], ["a.txt"]),
        (["../{name}/a.txt", "a.txt"], ["a.txt"]),
        (["link/../a.txt", "src/a.txt"], ["src/a.txt"]),
        ([".", "./a.txt"], ["a.txt", "src/a.txt", "src/in/b.txt"]),
        (["{here}/src", "src/a.txt"], ["src/a.txt", "src/in/b.txt"]),
        (["./*.txt", "{here}/*.txt"], ["a.txt"]),
        (["../other/c.txt", "{there}/c.txt"], ["../other/c.txt"]),
        (["./a.txt"], ["./a.txt"]),  # one path is shown as it was given
    ],
)
def test_a_file_is_searched_once_without_a_root_too(tmp_path, monkeypatch, spellings, shown):
    here, there = tmp_path / "here", tmp_path / "other"
    put(here, {"a.txt": "k\n", "src/a.txt": "k\n", "src/in/b.txt": "k\n"})
    put(there, {"c.txt": "k\n"})
    (here / "link").symlink_to("src/in")
    monkeypatch.chdir(here)
    places = {"here": here, "name": here.name, "there": there}
    with closing(Tool(dialect_named("native"), (), cache_dir=None)) as tool:
        reply = tool.all()[1].reply({"pattern": "k", "paths": [each.format(**places) for each in spellings]})
    assert [match["path"] for match in reply.data["matches"]] == shown


def test_two_files_that_are_shown_alike_are_both_searched(tmp_path, reader):
    put(tmp_path, {"a\nb.txt": "k\n", "a\\x0ab.txt": "k\n"})
    assert paths(reader, "k", paths=[".", "a\nb.txt"]) == ["a\\x0ab.txt", "a\\x5cx0ab.txt"]


def test_many_missing_paths_are_counted(tmp_path, reader):
    put(tmp_path, {"a": "k\n"})
    told = reader.search_reply({"pattern": "k", "paths": ["a", *(f"missing{n}" for n in range(7))]})
    assert told.text.count("does not exist") == 5 and "[note: 2 more of the paths do not exist]" in told.text


def test_paths_that_are_all_missing_or_one_that_is_denied_fail_as_a_whole(tmp_path):
    put(tmp_path, {"a": "k\n", "secret.pem": "k\n"})
    with readwell.Reader(tmp_path, cache_dir=None, deny=["*.pem"]) as reader:
        for paths, code in (["x", "y"], "NOT_FOUND"), (["a", "secret.pem"], "ACCESS_DENIED"):
            assert reader.search_reply({"pattern": "k", "paths": paths}).data["error"]["code"] == code
        there, absent = (
            reader.search_reply({"pattern": "k", "paths": ["a", f"{name}.pem"]}).text for name in ("secret", "absent")
        )
        assert there.replace("secret", "absent") == absent


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in procfs")
@pytest.mark.parametrize(
    "params",
    [
        {"paths": ["a.txt", "b.txt", "folder"], "limit": 1},
        {"paths": ["a.txt", "folder", "missing.txt"]},
        {"paths": ["folder", "a.txt", "*.none"]},
        {"paths": ["*.txt", "folder"], "limit": 1},
        {"paths": ["*.txt", "folder", "a.*"]},
        {"paths": ["b.txt", "folder"], "after": "c:1"},
        {"limit": 1},
    ],
)
def test_nothing_stays_open_after_a_search(tmp_path, reader, params):
    put(tmp_path, dict.fromkeys(("a.txt", "b.txt", "folder/c.txt", "folder/d.txt"), "k\n"))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/b.txt", "k\n")
    reader.search_reply({"pattern": "k", **params})
    before = len(os.listdir("/proc/self/fd"))  # the child that unpacks an archive may be another one: its sockets, too
    for _ in range(3):
        reader.search_reply({"pattern": "k", **params})
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in procfs")
@pytest.mark.parametrize("path", [".", "a.txt"])
def test_nothing_stays_open_after_a_search_that_is_put_off(tmp_path, reader, path):
    put(tmp_path, {"a.txt": "k\n"})
    before = set(os.listdir("/proc/self/fd"))

    def put_off(*_):
        raise Deferred

    for _ in range(3):
        with pytest.raises(Deferred):
            reader._search.reply({"pattern": "k", "path": path}, on_opened=put_off)
    assert set(os.listdir("/proc/self/fd")) == before


def test_a_place_inside_a_file_is_the_way_on_where_time_ran_out(tmp_path):
    text = "".join(f"{'needle' if number % 50_000 == 0 else 'x' * 60}\n" for number in range(1, 200_001))
    put(tmp_path, {"a.log": text})
    ticks = iter(range(10**9))
    tool = Tool(
        dialect_named("native"), [str(tmp_path)], cache_dir=None, deadline_s=12, clock=lambda: float(next(ticks))
    )
    search, found, params, places = tool.all()[1], [], {"pattern": "needle[0-9]?", "path": "a.log"}, []
    for _ in range(40):
        reply = search.reply(params)
        if reply.is_error:  # the place was not reached; the next call gets further
            assert reply.text.startswith("[error TIMEOUT]") and "Send it again" in reply.text and "after" in params
            continue
        found += [match["line"] for match in reply.data["matches"]]
        if reply.data["next"] is None:
            break
        places.append(reply.data["next"]["after"])
        assert reply.text.endswith(f'[more: after="{places[-1]}" | 12 s reached]')
        params["after"] = places[-1]
    tool.close()
    assert found == [50_000, 100_000, 150_000, 200_000]
    assert places and all(re.fullmatch(r"a\.log:\d+", place) for place in places)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_search_goes_on_in_the_middle_of_a_large_file(tmp_path, reader, end, encoding):
    written = [f"{'needle' if number % 997 == 0 else 'é' * 40} {number}" for number in range(1, 130_001)]
    put(tmp_path, {"a.log": end.join(written).encode(encoding)})
    wanted = [number for number in range(1, 130_001) if number % 997 == 0]
    for after in (0, 1, 996, 997, 64_000, 129_609, 129_610, 130_000, 999_999):
        params = {"around": 2, "limit": 3, **({"after": f"a.log:{after}"} if after else {})}
        result = reader.search("needle", "a.log", **params)
        assert [match.line for match in result.matches] == [line for line in wanted if line > after][:3]
        for row in (row for each in result.files for row in each.rows):
            assert row.text == written[row.line - 1]
        assert sum(len(each.rows) for each in result.files) == 5 * len(result.matches)


def test_a_match_over_line_ends_is_reported_at_its_first_line(tmp_path, reader):
    pytest.importorskip("pypdfium2")
    put(tmp_path, {"a.pdf": pdf(printed("first", "the well-", "known limit"), printed("other"))})
    text = reader.read("a.pdf").text.split("\n")
    (match,) = reader.search("well-?known limit", "a.pdf").matches
    assert "well" in text[match.line - 1] and match.page == 1


def test_the_command_takes_every_option(tmp_path, capsys, monkeypatch):
    from readwell.doors.cli import main

    put(tmp_path, {"src/a.py": "one\nkey\nkey\n", "src/b.py": "key\n", "src/c.md": "key\n"})
    monkeypatch.chdir(tmp_path)
    words = ["key", "src", "--glob", "*.py", "--around", "1", "--limit", "1", "--after", "src/a.py:2"]
    assert main(["search", *words]) == 0
    told = re.sub(r"rev [0-9a-f]{12}", "rev REV", capsys.readouterr().out)
    assert told == (
        '[search "key" in src/ | matches 1-1 of 1+ in 1+ files]\n'
        "[src/a.py | 1+ matches | rev REV]\n2\tkey\n3>\tkey\n"
        '[more: after="src/a.py:3" | 1 match]\n'
    )
