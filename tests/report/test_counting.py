"""What counts, and as what: real calls and small records whose numbers are known by hand."""

import json

import pytest
from records import written

from readwell import Reader
from readwell.audit import AuditFile
from readwell.doors.cli import main
from readwell.report import project as project_module
from readwell.report.ledger import Ledger
from readwell.report.logged_call import logged_call
from readwell.report.report import report_of


@pytest.fixture
def root(tmp_path):
    root = tmp_path.resolve() / "root"
    root.mkdir()
    (root / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 101)))
    return root


def read(name, time="2026-05-04T09:00:00.000Z", **fields):
    """The record of a read."""
    return {"time": time, "path": name, "opened": f"/project/{name}", "range": [1, 10], "verdict": "read", "kind": "file",
            "tokens": 1, "total": 10, **fields}  # fmt: skip


def failure(name, caller):
    return {"path": name, "opened": None, "verdict": "NotFound", "tool": "read", "caller": caller, "tokens": 1}


def ledger_of(*records):
    ledger = Ledger()
    for record in records:
        ledger.add(logged_call(json.dumps(record).encode()))
    return ledger


def report(capsys, *arguments):
    assert main(["report", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def lines_of(log):
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_search_that_lists_only_files_reads_none_of_them(root, tmp_path, capsys):
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        reader.search_reply({"pattern": "line 77", "path": ".", "only": "files"})
        reader.reply({"path": "long.txt"})
    first, _ = lines_of(log)
    assert (first["bytes"], first["found"][0]["matches"], first["found"][0]["ranges"]) == (0, 1, [])
    told = json.loads(report(capsys, log, "--format", "json"))
    assert [(row["calls"], row["lines_read"]) for row in told["by_file"]] == [(1, 100)]
    assert told["whole_for_one_match"]["calls"] == 0
    log.write_text(json.dumps(first) + "\n")
    told = json.loads(report(capsys, log, "--format", "json"))
    assert (told["calls"], told["files"], told["by_file"]) == (1, 0, [])


def test_what_failed_again_is_counted_caller_by_caller_and_its_times_together():
    both = [failure("a", caller) for caller in ("A", "A", "B", "B")]
    once = [failure("b", caller) for caller in ("A", "B")]
    view = report_of(ledger_of(*both, *once)).all
    assert [(each.path, each.times) for each in view.failed_again] == [("a", 4)]
    assert view.repeated_failures == 2


def test_a_file_that_takes_too_long_to_open_leaves_the_report_incomplete(root, monkeypatch, tmp_path, capsys):
    (root / ".hidden").write_text("x\n")
    log = written([read(".hidden", opened=f"{root}/.hidden")], tmp_path / "audit.jsonl")
    assert json.loads(report(capsys, log, "--root", root, "--format", "json"))["project"]["complete"]
    monkeypatch.setattr(project_module, "LOOK_S", -1.0)
    assert not json.loads(report(capsys, log, "--root", root, "--format", "json"))["project"]["complete"]


def test_files_that_are_not_in_the_project_are_named_apart(root, tmp_path, capsys):
    inside = [read("long.txt", opened=f"{root}/long.txt")]
    outside = [read(name, opened=name) for name in ("/elsewhere/a", "s3://bucket/b", f"{root}/gone.txt")]
    log = written(inside + outside, tmp_path / "audit.jsonl")
    assert "1 of 1 file; 3 that were read are not in it\n" in report(capsys, log, "--root", root)
    told = json.loads(report(capsys, log, "--root", root, "--format", "json"))
    assert (told["files"], told["project"]["files_read"], told["project"]["files"]) == (4, 1, 1)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_time_of_records_counts_not_their_order(order):
    records = [
        read("a", "2026-05-04T09:00:00.000Z", revision="one", total=10),
        read("a", "2026-05-04T10:00:00.000Z", revision="two", total=20),
        read("a", "2026-05-04T11:00:00.000Z", revision="two", total=None, kind=None),
    ]
    [file] = report_of(ledger_of(*(records[at] for at in order))).files
    assert (file.revision, file.lines, file.kind, file.revisions) == ("two", 20, "file", 2)


def test_records_without_a_time_are_in_the_order_of_the_record():
    records = [read("a", None, revision="one", total=10), read("a", None, revision="two", total=20)]
    [file] = report_of(ledger_of(*records)).files
    assert (file.revision, file.lines) == ("two", 20)
