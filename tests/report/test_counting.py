"""What counts, and as what: real calls and small records whose numbers are known by hand."""

import json

import pytest
from records import write_records
from small_documents import pdf, printed

from readwell import Reader
from readwell.audit import AuditFile
from readwell.documents.paged_text import Pace
from readwell.doors.cli import main
from readwell.policy import Denials
from readwell.report import html_page as page_module
from readwell.report import project_files as project_module
from readwell.report.build_report import report_of, share_of_file_read
from readwell.report.ledger import Ledger
from readwell.report.logged_call import parse_logged_call


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
        ledger.add(parse_logged_call(json.dumps(record).encode()))
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
    view = report_of(ledger_of(*both, *once)).view_of_all
    assert [(each.path, each.times) for each in view.repeated_failures] == [("a", 4)]
    assert view.repeated_failure_count == 2


def test_a_file_that_takes_too_long_to_open_leaves_the_report_incomplete(root, monkeypatch, tmp_path, capsys):
    (root / ".hidden").write_text("x\n")
    log = write_records([read(".hidden", opened=f"{root}/.hidden")], tmp_path / "audit.jsonl")
    assert json.loads(report(capsys, log, "--root", root, "--format", "json"))["project"]["complete"]
    monkeypatch.setattr(project_module, "LOOK_S", -1.0)
    assert not json.loads(report(capsys, log, "--root", root, "--format", "json"))["project"]["complete"]


def test_files_that_are_not_in_the_project_are_named_apart(root, tmp_path, capsys):
    inside = [read("long.txt", opened=f"{root}/long.txt")]
    outside = [read(name, opened=name) for name in ("/elsewhere/a", "s3://bucket/b", f"{root}/gone.txt")]
    log = write_records(inside + outside, tmp_path / "audit.jsonl")
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


def test_a_search_and_a_read_below_a_link_are_of_one_file(root, tmp_path, capsys):
    link, log = tmp_path.resolve() / "link", tmp_path / "audit.jsonl"
    link.symlink_to(root)
    (root / "odd\tname.txt").write_text("line 1\n")
    with Reader(link, audit=AuditFile(str(log))) as reader:
        reader.search_reply({"pattern": "line 1$", "path": "."})
        reader.reply({"path": "long.txt"})
        reader.reply({"path": "odd\tname.txt"})
    told = json.loads(report(capsys, log, "--format", "json"))
    assert {row["path"]: row["calls"] for row in told["by_file"]} == {"long.txt": 2, "odd\tname.txt": 2}


def test_a_document_that_was_only_searched_has_no_lines_of_its_own(root, tmp_path, capsys):
    (root / "report.pdf").write_bytes(pdf([["a zebra"], ["two"]]))
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        reader.search_reply({"pattern": "zebra|line 7$", "path": "."})
        revision = reader.read("long.txt", limit=1).revision
    kinds = {each["path"]: (each["kind"], each["revision"]) for each in lines_of(log)[0]["found"]}
    assert kinds[f"{root}/report.pdf"][0] == "document"
    assert kinds[f"{root}/long.txt"] == ("file", revision)
    assert "report.pdf" not in report(capsys, log, "--format", "lcov")


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "image", "range": None, "total": None, "region": [0, 0, 500, 500]},
        {"kind": "image", "range": None, "total": None, "pages": [5, 5], "page_total": 9, "region": [0, 0, 500, 500]},
        {"kind": "document", "range": None, "total": None, "pages": [5, 5], "page_total": 9, "pages_cut": True},
    ],
)
def test_a_part_of_an_image_or_page_is_not_repeated(fields):
    whole = {name: value for name, value in fields.items() if name not in ("region", "pages_cut")}
    view = report_of(ledger_of(*(read("a", revision="one", **each) for each in (whole, fields, fields)))).view_of_all
    assert view.repeated.calls == 0
    view = report_of(ledger_of(*(read("a", revision="one", **each) for each in (whole, fields, whole)))).view_of_all
    assert view.repeated.calls == 1


def test_a_page_as_text_and_as_an_image_are_two_things():
    page = {"range": None, "total": None, "pages": [5, 5], "page_total": 10, "revision": "one"}
    ledger = ledger_of(read("a", kind="document", **page), read("a", kind="image", **page))
    [file], view = report_of(ledger).files, report_of(ledger).view_of_all
    assert view.repeated.calls == 0
    assert share_of_file_read(file, view.readings[0]) == 0.1


def test_records_tell_which_part_of_pages_and_images_was_shown(root, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Pace, "allows", lambda *_: False)  # no time to count the pages before
    (root / "long.pdf").write_bytes(pdf(printed(60, 40)))
    log = tmp_path / "audit.jsonl"
    asked = [{"pages": "50-51", "limit": 60}, {"pages": "51.15-51"}, {"pages": "51"}, {"pages": "51"}]
    drawn = [{"pages": "3", "view": "image"}, {"pages": "3", "view": "image", "region": "0,0,500,500"}]
    with Reader(root, audit=AuditFile(str(log)), cache_dir=None) as reader:
        for each in asked + drawn:
            assert not reader.reply({"path": "long.pdf", **each}).is_error
    told = [(line["range"], line["pages"], line.get("pages_cut"), line.get("region")) for line in lines_of(log)]
    assert told == [
        (None, [50, 51], True, None), (None, [51, 51], True, None), (None, [51, 51], None, None), (None, [51, 51], None, None),
        (None, [3, 3], None, None), (None, [3, 3], None, [0, 0, 500, 500])]  # fmt: skip
    assert json.loads(report(capsys, log, "--format", "json"))["repeated"]["calls"] == 1


def test_the_page_says_why_a_text_is_left_out(root, tmp_path, monkeypatch):
    (root / "other.txt").write_text("x\n")
    big = root / "big.txt"
    big.write_text("x\n" * page_module.LONGEST_TEXT)
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        for name in ("long.txt", "long.txt", "other.txt", "big.txt"):
            reader.reply({"path": name})
    away = [read(name, opened=name, revision="one") for name in ("/elsewhere/a", "s3://bucket/b", f"{root}/gone")]
    told = ledger_of(*lines_of(log), *away)
    project = project_module.Project(str(root), Denials())
    monkeypatch.setattr(page_module, "MAX_TEXTS", 1)
    data = json.loads("".join(page_module.ReportPage("1").data_chunks(report_of(told, project), project)))
    project.close()
    paths = data["files"]["path"]
    assert {paths[int(number)]: state for number, state in data["states"].items()} == {
        "other.txt": "full", "big.txt": "large", "/elsewhere/a": "elsewhere", "s3://bucket/b": "elsewhere", "gone": "missing",
    }  # fmt: skip
    assert [paths[int(number)] for number in data["texts"]] == ["long.txt"]


def test_a_single_caller_is_named_and_each_of_several_has_its_share(root, tmp_path, capsys):
    records = [read("long.txt", opened=f"{root}/long.txt", caller="planner", total=100)]
    log = write_records(records, tmp_path / "audit.jsonl")
    assert "\ncaller: planner\n" in report(capsys, log)
    assert json.loads(report(capsys, log, "--format", "json"))["caller"] == "planner"
    log = write_records([*records, read("gone", caller="B")], log)
    told = json.loads(report(capsys, log, "--root", root, "--format", "json"))
    assert [(each["caller"], each["share_read"]) for each in told["callers"]] == [("planner", 0.1), ("B", 0.0)]
    assert "caller" not in told


def test_names_that_no_file_can_have_are_not_in_the_project(root, tmp_path, capsys):
    names = ("a\0b", "a\ud800", "a" * 4000)
    records = [read("a", opened=f"{root}/{name}", revision="one", total=None) for name in names]
    log = write_records(records, tmp_path / "audit.jsonl")
    assert "0 of 1 file; 3 that were read are not in it\n" in report(capsys, log, "--root", root)
    report(capsys, log, "--root", root, "-o", tmp_path / "page.html")
