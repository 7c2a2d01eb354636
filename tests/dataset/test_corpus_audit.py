"""The audit file of conversions: one line for each document, by the name that it has in its row."""

import json
import os

import pytest
from small_documents import damaged_pdf, pdf  # pyright: ignore

from command_line import called
from readwell.corpus import Options, convert
from readwell.policy import Denials


@pytest.fixture
def options(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    denials = Denials(deny=("*.key",))
    return Options(roots=(str(root),), denials=denials, audit=str(tmp_path / "audit"), caller="corpus")


def records(options):
    with open(options.audit) as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize(
    ("name", "content", "verdict", "kind"),
    [
        ("notes.txt", b"one\ntwo\n", "read", "file"),
        ("empty.txt", b"", "read", "file"),
        ("book.pdf", pdf([["first"], ["second"]]), "read", "document"),
        ("damaged.pdf", damaged_pdf(), "ConversionFailed", None),
        ("secret.key", b"secret", "denied", None),
        ("nothing.txt", None, "NotFound", None),
    ],
)
def test_a_path_is_one_line(options, name, content, verdict, kind):
    path = os.path.join(options.roots[0], name)
    if content is not None:
        with open(path, "wb") as file:
            file.write(content)
    found = convert(path, options=options)
    (record,) = records(options)
    assert (record["path"], record["verdict"], record.get("kind")) == (path, verdict, kind)
    assert record["opened"] == (None if verdict in ("denied", "NotFound") else path)
    assert (record["tool"], record["caller"], bool(record["rule"])) == ("read", "corpus", verdict == "denied")
    if verdict == "read":
        assert (record["range"] or [1, 0])[1] == found.lines


def test_a_link_tells_the_file_that_was_opened(options):
    folder = options.roots[0]
    with open(f"{folder}/a.txt", "w") as file:
        file.write("words\n")
    os.symlink("a.txt", f"{folder}/b.txt")
    convert(f"{folder}/b.txt", options=options)
    assert [(each["path"], each["opened"]) for each in records(options)] == [(f"{folder}/b.txt", f"{folder}/a.txt")]


def test_a_content_is_told_by_its_name_and_nothing_was_opened(options):
    convert(pdf([["first"]]), name="mail/7.pdf", options=options)
    convert(b"words\n", name="note.txt", options=options)
    assert [(each["path"], each["opened"], each["verdict"]) for each in records(options)] == [
        ("mail/7.pdf", None, "read"),
        ("note.txt", None, "read"),
    ]


def test_an_audit_file_that_cannot_be_opened_is_refused(tmp_path):
    with pytest.raises(ValueError, match="audit"):
        convert(b"x", options=Options(audit=str(tmp_path / "none" / "audit")))


def test_a_conversion_costs_the_tokens_of_its_text_in_whatever_form(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"line {number:02d}\n" for number in range(30)))
    for words in (("-o", "one"), ("-o", "other", "--format", "jsonl")):
        assert called(tmp_path, "convert", "a.txt", *words, "--audit", "audit.jsonl", env=os.environ).returncode == 0
    lines = (tmp_path / "audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["tokens"] for line in lines] == [2 * 30 * len("line 00") // 7] * 2
