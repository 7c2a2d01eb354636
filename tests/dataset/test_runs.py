"""`readwell convert` over many sources: shards, manifest, resuming, and whatever is wrong with sources or folder."""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from contextlib import chdir, suppress
from io import BytesIO
from pathlib import Path

import pytest
from small_corpus import BAD, command, fill, fill_bad, manifest, rows, run_program, shards

from command_line import called
from ordinary_user import as_an_ordinary_user
from readwell.corpus import convert, find_sources
from readwell.corpus.converted import Converted
from readwell.dataset import Job, run_job
from readwell.dataset.document_rows import ShardRow
from readwell.dataset.manifest import SourceState, parse_manifest
from readwell.dataset.output_folder import OutputFolder
from readwell.dataset.shard_formats import FORMATS
from readwell.dataset.shards import ArrivedResult, ReorderBuffer, ShardWriter
from settled_files import settle

COLUMNS = ["id", "text", "source", "sha256", "format", "unit", "units", "lines", "metadata", "error", "version"]


def run(folder, *words, **environment):
    settle(folder)
    return called(folder, "convert", *words, env=os.environ | environment)


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    fill(home / "docs")
    return home


@pytest.fixture(scope="module")
def finished(docs):
    """A finished run."""
    done = run(docs, "docs", "-o", "out", "--format", "jsonl", "--jobs", "2")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return docs / "out"


def copied(finished, tmp_path):
    """A home with the documents and the finished run, to be spoilt."""
    shutil.copytree(finished.parent, tmp_path / "home", symlinks=True)
    for path in (tmp_path / "home" / "docs").rglob("*.*"):
        original = finished.parent / path.relative_to(tmp_path / "home")
        os.utime(path, ns=(original.stat().st_atime_ns, original.stat().st_mtime_ns))
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("words", "variables", "kept_in"),
    [
        ([], {}, None),
        (["--cache-dir", "named"], {}, "named"),
        ([], {"READWELL_CACHE_DIR": "told"}, "told"),
        (["--cache-dir", ""], {"READWELL_CACHE_DIR": "told"}, None),
    ],
)
def test_a_run_keeps_converted_pages_only_in_a_folder_that_is_named(tmp_path, words, variables, kept_in):
    fill(tmp_path / "docs", 3)
    usual = tmp_path / "usual"
    told = {name: str(tmp_path / folder) for name, folder in variables.items()}
    words = [str(tmp_path / word) if word == "named" else word for word in words]
    done = run(tmp_path, "docs", "-o", "out", "--format", "jsonl", *words, XDG_CACHE_HOME=str(usual), **told)
    assert done.returncode == 0, done.stderr
    kept = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("documents/*/*")}
    assert kept == ({kept_in} if kept_in else set())


# rows and shards


def test_every_file_is_a_row_in_the_order_of_the_sources(docs, finished):
    found = rows(finished)
    assert [row["source"] for row in found] == sorted(
        f"docs/{path.relative_to(docs / 'docs')}" for path in (docs / "docs").rglob("*.*")
    )
    assert [list(row) for row in found] == [COLUMNS] * len(found)
    for row in found:
        alone = convert(docs / row["source"])
        assert (row["text"], row["sha256"], row["lines"], row["units"]) == (
            alone.text,
            alone.sha256,
            alone.lines,
            len(alone.units),
        )


def test_nothing_but_shards_and_a_manifest_stands_in_the_folder(finished):
    assert sorted(path.name for path in finished.iterdir()) == ["manifest.json", "part-00000.jsonl"]
    told = manifest(finished)
    assert (told["readwell"], told["format"], len(told["sources"])) == (1, "jsonl", 12)
    assert {(each["source"], each["sha256"]) for each in told["sources"]} == {
        (row["source"], row["sha256"]) for row in rows(finished)
    }


def test_parquet_has_the_same_rows(docs, finished, tmp_path):
    from arro3.io import read_parquet

    run(docs, "docs", "-o", tmp_path / "out", "--format", "parquet")
    table = read_parquet(tmp_path / "out" / "part-00000.parquet").read_all()
    assert table.column_names == COLUMNS
    columns = {name: table.column(name).to_pylist() for name in COLUMNS}
    assert [dict(zip(COLUMNS, values)) for values in zip(*columns.values())] == rows(finished)


@pytest.mark.parametrize("shard_format", ["jsonl", "parquet"])
def test_a_row_can_be_a_page(docs, tmp_path, shard_format):
    run(
        docs,
        "docs/first/005.pdf",
        "docs/second/000.txt",
        "-o",
        tmp_path / "out",
        "--format",
        shard_format,
        "--by",
        "unit",
    )
    [shard] = shards(tmp_path / "out")
    assert len(list(FORMATS[shard_format].row_states(shard.read_bytes()))) == 4
    if shard_format == "jsonl":
        found = rows(tmp_path / "out")
        assert [(row["metadata"]["number"], row["metadata"]["first_line"]) for row in found] == [
            (1, 1),
            (2, 3),
            (3, 5),
            (1, 1),
        ]
        assert "\n".join(row["text"] for row in found[:3]) == convert(docs / "docs/first/005.pdf").text
        assert len({row["id"] for row in found}) == 4


def test_markdown_files_lie_below_the_folder_as_their_sources_do(docs, tmp_path):
    done = run(docs, "docs", "-o", tmp_path / "out")
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.md")}
    assert written == {f"{path.relative_to(docs / 'docs')}.md" for path in (docs / "docs").rglob("*.*")}
    assert (tmp_path / "out" / "second" / "000.txt.md").read_text() == "document 0\n"
    assert done.returncode == 0
    assert run(docs, "docs", "-o", tmp_path / "out").stderr.startswith("nothing to do: all 12 sources are done")
    (tmp_path / "out" / "second" / "000.txt.md").unlink()
    assert run(docs, "docs", "-o", tmp_path / "out", "--resume").stderr.startswith(
        "1 converted, 0 failed, 11 were done before ("
    )


def test_a_summary_counts_this_run_apart_from_earlier_ones(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("first\n")
    (tmp_path / "docs" / "b.bin").write_bytes(bytes(range(256)))
    assert run(tmp_path, "docs", "-o", "out").stderr.startswith("1 converted, 1 failed (")
    (tmp_path / "docs" / "c.txt").write_text("new\n")
    refused = run(tmp_path, "docs", "-o", "out")
    assert (refused.returncode, refused.stderr) == (
        2,
        "readwell convert: 'out' holds a run: 2 of 3 sources are done, 1 not in it yet. Add --resume to convert it.\n",
    )
    told = run(tmp_path, "docs", "-o", "out", "--resume").stderr.splitlines()[0]
    assert told.startswith("1 converted, 0 failed, 2 were done before, 1 of them failed (")
    assert told.endswith(" documents/s, 1 page)")


@pytest.mark.parametrize("words", [(), ("--format", "jsonl")])
def test_a_source_that_was_only_touched_is_counted_as_done_before(tmp_path, words):
    (tmp_path / "docs").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "docs" / name).write_text(f"{name}\n")
    (tmp_path / "docs" / "bad.bin").write_bytes(bytes(range(256)))
    command = ("docs", "-o", "out", *words, "--resume")
    assert run(tmp_path, *command).returncode == 1
    for name in ("a.txt", "bad.bin"):
        os.utime(tmp_path / "docs" / name, (1, 1))
    told = run(tmp_path, *command).stderr
    assert told.startswith("nothing to do: all 3 sources are done, 1 of them failed\n")
    os.utime(tmp_path / "docs" / "a.txt", (2, 2))
    (tmp_path / "docs" / "b.txt").write_text("changed\n")
    told = run(tmp_path, *command).stderr
    assert told.startswith("1 converted, 0 failed, 2 were done before, 1 of them failed (")


def test_a_changed_source_is_not_called_new(tmp_path):
    (tmp_path / "a.txt").write_text("first\n")
    run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl")
    (tmp_path / "a.txt").write_text("second text\n")
    refused = run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl").stderr
    assert "0 of 1 sources are done, 1 to be looked at again. Add --resume to convert it." in refused
    run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl", "--resume")
    assert (
        run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl").stderr == "nothing to do: 1 source is done, 0 failed\n"
    )


def test_a_folder_without_an_output_says_what_is_missing(docs):
    done = run(docs, "docs")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "readwell: 'docs' is a directory: with -o DIR everything below it is converted.\n"


def test_several_folders_keep_their_names_and_what_collides_is_refused(docs, tmp_path):
    run(docs, "docs/first", "docs/second", "-o", tmp_path / "out")
    assert (tmp_path / "out" / "docs" / "second" / "000.txt.md").exists()
    done = run(docs / "docs", "second", "../docs/second", "second/../second", "-o", tmp_path / "other")
    assert (done.returncode, (tmp_path / "other").exists()) == (2, False)
    assert "two documents would be written to 'second/000.txt.md'" in done.stderr


def test_a_later_run_writes_over_no_file_of_another_source(tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(f"of the {folder}\n")
    assert run(tmp_path, "first", "-o", "out").returncode == 0
    done = run(tmp_path, "second", "-o", "out", "--resume")
    told = "'a.txt.md' in 'out' was made from 'first/a.txt', and would be written over with 'second/a.txt'"
    assert (done.returncode, done.stderr) == (2, f"readwell convert: {told}: choose another folder.\n")
    assert (tmp_path / "out" / "a.txt.md").read_text() == "of the first\n"
    assert [each["source"] for each in manifest(tmp_path / "out")["sources"]] == ["first/a.txt"]
    again = run(tmp_path, f"{tmp_path}/first", "-o", "out", "--resume")
    assert again.stderr.startswith("1 converted, 0 failed ("), "the same file under another name is no other one"


def test_a_pattern_that_matches_nothing_is_told_with_a_step_of_the_command_line(docs, tmp_path):
    done = run(docs, "nope*.q", "-o", tmp_path / "out", "--format", "jsonl")
    [row] = rows(tmp_path / "out")
    told = "No file matches 'nope*.q'. Check the pattern, or read a directory to see what is there."
    assert (done.returncode, row["error"]["code"], row["error"]["message"]) == (1, "NOT_FOUND", told)
    done = run(docs, "docs/*/*.txt")
    told = "readwell: File 'docs/*/*.txt' does not exist: with -o DIR a pattern stands for the files that match it.\n"
    assert (done.returncode, done.stderr) == (1, told)


def test_sources_come_from_a_list(docs, tmp_path):
    (tmp_path / "list").write_text(
        f"{docs}/docs/second/000.txt\n\n{docs}/docs\n{docs}/docs/second/000.txt\n{docs}/gone\n"
    )
    done = run(docs, "--from-list", tmp_path / "list", "-o", tmp_path / "out", "--format", "jsonl")
    found = rows(tmp_path / "out")
    assert [row["error"] and row["error"]["code"] for row in found] == [None, "IS_DIRECTORY", "NOT_FOUND"]
    assert done.returncode == 1
    assert run(docs, "--from-list", tmp_path / "none", "-o", "x").returncode == 2


def test_a_list_may_have_line_ends_of_windows(tmp_path):
    for name in ("a.txt", "b.txt", "c\r"):
        (tmp_path / name).write_text("words")
    for content, sources in ((b"a.txt\r\n\r\nb.txt\r\n", ["a.txt", "b.txt"]), (b"a.txt\nc\r\n", ["a.txt", "c\r"])):
        (tmp_path / "list").write_bytes(content)
        out = f"out of {len(content)}"
        assert run(tmp_path, "--from-list", "list", "-o", out, "--format", "jsonl").returncode == 0
        assert [row["source"] for row in rows(tmp_path / out)] == sources


def test_an_undecodable_name_is_a_row(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / os.fsdecode(b"a\xff.txt")).write_text("words\n")
    for shard_format in ("jsonl", "parquet"):
        done = run(tmp_path, "docs", "-o", shard_format, "--format", shard_format)
        assert done.returncode == 0, done.stderr
        assert run(tmp_path, "docs", "-o", shard_format, "--format", shard_format).stderr.startswith("nothing to do")
    assert [row["source"] for row in rows(tmp_path / "jsonl")] == ["docs/a\\udcff.txt"]


LOOK_ALIKES = {
    b"a\xff.txt": r"docs/a\udcff.txt",
    rb"a\udcff.txt": r"docs/a\x5cudcff.txt",
    rb"a\x5cudcff.txt": r"docs/a\x5cx5cudcff.txt",
    b"n\nx.txt": "docs/n\nx.txt",
    rb"n\x0ax.txt": r"docs/n\x0ax.txt",
}
"""Names of files of which some look like the escapes of others, and their sources in rows."""


@pytest.mark.parametrize("shard_format", ["jsonl", "parquet"])
def test_names_that_look_like_the_escapes_of_others_are_rows_of_their_own(tmp_path, shard_format):
    (tmp_path / "docs").mkdir()
    for name, source in LOOK_ALIKES.items():
        (tmp_path / "docs" / os.fsdecode(name)).write_text(f"text of {source}")
    done = run(tmp_path, "docs", "-o", "out", "--format", shard_format)
    assert (done.returncode, done.stderr.partition(" (")[0]) == (0, "5 converted, 0 failed")
    if shard_format == "jsonl":
        found = {row["source"]: row["text"] for row in rows(tmp_path / "out")}
        assert found == {source: f"text of {source}" for source in LOOK_ALIKES.values()}
    again = run(tmp_path, "docs", "-o", "out", "--format", shard_format, "--resume")
    assert again.stderr == "nothing to do: all 5 sources are done, 0 of them failed\n"


def test_markdown_files_keep_names_that_are_no_utf8_or_look_like_escapes(tmp_path):
    (tmp_path / "docs").mkdir()
    for name, source in LOOK_ALIKES.items():
        (tmp_path / "docs" / os.fsdecode(name)).write_text(f"text of {source}\n")
    done = run(tmp_path, "docs", "-o", "out")
    assert (done.returncode, done.stderr.partition(" (")[0]) == (0, "5 converted, 0 failed")
    for name, source in LOOK_ALIKES.items():
        assert (tmp_path / "out" / f"{os.fsdecode(name)}.md").read_text() == f"text of {source}\n"
    again = run(tmp_path, "docs", "-o", "out", "--resume")
    assert again.stderr == "nothing to do: all 5 sources are done, 0 of them failed\n"
    (tmp_path / "out" / os.fsdecode(b"a\xff.txt.md")).unlink()
    again = run(tmp_path, "docs", "-o", "out", "--resume")
    assert again.stderr.startswith("1 converted, 0 failed, 4 were done before")


def test_failures_are_rows_and_a_table_by_code(tmp_path):
    fill(tmp_path / "docs", 4)
    fill_bad(tmp_path / "docs" / "bad")
    (tmp_path / "docs" / "bad" / "twice.bin").write_bytes(bytes(range(256)))
    done = run(tmp_path, "docs", "docs/gone.pdf", "docs/bad/empty.txt", "-o", "out", "--format", "jsonl")
    codes = {row["source"].rpartition("/")[2]: row["error"] and row["error"]["code"] for row in rows(tmp_path / "out")}
    assert {name: codes.get(name) for name in BAD} == {name: code for name, (_, code) in BAD.items()}
    assert (codes["gone.pdf"], len(codes)) == ("NOT_FOUND", 4 + len(BAD) + 2)
    assert (done.returncode, done.stdout) == (1, "")
    told = done.stderr.splitlines()
    assert told[0].startswith("6 converted, 7 failed (")
    assert told[1].split() == ["failed", "code", "for", "example"]
    assert [line.split()[:2] for line in told[2:]] == [
        ["3", "BINARY_FILE"], ["1", "CONVERSION_FAILED"], ["1", "DOCUMENT_LOCKED"], ["1", "NOT_FOUND"], ["1", "TOO_LARGE"]
    ]  # fmt: skip


# resuming


def test_a_finished_run_does_nothing_again_and_says_so(docs, finished):
    before = {path.name: path.read_bytes() for path in finished.iterdir()}
    for more in ((), ("--resume",)):
        done = run(docs, "docs", "-o", "out", "--format", "jsonl", *more)
        assert (done.returncode, done.stderr) == (0, "nothing to do: all 12 sources are done, 0 of them failed\n")
    assert {path.name: path.read_bytes() for path in finished.iterdir()} == before


def test_resuming_into_a_new_folder_starts(docs, tmp_path):
    assert run(docs, "docs/first", "-o", tmp_path / "out", "--format", "jsonl", "--resume").returncode == 0
    assert len(rows(tmp_path / "out")) == 6


def test_only_what_is_new_or_has_changed_is_converted_again(finished, tmp_path):
    home = copied(finished, tmp_path)
    (home / "docs" / "new.txt").write_text("new\n")
    (home / "docs" / "second" / "000.txt").write_text("changed\n")
    (home / "docs" / "second" / "002.docx").touch()
    (home / "docs" / "first" / "001.pdf").unlink()
    refused = run(home, "docs", "-o", "out", "--format", "jsonl")
    assert (refused.returncode, "Add --resume" in refused.stderr) == (2, True)
    done = run(home, "docs", "-o", "out", "--format", "jsonl", "--resume")
    assert done.returncode == 0, done.stderr
    found = rows(home / "out")
    assert len(found) == 13
    by_source = {row["source"]: row["text"] for row in found}
    assert (len(by_source), by_source["docs/second/000.txt"], by_source["docs/new.txt"]) == (13, "changed\n", "new\n")
    assert "docs/first/001.pdf" in by_source
    assert len(FORMATS["jsonl"].encode(found[-2:]).splitlines()) == len(
        shards(home / "out")[-1].read_bytes().splitlines()
    )
    assert run(home, "docs", "-o", "out", "--format", "jsonl").stderr.startswith("nothing to do")


def test_a_row_whose_source_is_gone_stays(finished, tmp_path):
    home = copied(finished, tmp_path)
    (home / "docs" / "first" / "001.pdf").unlink()
    run(home, "docs", "docs/first/001.pdf", "-o", "out", "--format", "jsonl", "--resume")
    assert [row["error"] for row in rows(home / "out") if row["source"] == "docs/first/001.pdf"] == [None]


@pytest.mark.parametrize("shard_format", ["jsonl", pytest.param("parquet", marks=pytest.mark.slow)])
def test_what_another_version_has_converted_is_converted_again(docs, tmp_path, monkeypatch, shard_format):
    words = ("docs", "-o", tmp_path / "out", "--format", shard_format, "--resume")
    assert run(docs, *words).returncode == 0
    from readwell.dataset.dataset_run import Job
    from readwell.doors import convert_corpus

    monkeypatch.setattr(convert_corpus, "Job", lambda *words, **named: Job(*words, **named | {"version": "9.9"}))
    done = run(docs, *words)
    assert done.stderr.startswith("12 converted, 0 failed (")
    keys = [key for shard in shards(tmp_path / "out") for key in FORMATS[shard_format].row_states(shard.read_bytes())]
    assert len(keys) == len({key.source for key in keys}) == 12


def test_a_failure_that_may_have_passed_is_tried_again(docs, tmp_path):
    words = ("docs/first/005.pdf", "-o", tmp_path / "out", "--format", "jsonl")
    assert run(docs, *words, "--deadline-s", "0.000001").returncode == 1
    assert [row["error"]["code"] for row in rows(tmp_path / "out")] == ["TIMEOUT"]
    done = run(docs, *words, "--resume")
    assert (done.returncode, [row["error"] for row in rows(tmp_path / "out")]) == (0, [None])


@pytest.mark.parametrize("cut", [0, 1, 50, 400, 2000, -1, -2, -100])
def test_a_manifest_cut_anywhere_is_mended_from_the_shards(finished, tmp_path, cut):
    home = copied(finished, tmp_path)
    path = home / "out" / "manifest.json"
    path.write_bytes(path.read_bytes()[:cut])
    before = rows(home / "out")
    done = run(home, "docs", "-o", "out", "--format", "jsonl", "--resume")
    assert (done.returncode, rows(home / "out")) == (0, before), done.stderr
    assert {each["source"] for each in manifest(home / "out")["sources"]} == {row["source"] for row in before}


def test_a_manifest_that_cannot_be_read_is_not_written_over_without_resume(finished, tmp_path):
    home = copied(finished, tmp_path)
    (home / "out" / "manifest.json").write_bytes(b"{")
    done = run(home, "docs", "-o", "out", "--format", "jsonl")
    assert (done.returncode, "manifest cannot be read" in done.stderr) == (2, True)
    assert (home / "out" / "manifest.json").read_bytes() == b"{"


def test_a_shard_is_believed_before_the_manifest(finished, tmp_path):
    home = copied(finished, tmp_path)
    [shard] = shards(home / "out")
    lines = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(b"".join(lines[:5]))
    (home / "out" / "part-00001.jsonl").write_bytes(b"".join(lines[5:]))
    (home / "out" / "manifest.json").unlink()
    done = run(home, "docs", "-o", "out", "--format", "jsonl", "--resume")
    assert (done.returncode, b"".join(path.read_bytes() for path in shards(home / "out"))) == (0, b"".join(lines))


def test_a_shard_that_is_gone_is_made_again(finished, tmp_path):
    home = copied(finished, tmp_path)
    before = rows(home / "out")
    shards(home / "out")[0].unlink()
    run(home, "docs", "-o", "out", "--format", "jsonl", "--resume")
    assert rows(home / "out") == before


def test_what_is_no_shard_is_told(finished, tmp_path):
    home = copied(finished, tmp_path)
    (home / "out" / "part-00007.jsonl").write_bytes(b"no row\n")
    done = run(home, "docs", "-o", "out", "--format", "jsonl", "--resume")
    assert (done.returncode, "part-00007.jsonl is damaged, or no shard of readwell" in done.stderr) == (2, True)
    for content in (b"", b"PAR1" * 10):
        with pytest.raises(ValueError):
            list(FORMATS["parquet"].row_states(content))


def test_what_is_no_row_is_told_also_where_rows_are_removed():
    for content in (b"{}\n", b"[]\n", b"1\n", b"no row\n"):
        with pytest.raises(ValueError):
            list(FORMATS["jsonl"].row_states(content))
        with pytest.raises(ValueError):
            FORMATS["jsonl"].without(content, {"a"})
    core, io = pytest.importorskip("arro3.core"), pytest.importorskip("arro3.io")
    names = ["a", "b"]
    other = BytesIO()
    columns = {name: core.Array(names, type=core.DataType.string()) for name in ShardRow.__annotations__}
    io.write_parquet(core.Table.from_pydict({**columns, "error": columns["text"]}), other)
    fewer = BytesIO()
    io.write_parquet(core.Table.from_pydict({"source": columns["source"]}), fewer)
    with pytest.raises(ValueError, match="not a row"):
        list(FORMATS["parquet"].row_states(other.getvalue()))
    for act in (FORMATS["parquet"].row_states, lambda content: FORMATS["parquet"].without(content, {"a"})):
        with pytest.raises(ValueError, match="no column"):
            list(act(fewer.getvalue()))


@pytest.mark.parametrize("shard_format", ["jsonl", "parquet"])
@pytest.mark.parametrize("changed", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_shard_that_was_cut_is_told_and_made_again_once_it_is_removed(tmp_path, shard_format, changed):
    fill(tmp_path / "docs", 3)
    words = ("docs", "-o", "out", "--format", shard_format, "--resume")
    run(tmp_path, *words)
    [shard] = shards(tmp_path / "out")
    os.truncate(shard, 50)
    if changed:
        (tmp_path / "docs" / "second" / "000.txt").write_text("changed\n")
    done = run(tmp_path, *words)
    told = f"{shard.name} is damaged, or no shard of readwell ("
    step = "): remove it, and its documents are converted again with --resume.\n"
    assert (done.returncode, told in done.stderr, done.stderr.endswith(step)) == (2, True, True), done.stderr
    assert done.stderr.count("\n") == 1
    shard.unlink()
    assert run(tmp_path, *words).stderr.startswith("3 converted, 0 failed (")


@pytest.mark.parametrize("left", [0, 5])
def test_sources_whose_rows_were_cut_off_a_shard_are_converted_again(finished, tmp_path, left):
    home = copied(finished, tmp_path)
    [shard] = shards(home / "out")
    lines = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(b"".join(lines[:left]))
    words = ("docs", "-o", "out", "--format", "jsonl")
    done = run(home, *words, "--resume")
    assert done.stderr.startswith(f"{12 - left} converted, 0 failed")
    assert b"".join(path.read_bytes() for path in shards(home / "out")) == b"".join(lines)
    assert run(home, *words, "--resume").stderr.startswith("nothing to do")


def test_a_document_of_which_pages_were_cut_off_a_shard_is_converted_again(docs, tmp_path):
    words = ("docs/first/005.pdf", "docs/first/001.pdf", "-o", tmp_path / "out", "--format", "jsonl", "--by", "unit")
    run(docs, *words)
    [shard] = shards(tmp_path / "out")
    lines = shard.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    shard.write_bytes(b"".join(lines[:4]))
    assert run(docs, *words, "--resume").stderr.startswith("1 converted, 0 failed, 1 was done before")
    assert b"".join(path.read_bytes() for path in shards(tmp_path / "out")) == b"".join(lines)


def test_a_shard_from_which_rows_went_is_not_taken_for_a_damaged_one(finished, tmp_path):
    home = copied(finished, tmp_path)
    (home / "docs" / "second" / "000.txt").write_text("changed\n")
    assert run(home, "docs", "-o", "out", "--format", "jsonl", "--resume").returncode == 0
    with OutputFolder(str(home / "out")) as folder:
        assert folder.closed == {shard.name: shard.stat().st_size for shard in shards(home / "out")}


# folders that cannot be


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--format", "parquet"), "was written with format 'jsonl', not 'parquet'"),
        (("--format", "jsonl", "--by", "unit"), "was written with by 'document', not 'unit'"),
        (("--format", "jsonl", "--pdf-lines", "printed"), "was written with options"),
    ],
)
def test_a_folder_of_another_kind_is_refused(docs, finished, change, told):
    done = run(docs, "docs", "-o", "out", "--resume", *change)
    assert (done.returncode, told in done.stderr, done.stdout) == (2, True, "")


def test_a_folder_of_a_later_layout_is_refused(finished, tmp_path):
    home = copied(finished, tmp_path)
    path = home / "out" / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"readwell": 1', b'"readwell": 2'))
    assert (
        "was written with readwell 2, not 1" in run(home, "docs", "-o", "out", "--format", "jsonl", "--resume").stderr
    )


def test_a_folder_with_other_files_is_refused(docs, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    for more in ((), ("--resume",)):
        done = run(docs, "docs", "-o", tmp_path, "--format", "jsonl", *more)
        assert (done.returncode, "it is not empty" in done.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_resuming_into_a_folder_with_other_files_advises_a_new_one(docs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("kept")
    done = run(docs, "docs", "-o", tmp_path / "out", "--format", "jsonl", "--resume")
    told = f"readwell convert: '{tmp_path}/out': it is not empty. Choose a new folder.\n"
    assert (done.returncode, done.stderr) == (2, told)


@pytest.mark.parametrize("words", [[], ["--format", "jsonl"]], ids=["documents", "corpus"])
def test_an_output_folder_that_is_a_file_is_told(docs, tmp_path, words):
    (tmp_path / "taken").write_text("a file\n")
    done = run(docs, "docs/first/005.pdf", "-o", tmp_path / "taken", *words)
    assert (done.returncode in (1, 2), "cannot be written: Not a directory." in done.stderr) == (True, True), (
        done.stderr
    )
    assert (tmp_path / "taken").read_text() == "a file\n"


def test_a_read_only_folder_is_told(docs, tmp_path):
    (tmp_path / "out").mkdir(mode=0o555)
    run(tmp_path, "docs", "-o", "first", "--format", "jsonl")  # imports what an ordinary user may not be able to
    # The command comes back to where it was called: the checkout may lie where only the superuser gets.
    with chdir(tmp_path), as_an_ordinary_user(tmp_path):
        done = run(tmp_path, "docs", "-o", "out", "--format", "jsonl")
        nowhere = run(tmp_path, "docs", "-o", "out/below", "--format", "jsonl")
    assert (done.returncode, "'out' cannot be written: Permission denied" in done.stderr) == (2, True)
    assert (nowhere.returncode, "'out/below' cannot be written: Permission denied" in nowhere.stderr) == (2, True)


def test_what_is_written_lasts_before_its_name_does_and_its_name_before_the_next_step(tmp_path, monkeypatch):
    """Each time something is flushed to the disk: its name, and what is in it by then."""
    flushed, fsync = [], os.fsync

    def noted(descriptor):
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        content = sorted(os.listdir(path)) if path.is_dir() else path.read_bytes()
        flushed.append((path.relative_to(tmp_path).as_posix(), content))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    state = SourceState("digest", "stamp", "a.md", "1")
    with OutputFolder(str(tmp_path / "out")) as folder:
        folder.write("a.md", b"one")
        folder.write("x/y/b.md", b"two")
        assert flushed == [
            ("out/.readwell-a.md", b"one"),
            ("out", ["a.md"]),
            ("out", ["a.md", "x"]),
            ("out/x", ["y"]),
            ("out/.readwell-b.md", b"two"),
            ("out/x/y", ["b.md"]),
        ]
        folder.begin_manifest({"format": "markdown"})
        flushed.clear()
        folder.record([("a.txt", state)], is_flushed=False)
        assert flushed == []
        folder.record([("b.txt", state)])
        folder.finish_manifest()
    [(_, recorded), (_, finished)] = flushed
    assert [name for name, _ in flushed] == ["out/manifest.json"] * 2
    assert b"b.txt" in recorded and json.loads(finished)


@pytest.mark.slow
def test_a_full_disk_is_told_and_what_was_written_is_continued(docs, tmp_path):
    """The largest file that the process may write is smaller than the shard: the kernel refuses as on a full disk."""
    out = tmp_path / "out"
    limited = [
        "sh",
        "-c",
        'ulimit -f 4; trap "" XFSZ; exec "$@"',
        "sh",
        *command("convert", "docs", "-o", out, "--format", "jsonl"),
    ]
    done = subprocess.run(limited, cwd=docs, capture_output=True, text=True, timeout=60, env=environment())
    assert (done.returncode, "cannot be written: File too large" in done.stderr, "Traceback" in done.stderr) == (
        2,
        True,
        False,
    )
    assert [path.name for path in out.iterdir() if path.name != "manifest.json"] == []
    assert run(docs, "docs", "-o", out, "--format", "jsonl", "--resume").returncode == 0
    assert len(rows(out)) == 12


@pytest.mark.slow
def test_a_disk_that_is_full_in_truth_is_told_and_what_was_written_is_continued(tmp_path):
    """A file system of 1 MiB, which takes the first shards of a corpus whose texts are larger than it is."""
    disk, docs = tmp_path / "disk", tmp_path / "docs"
    disk.mkdir()
    docs.mkdir()
    for number in range(30):
        (docs / f"{number:02d}.txt").write_text(f"document {number}\n" + "word " * 12_000 + "\n")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"NOT TESTED: no file system can be mounted here ({mounted.stderr.strip()})")
    try:
        words = ("docs", "-o", disk / "out", "--jobs", "1")
        done = run_program(tmp_path, "convert", *words)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False)
        assert "cannot be written: No space left on device. Mend that and continue with --resume" in done.stderr
        kept = sorted(path.name for path in (disk / "out").glob("*.md"))
        assert 0 < len(kept) < 30 and all((disk / "out" / name).read_bytes() for name in kept)
        subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
        resumed = run_program(tmp_path, "convert", *words, "--resume")
        assert resumed.returncode == 0, resumed.stderr
        assert f"{30 - len(kept)} converted, 0 failed, {len(kept)} were done before" in resumed.stderr
        for path in docs.iterdir():
            assert (disk / "out" / f"{path.name}.md").read_text() == path.read_text()
    finally:
        subprocess.run(["umount", disk], check=True)


def environment():
    from small_corpus import SOURCES

    return os.environ | {"PYTHONPATH": SOURCES}


@pytest.mark.parametrize("words", [("docs",), ("docs/first/001.pdf", "docs/second/000.txt")])
def test_nothing_is_written_through_a_link_below_the_folder(docs, tmp_path, words):
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    (elsewhere / "first").mkdir(parents=True)
    out.mkdir()
    (out / words[0].split("/")[0]).symlink_to(elsewhere)
    (out / "first").symlink_to(elsewhere / "first")
    done = run(docs, *words, "-o", out, "--resume" if words == ("docs",) else "--jobs=1")
    assert done.returncode in (1, 2)
    said = "is a symbolic link, and nothing is written through links"
    assert (said in done.stderr, "Traceback" in done.stderr) == (True, False)
    assert [path.name for path in elsewhere.rglob("*")] == ["first"]


@pytest.mark.parametrize("words", [("docs",), ("docs/first/001.pdf", "docs/second/000.txt")])
def test_the_folder_itself_may_be_a_link(docs, tmp_path, words):
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    done = run(docs, *words, "-o", tmp_path / "out")
    assert (done.returncode, len(list((tmp_path / "real").rglob("*.md")))) == (0, 12 if words == ("docs",) else 2)


def test_no_file_behind_a_link_below_the_folder_is_removed(tmp_path):
    (tmp_path / "docs" / "a").mkdir(parents=True)
    (tmp_path / "docs" / "a" / "one.txt").write_text("amber\n")
    assert run(tmp_path, "docs", "-o", "out").returncode == 0
    shutil.move(tmp_path / "out" / "a", tmp_path / "elsewhere")
    (tmp_path / "out" / "a").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "docs" / "a" / "one.txt").write_bytes(bytes(range(256)))
    done = run(tmp_path, "docs", "-o", "out", "--resume")
    assert (done.returncode, "is a symbolic link" in done.stderr) == (2, True)
    assert (tmp_path / "elsewhere" / "one.txt.md").read_text() == "amber\n"


def test_a_second_run_into_the_same_folder_is_refused(docs, tmp_path):
    with OutputFolder(str(tmp_path / "out")):
        done = run(docs, "docs", "-o", tmp_path / "out", "--format", "jsonl")
        assert (done.returncode, "another run writes into" in done.stderr) == (2, True)
    assert run(docs, "docs", "-o", tmp_path / "out", "--format", "jsonl").returncode == 0


# usage


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("docs", "--format", "jsonl"), "a corpus needs a folder: -o DIR"),
        (("docs", "--engine", "dask"), "a corpus needs a folder"),
        (("docs", "-o", "x", "--by", "unit"), "--by unit needs --format"),
        (("-o", "x"), "name a source"),
        (("docs", "-o", "x", "--address", "tcp://h:1"), "the local engine has no address"),
    ],
)
def test_a_misused_command_says_what_it_needs(docs, words, told):
    done = run(docs, *words)
    assert (done.returncode, told in done.stderr) == (2, True)
    shutil.rmtree(docs / "x", ignore_errors=True)


def test_parquet_without_its_extra_says_what_to_install(docs, monkeypatch):
    monkeypatch.setitem(sys.modules, "arro3", None)
    monkeypatch.setattr("readwell.doors.extras.MODULES", {"data": "arro3_that_is_not_there"})
    done = run(docs, "docs", "-o", "x", "--format", "parquet")
    assert (done.returncode, 'pip install "readwell[data]"' in done.stderr) == (2, True)


def test_progress_tells_done_failed_rates_and_time_left():
    from readwell.dataset.dataset_run import Progress
    from readwell.doors.convert_corpus import progress_text

    told = progress_text(Progress(1200, 5000, 3, units=3600, seconds=60.0))
    assert told == "1,200/5,000 done, 3 failed, 20.0 documents/s, 60.0 pages/s, 3 min 10 s left"


@pytest.mark.slow
def test_a_terminal_is_shown_how_far_a_run_is_and_then_only_the_summary(tmp_path):
    fill(tmp_path / "docs", 150)
    (tmp_path / "docs" / "000.bin").write_bytes(bytes(range(256)))
    ours, theirs = pty.openpty()
    converting = subprocess.Popen(
        command("convert", "docs", "-o", "out", "--format", "jsonl", "--jobs", "1"),
        cwd=tmp_path, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # EIO: nobody has the terminal any more
        while piece := os.read(ours, 4096):
            shown += piece
    os.close(ours)
    assert converting.wait(60) == 1
    *drawn, rest = shown.decode().split("\r\x1b[K")[1:]
    line = r"(\d+)/151 done, [01] failed, [\d.]+ documents/s, [\d.]+ pages/s, (?:\?|(?:\d+ min )?\d+ s) left"
    counts = [int(re.fullmatch(line, each)[1]) for each in drawn]
    assert counts and counts == sorted(counts)
    assert rest.startswith("150 converted, 1 failed (")


# order


@pytest.mark.slow
def test_rows_are_the_same_for_any_number_of_workers_though_shards_are_closed_early(tmp_path):
    """By size the shards one after the other are equal; by so short a time rows are overtaken, and equal once sorted."""
    docs = fill(tmp_path / "docs", 90)

    def shards_of(workers, **bounds):
        out = tmp_path / f"out-{workers}-{'-'.join(bounds)}"
        job = Job(find_sources(str(docs)), str(out), "jsonl", version="1", **bounds)
        assert run_job(job, lambda: (None, workers), lambda _: None).converted == 90
        return [shard.read_bytes() for shard in shards(out)]

    [whole] = shards_of(1)
    assert len(whole.splitlines()) == 90
    for workers in (1, 2, 3):
        by_size = shards_of(workers, max_bytes=8000)
        assert len(by_size) > 5 and b"".join(by_size) == whole
        by_time = shards_of(workers, max_seconds=0.01)
        assert sorted(b"".join(by_time).splitlines()) == sorted(whole.splitlines())


def result(number, text="x"):
    return Converted(
        id=str(number), source=f"s{number}", sha256="a" * 64, format="text", unit="", first_lines=(), text=text, error=None, ms=1, version="1"
    )  # fmt: skip


def test_results_are_taken_in_order_and_stragglers_are_overtaken():
    taken = []
    order = ReorderBuffer(lambda arrived: taken.append(int(arrived.converted.id)))
    for number in (1, 3, 0):
        order.add(number, ArrivedResult(0.0, result(number)))
    assert taken == [0, 1]
    order.release_all()
    for number in (5, 2, 4):
        order.add(number, ArrivedResult(0.0, result(number)))
    assert taken == [0, 1, 3, 2, 4, 5]


def test_a_shard_is_closed_by_size_and_by_time(tmp_path):
    with OutputFolder(str(tmp_path / "out")) as folder:
        folder.begin_manifest({})
        writer = ShardWriter(folder, FORMATS["jsonl"], "document", max_bytes=3000)
        for number in range(7):
            writer.add(number, result(number, "y" * 600))
        assert [len(path.read_bytes().splitlines()) for path in shards(folder.path)] == [3, 3]
        writer.close()
        quick = ShardWriter(folder, FORMATS["jsonl"], "document", max_seconds=0.5)
        quick.add(1, result(11))
        time.sleep(0.6)
        quick.flush_if_overdue()
        assert [path.name for path in shards(folder.path)] == [f"part-0000{number}.jsonl" for number in range(4)]
        assert len(parse_manifest(Path(folder.path, "manifest.json").read_bytes()).entries) == 8


@pytest.mark.slow
def test_a_hundred_thousand_sources_are_resumed_quickly(tmp_path):
    """A guard against hanging only: the figure is measured by benchmarks/corpus_runs.py."""
    from readwell.dataset.dataset_run import Job, run_job
    from readwell.dataset.manifest import SourceState, entry_lines, head_line

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.txt").write_text("x")
    stat = (tmp_path / "docs" / "one.txt").stat()
    for number in range(100_000):
        os.link(tmp_path / "docs" / "one.txt", tmp_path / "docs" / f"{number:06d}.txt") if number < 1000 else None
    sources = [str(tmp_path / "docs" / f"{number:06d}.txt") for number in range(1000)] * 100
    stat = (tmp_path / "docs" / "one.txt").stat()
    stamp = f"{stat.st_size}-{stat.st_mtime_ns}-{stat.st_ctime_ns}"
    state = SourceState("a" * 64, stamp, "part-00000.jsonl", version="1")
    states = [*((source, state) for source in sources), (sources[-1], state._replace(closes=state.shard))]
    job = Job(sources, str(tmp_path / "out"), "jsonl", version="1", resume=True)
    from readwell.dataset.dataset_run import _manifest_header

    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "part-00000.jsonl").write_bytes(b"")
    (tmp_path / "out" / "manifest.json").write_bytes(head_line(_manifest_header(job)) + entry_lines(states, True))
    began = time.process_time()
    summary = run_job(job, pytest.fail, lambda _: None)
    assert (summary.skipped, summary.converted) == (100_000, 100_000)
    assert time.process_time() - began < 30


def test_what_a_killed_run_left_incomplete_is_removed(docs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".readwell-part-00000.jsonl").write_bytes(b"half")
    assert run(docs, "docs", "-o", tmp_path / "out", "--format", "jsonl").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["manifest.json", "part-00000.jsonl"]


def test_the_program_runs_as_the_command_in_a_test_does(docs, tmp_path, finished):
    done = run_program(docs, "convert", "docs", "-o", tmp_path / "out", "--format", "jsonl", "--jobs", "1")
    assert (done.returncode, done.stdout) == (0, "")
    assert [path.read_bytes() for path in shards(tmp_path / "out")] == [path.read_bytes() for path in shards(finished)]
    assert json.loads((tmp_path / "out" / "manifest.json").read_bytes()) == manifest(finished)


def test_what_a_run_has_written_is_no_source_of_the_next(tmp_path):
    for shard_format in ("jsonl", "md"):
        (tmp_path / shard_format).mkdir()
        (tmp_path / shard_format / "a.txt").write_text("one\n")
        words = (shard_format, "-o", f"{shard_format}/out", "--format", shard_format)
        assert run(tmp_path, *words).stderr.startswith("1 converted, 0 failed")
        assert run(tmp_path, *words).stderr.startswith("nothing to do")


@pytest.mark.parametrize("line", ['{"source":"a","closes":["x"]}', '{"source":"a","shard":5}', "[" * 100_000])
def test_a_manifest_that_nobody_wrote_ends_no_run_with_a_traceback(tmp_path, line):
    (tmp_path / "a.txt").write_text("one\n")
    assert run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl").returncode == 0
    written = (tmp_path / "out" / "manifest.json").read_bytes().split(b"\n")
    (tmp_path / "out" / "manifest.json").write_bytes(b"\n".join([written[0], line.encode(), b"]}", b""]))
    assert run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl", "--resume").returncode == 0
    assert [row["source"] for row in rows(tmp_path / "out")] == ["a.txt"]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("../elsewhere")], ids=["pipe", "link"])
def test_a_manifest_that_is_no_file_is_refused(tmp_path, make):
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "elsewhere").write_text("kept\n")
    (tmp_path / "out").mkdir()
    make(tmp_path / "out" / "manifest.json")
    done = run(tmp_path, "a.txt", "-o", "out", "--format", "jsonl", "--resume")
    assert (done.returncode, "'out' cannot be written: " in done.stderr) == (2, True)
    assert (tmp_path / "elsewhere").read_text() == "kept\n"
