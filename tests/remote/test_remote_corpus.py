"""Documents of a real S3 server as a corpus: values, sources, rows, files, and runs that are continued."""

import os
from itertools import count
from pathlib import Path

import pytest
from remote_roots import KEYS, SECRET, put, put_all
from small_documents import damaged_pdf, docx, paragraph, pdf

from command_line import called
from dataset.small_corpus import manifest, rows, run_program
from readwell.corpus import Options, convert, convert_many, find_sources

NUMBER = count()
DOCUMENTS = {
    "a.pdf": pdf([["first page"], ["second page"], ["third page"]]),
    "below/b.docx": docx(paragraph("some words")),
    "below/broken.pdf": damaged_pdf(),
    "below/deep/notes ü+1.txt": b"one\ntwo\n",
}
FACTS = ("sha256", "format", "unit", "first_lines", "text", "size", "version")


@pytest.fixture
def bucket(moto, aws):
    """A bucket of this test's own, with documents below a prefix and one beside it."""
    aws(moto)
    name = f"corpus{next(NUMBER)}"
    put_all(moto, name, {f"folder/{key}": body for key, body in DOCUMENTS.items()} | {"folderx.txt": b"outside\n"})
    return name


def run(folder, *words):
    return called(folder, "convert", *words, env=dict(os.environ))


def written(out):
    """All that a run has left behind, by path."""
    return {str(path.relative_to(out)): path.read_bytes() for path in Path(out).rglob("*") if path.is_file()}


def assert_no_credential(*said):
    for words in said:
        assert SECRET not in str(words) and KEYS["AWS_ACCESS_KEY_ID"] not in str(words)


def test_an_object_is_the_same_value_as_the_file(bucket, tmp_path):
    for key, body in DOCUMENTS.items():
        near = tmp_path / Path(key).name
        near.write_bytes(body)
        far, here = convert(f"s3://{bucket}/folder/{key}"), convert(near)
        assert far.source == f"s3://{bucket}/folder/{key}"
        assert [getattr(far, name) for name in FACTS] == [getattr(here, name) for name in FACTS]
        assert (far.error and far.error.code) == (here.error and here.error.code)
        assert_no_credential(far)
    again = convert(f"s3://{bucket}/folder/a.pdf")
    assert again.error is None and again.units[1].markdown.endswith("second page")


def test_what_cannot_be_fetched_is_a_row(bucket):
    codes = [convert(f"s3://{path}").error.code for path in (f"{bucket}/folder/none.pdf", f"{bucket}/folder")]
    assert codes == ["NOT_FOUND", "IS_DIRECTORY"]
    nowhere = convert("s3://no-such-bucket/a.pdf")
    assert (nowhere.error.code, "no such bucket" in nowhere.error.message) == ("IO_ERROR", True)
    assert_no_credential(nowhere)
    confined = Options(roots=(f"s3://{bucket}/folder/below",))
    assert convert(f"s3://{bucket}/folder/a.pdf", options=confined).error.code == "ACCESS_DENIED"
    assert convert(f"s3://{bucket}/folder/below/b.docx", options=confined).text == "some words"


def test_a_remote_folder_and_a_glob_are_their_objects_in_order(bucket):
    top = f"s3://{bucket}/folder"
    everything = [f"{top}/{key}" for key in DOCUMENTS]
    assert find_sources(top) == find_sources(f"{top}/") == find_sources(top, f"{top}/a.pdf") == everything
    assert find_sources(f"s3://{bucket}") == [*everything, f"s3://{bucket}/folderx.txt"]
    assert find_sources(f"{top}/**/*.pdf") == [f"{top}/a.pdf", f"{top}/below/broken.pdf"]
    assert find_sources(f"{top}/none*", f"{top}/none.pdf") == [f"{top}/none*", f"{top}/none.pdf"]


@pytest.mark.slow
def test_many_are_converted_in_other_processes(bucket):
    found = {each.source: each for each in convert_many(find_sources(f"s3://{bucket}/folder"), workers=2)}
    assert [found[source].sha256 for source in sorted(found)] == [convert(body).sha256 for body in DOCUMENTS.values()]
    assert {source for source, each in found.items() if each.error} == {f"s3://{bucket}/folder/below/broken.pdf"}
    done = {source: each.sha256 for source, each in found.items()}
    assert list(convert_many(list(done), done=done, workers=1)) == []


def test_rows_of_a_remote_folder_are_continued_and_only_what_has_changed_is_converted_again(moto, bucket, tmp_path):
    top = f"s3://{bucket}/folder"
    words = (top, "-o", "out", "--format", "jsonl", "--jobs", "2")
    done = run(tmp_path, *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("3 converted, 1 failed (") and "CONVERSION_FAILED" in done.stderr
    found = rows(tmp_path / "out")
    assert [row["source"] for row in found] == [f"{top}/{key}" for key in DOCUMENTS]
    assert [row["error"] and row["error"]["code"] for row in found] == [None, None, "CONVERSION_FAILED", None]
    assert [(row["format"], row["units"]) for row in found] == [("pdf", 3), ("docx", 1), ("", 0), ("text", 1)]
    before = written(tmp_path / "out")
    for more in ((), ("--resume",)):
        again = run(tmp_path, *words, *more)
        assert (again.returncode, again.stderr.splitlines()[0]) == (
            1,
            "nothing to do: all 4 sources are done, 1 of them failed",
        )
    assert written(tmp_path / "out") == before
    put(moto, f"/{bucket}/folder/below/b.docx", docx(paragraph("other words")))
    refused = run(tmp_path, *words)
    assert (refused.returncode, "--resume" in refused.stderr) == (2, True)
    changed = run(tmp_path, *words, "--resume")
    assert changed.stderr.startswith("1 converted, 0 failed, 3 were done before, 1 of them failed ("), changed
    texts = {row["source"]: row["text"] for row in rows(tmp_path / "out")}
    assert (len(rows(tmp_path / "out")), texts[f"{top}/below/b.docx"]) == (4, "other words")
    assert len(manifest(tmp_path / "out")["sources"]) >= 4
    assert_no_credential(done, again, refused, changed, written(tmp_path / "out"))


@pytest.mark.slow
def test_markdown_files_of_a_remote_folder_keep_their_paths(bucket, tmp_path):
    done = run_program(tmp_path, "convert", f"s3://{bucket}/folder", "-o", "out", **aws_environment())
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    good = [key for key in DOCUMENTS if "broken" not in key]
    assert sorted(written(tmp_path / "out")) == sorted([*(f"{key}.md" for key in good), "manifest.json"])
    assert (tmp_path / "out" / "below" / "deep" / "notes ü+1.txt.md").read_bytes() == b"one\ntwo\n"
    again = run(tmp_path, f"s3://{bucket}/folder", "-o", "out", "--resume")
    assert again.stderr.startswith("nothing to do: all 4 sources are done, 1 of them failed")
    run(tmp_path, f"s3://{bucket}/folder/below", f"s3://{bucket}/folder/a.pdf", "-o", "two")
    assert f"s3/{bucket}/folder/below/b.docx.md" in written(tmp_path / "two")
    assert_no_credential(done, again, written(tmp_path / "out"))


def aws_environment():
    return {name: value for name, value in os.environ.items() if name.startswith("AWS_")}


@pytest.mark.slow
def test_an_object_that_vanished_keeps_its_row_and_a_server_that_is_down_is_told(moto, bucket, aws, tmp_path):
    words = ("-o", "out", "--format", "jsonl", "--jobs", "1", "--deadline-s", "5")
    (tmp_path / "list").write_text(f"s3://{bucket}/folder/a.pdf\ns3://{bucket}/folder/none.txt\n")
    assert "NOT_FOUND" in run(tmp_path, "--from-list", "list", *words).stderr
    aws("http://127.0.0.1:9")
    down = run(tmp_path, "--from-list", "list", *words, "--resume")
    assert [row["error"] for row in rows(tmp_path / "out") if row["source"].endswith("a.pdf")] == [None]
    assert_no_credential(down, written(tmp_path / "out"))


@pytest.mark.parametrize("address", ["s3://user:pass-word@bucket/a.pdf", "ftp://user:pass-word@host/a.pdf"])
@pytest.mark.parametrize("listed", [True, False])
def test_an_address_with_a_password_is_refused_and_not_repeated(bucket, tmp_path, listed, address):
    (tmp_path / "list").write_text(f"s3://{bucket}/folder/a.pdf\n{address}\n")
    words = ("--from-list", "list") if listed else (address,)
    done = run(tmp_path, *words, "-o", "out", "--format", "jsonl")
    assert (done.returncode, "pass-word" in done.stderr + done.stdout) == (2, False), done
    assert not (tmp_path / "out").exists()
