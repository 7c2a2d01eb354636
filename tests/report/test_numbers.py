"""Every number of a report is one that an independent count of the record gives, whatever the record holds."""

import json
import subprocess
import sys

import pytest
from records import expected_report, random_records, write_records

from effort import examples
from readwell.doors.cli import main
from readwell.doors.report_command import KEEPING
from readwell.report import as_lcov, ledger
from readwell.report.logged_call import parse_logged_call
from readwell.report.recent_calls import MAX_TEXT, NumberedNames, RecentCalls

HANG = 60
OLD = (
    '{"time": "2026-05-04T09:12:33.120Z", "dialect": "qq", "path": "src/app.py", "opened": "/project/src/app.py", '
    '"range": [1, 20], "bytes": 700, "verdict": "read", "rule": null, "ms": 0.412}\n'
)


def report(capsys, *arguments):
    status = main(["report", *map(str, arguments)])
    told = capsys.readouterr()
    return status, told.out, told.err


def json_report(capsys, *arguments):
    status, told, _ = report(capsys, *arguments, "--format", "json")
    assert status == 0
    return json.loads(told)


@pytest.mark.parametrize("seed", range(examples(8)))
def test_the_json_report_equals_an_independent_count(seed, tmp_path, capsys):
    records = random_records(seed)
    told = json_report(capsys, write_records(records, tmp_path / "audit.jsonl"))
    wanted = expected_report(records)
    for name in ("calls", "files", "tokens", "failures", "repeated"):
        assert told[name] == wanted[name], name
    plain = ("path", "calls", "lines_read", "lines", "tokens")
    assert {row["path"]: {name: row[name] for name in plain} for row in told["by_file"]} == wanted["by_file"]


@pytest.mark.parametrize("seed", range(examples(4)))
def test_each_caller_has_the_numbers_of_its_own_calls(seed, tmp_path, capsys):
    records = random_records(seed)
    told = json_report(capsys, write_records(records, tmp_path / "audit.jsonl"))
    for part in told["callers"]:
        own = [record for record in records if record.get("caller", "") == part["caller"]]
        wanted = expected_report(own)
        assert {name: part[name] for name in ("calls", "files", "tokens", "failures", "repeated")} == {
            name: wanted[name] for name in ("calls", "files", "tokens", "failures", "repeated")
        }
    assert sum(part["calls"] for part in told["callers"]) == told["calls"]


@pytest.mark.parametrize("seed", range(examples(4)))
def test_lcov_tells_how_often_each_line_was_read(seed, tmp_path, capsys):
    records = random_records(seed)
    _, told, _ = report(capsys, write_records(records, tmp_path / "audit.jsonl"), "--format", "lcov")
    wanted = expected_report(records)
    sections = told.split("end_of_record\n")[:-1]
    read = {}
    for section in sections:
        fields = [line.partition(":")[::2] for line in section.splitlines()]
        name = next(value for key, value in fields if key == "SF")
        lines = dict(tuple(map(int, value.split(","))) for key, value in fields if key == "DA")
        total = wanted["by_file"][name]["lines"] or max(lines)
        assert sorted(lines) == list(range(1, total + 1))
        assert (("LF", str(total)) in fields) and (("LH", str(wanted["by_file"][name]["lines_read"])) in fields)
        read[name] = {line: times for line, times in lines.items() if times}
    assert read == wanted["times"]


@pytest.mark.parametrize(
    ("total", "behind"), [(6, "DA:6,0\nLF:6\nLH:4\n"), (5, "LF:5\nLH:4\n"), (None, "LF:5\nLH:4\n")]
)
def test_lcov_tells_the_lines_behind_the_last_one_read_where_the_total_is_known(total, behind, tmp_path, capsys):
    read = json.loads(OLD) | {"kind": "file", "total": total}
    log = write_records(
        [read | {"range": [1, 3]}, read | {"range": [3, 3]}, read | {"range": [5, 5]}], tmp_path / "a.jsonl"
    )
    _, told, _ = report(capsys, log, "--format", "lcov")
    assert told == f"TN:\nSF:src/app.py\nDA:1,1\nDA:2,1\nDA:3,2\nDA:4,0\nDA:5,1\n{behind}end_of_record\n"


def test_lcov_shows_no_control_character_of_a_path(tmp_path, capsys):
    path = "/project/a\x1b[31mb\nDA:1,9\rc\x9bd\udcff.txt"
    record = {"verdict": "read", "opened": path, "range": [1, 1], "total": 1, "kind": "file"}
    _, told, _ = report(capsys, write_records([record], tmp_path / "a.jsonl"), "--format", "lcov")
    shown = r"SF:/project/a\x1b[31mb\x0aDA:1,9\x0dc\x9bd\udcff.txt"
    assert told.splitlines() == ["TN:", shown, "DA:1,1", "LF:1", "LH:1", "end_of_record"]


def test_lcov_is_bounded_whatever_lines_a_record_claims(tmp_path, capsys):
    read = json.loads(OLD) | {"kind": "file", "total": None}
    claims = read | {"path": "b.py", "opened": "/project/b.py", "range": [1, 10**12]}
    status, told, said = report(capsys, write_records([read, claims], tmp_path / "a.jsonl"), "--format", "lcov")
    first, second, rest = told.split("end_of_record\n")
    assert (status, rest, "b.py" in first) == (0, "", True)
    lines = first.splitlines()
    assert (lines[2], lines[-3:]) == ("DA:1,1", ["DA:1000000,1", f"LF:{10**12}", f"LH:{10**12}"])
    assert "SF:src/app.py\nDA:1,1\n" in second
    assert said == (
        "readwell: 999,999,000,000 lines of 1 file are left out: "
        "LCOV lists at most 1,000,000 of a file and 20,000,000 of all files\n"
    )


def test_lcov_is_bounded_over_all_files(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(as_lcov, "MAX_ALL_LINES", 10)
    read = json.loads(OLD) | {"kind": "file", "total": 6, "range": [1, 6]}
    reads = [read | {"path": name, "opened": f"/project/{name}"} for name in ("a.py", "b.py", "c.py")]
    _, told, said = report(capsys, write_records(reads, tmp_path / "a.jsonl"), "--format", "lcov")
    assert (told.count("DA:"), told.count("LF:6\nLH:6\n"), "c.py" in told) == (10, 2, False)
    assert "8 lines of 2 files are left out" in said


def test_the_summary_tells_the_calls_of_each_caller_and_of_those_without_a_name(tmp_path, capsys):
    read = json.loads(OLD) | {"kind": "file", "total": 20, "revision": "a", "tokens": 40}
    log = write_records([read, read | {"caller": "planner"}, read | {"caller": "planner"}], tmp_path / "a.jsonl")
    _, told, _ = report(capsys, log)
    assert told == (
        "3 calls, 1 file, 120 tokens\n"
        "repeated reads: 1 call, 40 tokens\n"
        "failures: none\n"
        "  (no name): 1 call, 1 file, 40 tokens, 0 repeated reads\n"
        "  planner: 2 calls, 1 file, 80 tokens, 1 repeated read\n"
        "\n"
        "  calls           lines read      tokens  path\n"
        "      3             20 of 20         120  src/app.py\n"
    )


def test_the_summary_names_the_ten_files_with_the_most_calls(tmp_path, capsys):
    records = random_records(3, calls=600, files=30)
    status, told, _ = report(capsys, write_records(records, tmp_path / "audit.jsonl"))
    wanted = expected_report(records)
    assert status == 0
    assert told.startswith(f"{wanted['calls']:,} calls, {wanted['files']} files, {wanted['tokens']:,} tokens\n")
    rows = told.split("path\n")[1].splitlines()
    most = sorted((row["calls"] for row in wanted["by_file"].values()), reverse=True)[:10]
    assert [int(row.split()[0]) for row in rows] == most


def test_records_of_several_files_are_counted_together(tmp_path, capsys):
    records = random_records(5)
    files = [write_records(records[part::3], tmp_path / f"{part}.jsonl") for part in range(3)]
    told = json_report(capsys, *files)
    assert (told["calls"], told["tokens"]) == (len(records), sum(record["tokens"] for record in records))


def test_a_record_of_the_first_version_is_read(tmp_path, capsys):
    log = tmp_path / "audit.jsonl"
    log.write_text(OLD * 2 + json.dumps(random_records(1, calls=1)[0]) + "\n")
    told = json_report(capsys, log)
    assert told["calls"] == 3
    row = next(row for row in told["by_file"] if row["path"] == "src/app.py")
    assert row == {
        "path": "src/app.py", "calls": 2, "lines_read": 20, "lines": None, "tokens": 400, "repeated": {"calls": 1, "tokens": 200},
    }  # fmt: skip


DAMAGED = [
    b'{"time": "2026-05-04T09:1',
    b"\xff\xfe not text",
    b"[]",
    b"null",
    b"{}",
    b'{"verdict": 7}',
    b"[" * 100_000,
    b'{"verdict": "read"} more',
    b'{"verdict": "read", "path": "' + b"a" * (5 << 20) + b'"}',
]
STRANGE = [
    b'{"verdict": "read", "range": [-3, -1], "opened": "/project/a"}',
    b'{"verdict": "read", "range": [1, 1e9], "opened": 5, "path": [], "tokens": -1, "bytes": "x", "ms": NaN}',
    b'{"verdict": "read", "range": [5, 2], "opened": "/project/a", "time": "9999-99-99T00:00:00.000Z"}',
    b'{"verdict": "read", "range": [true, 2], "total": 1e400, "time": 12, "opened": "/project/a", "found": {}}',
    b'{"verdict": "searched", "found": [3, {"path": 4}, {"path": "/project/b", "ranges": [[1], "x", [2, 3]]}]}',
    b'{"verdict": "read", "range": [1, 99999999999999999999], "opened": "/project/a"}',
]


def test_calls_of_further_files_are_in_the_totals_and_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ledger, "MAX_FILES", 2)
    read = {"verdict": "read", "range": [1, 3], "total": 3, "kind": "file", "tokens": 7}
    found = [{"path": f"/project/{name}", "matches": 1, "ranges": [[1, 1]]} for name in "acd"]
    records = [{**read, "opened": f"/project/{name}"} for name in "abcab"] + [
        {"verdict": "searched", "found": found, "tokens": 7}
    ]
    log = write_records(records, tmp_path / "audit.jsonl")
    told = json_report(capsys, log)
    assert (told["calls"], told["tokens"], told["files"], told["further_calls"]) == (6, 42, 2, 2)
    assert {row["path"]: row["calls"] for row in told["by_file"]} == {"/project/a": 3, "/project/b": 2}
    assert "only the first 2 files are told one by one: 2 calls that showed others" in report(capsys, log)[1]
    assert report(capsys, log, "-o", tmp_path / "page.html")[0] == 0


def test_damaged_lines_are_counted_and_left_out(tmp_path, capsys):
    log = tmp_path / "audit.jsonl"
    log.write_bytes(OLD.encode() + b"\n\n" + b"\n".join(DAMAGED))
    told = json_report(capsys, log)
    assert (told["calls"], told["damaged_lines"]) == (1, len(DAMAGED))
    assert "damaged lines of the record, left out: 9" in report(capsys, log)[1]


def test_strange_values_are_as_good_as_none(tmp_path, capsys):
    log = tmp_path / "audit.jsonl"
    log.write_bytes(b"\n".join(STRANGE) + b"\n")
    told = json_report(capsys, log)
    assert (told["calls"], told["damaged_lines"], told["tokens"]) == (len(STRANGE), 0, 0)
    assert {row["path"]: row["lines_read"] for row in told["by_file"]} == {"/project/a": 0, "/project/b": 2}


def test_no_calls_at_all_are_a_report(tmp_path, capsys):
    log = tmp_path / "audit.jsonl"
    log.write_text("")
    assert report(capsys, log)[:2] == (
        0,
        "0 calls, 0 files, 0 tokens\nrepeated reads: 0 calls, 0 tokens\nfailures: none\n",
    )
    assert json_report(capsys, log)["by_file"] == []
    assert report(capsys, log, "--format", "lcov")[:2] == (0, "")


def test_a_file_without_a_single_record_is_no_audit_record(tmp_path, capsys):
    text, log = tmp_path / "LICENSE", write_records(random_records(1, calls=5), tmp_path / "audit.jsonl")
    text.write_text("Permission is granted\n\nto everybody\n")
    status, told, failed = report(capsys, text)
    assert (status, told) == (1, "")
    assert failed == f"readwell: '{text}' is no audit record: not one of its lines is the record of a call. {KEEPING}\n"
    assert "--audit FILE" in failed
    status, told, _ = report(capsys, log, text)
    assert (status, told[:8], "damaged" in told) == (1, "5 calls,", False)


def test_a_record_that_cannot_be_read_is_named_and_the_others_are_reported(tmp_path, capsys):
    log = write_records(random_records(1, calls=5), tmp_path / "audit.jsonl")
    status, told, failed = report(capsys, tmp_path / "none.jsonl", log)
    assert (status, told[:8]) == (1, "5 calls,")
    assert failed == f"readwell: '{tmp_path / 'none.jsonl'}' cannot be read: No such file or directory. {KEEPING}\n"


def test_a_report_that_cannot_be_written_is_a_failure(tmp_path, capsys):
    log = write_records(random_records(1, calls=5), tmp_path / "audit.jsonl")
    page = tmp_path / "none" / "report.html"
    assert report(capsys, log, "-o", page) == (
        1, "", f"readwell: '{page}' cannot be written: No such file or directory.\n"
    )  # fmt: skip


def test_the_root_says_how_much_of_the_project_was_read(tmp_path, capsys):
    """A project elsewhere than where it was recorded is compared by its relative paths."""
    root = tmp_path / "copy"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_text("x = 1\n" * 40)
    (root / "src" / "unread.py").write_text("x = 1\n" * 40)
    (root / ".env").write_text("PASSWORD=1\n" * 4000)
    log = tmp_path / "audit.jsonl"
    log.write_text(OLD)
    told = json_report(capsys, log, "--root", root)
    assert told["project"] == {
        "root": str(root), "recorded_root": "/project", "files": 2, "files_read": 1, "bytes": 480, "complete": True, "share_read": 0.25,
    }  # fmt: skip
    assert [(row["path"], row["lines"]) for row in told["by_file"]] == [("src/app.py", 40)]


def test_files_that_changed_or_vanished_since_are_counted_as_they_were(tmp_path, capsys):
    from readwell import Reader
    from readwell.audit import AuditFile

    root = tmp_path.resolve() / "root"
    root.mkdir()
    for name in ("kept.txt", "changed.txt", "gone.txt"):
        (root / name).write_text("line\n" * 10)
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        for name in ("kept.txt", "changed.txt", "gone.txt"):
            reader.reply({"path": name, "limit": 5})
    (root / "changed.txt").write_text("zebra\n" * 3)
    (root / "gone.txt").unlink()
    told = json_report(capsys, log, "--root", root)
    assert (told["calls"], told["files"], told["project"]["files"]) == (3, 3, 2)
    assert {row["path"]: row["lines_read"] for row in told["by_file"]} == dict.fromkeys(
        ("kept.txt", "changed.txt", "gone.txt"), 5
    )
    assert report(capsys, log, "--root", root, "--format", "lcov")[0] == 0
    assert report(capsys, log, "--root", root, "-o", tmp_path / "page.html")[0] == 0
    assert "zebra" not in (tmp_path / "page.html").read_text()


def test_what_an_agent_did_is_what_the_report_says(tmp_path, capsys):
    """Real calls, real records: a repeated read, a whole file for one match, a failure that repeats."""
    from readwell import Reader
    from readwell.audit import AuditFile

    root = tmp_path.resolve() / "root"
    root.mkdir()
    (root / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 101)))
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log), caller="planner")) as reader:
        reader.search_reply({"pattern": "line 77", "path": "."})
        reader.reply({"path": "long.txt"})
        reader.reply({"path": "long.txt", "offset": 20, "limit": 5})
        for _ in range(3):
            reader.reply({"path": "missing.txt"})
    told = json_report(capsys, log, "--root", root)
    assert (told["calls"], told["files"], told["failures"]) == (6, 1, {"NOT_FOUND": 3})
    assert (told["repeated"]["calls"], told["whole_for_one_match"]["calls"], told["repeated_failures"]) == (1, 1, 2)
    assert told["by_file"][0]["lines_read"] == told["by_file"][0]["lines"] == 100
    assert told["project"]["share_read"] == 1.0


def test_the_command_reads_standard_input(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "readwell", "report", "-"], input=OLD, capture_output=True, text=True, timeout=HANG, check=True
    )  # fmt: skip
    assert done.stdout.startswith("1 call, 1 file, 200 tokens\n")


def test_a_call_without_lines_has_none_in_the_timeline():
    calls = RecentCalls()
    record = {"time": "2026-11-01T10:00:00Z", "tool": "read", "path": "a.txt", "verdict": "denied", "ms": 1}
    call = parse_logged_call(json.dumps(record).encode())
    calls.add(call, "somebody", -1)
    columns = dict(calls.columns(NumberedNames(), NumberedNames(), NumberedNames(), NumberedNames()))
    assert (columns["first"], columns["last"]) == ([0], [0])


def test_names_are_numbered_as_long_as_there_is_room_for_their_characters():
    names = NumberedNames()
    half = MAX_TEXT // 2
    assert [names.number_of(name) for name in ("a" * half, "b" * (half - 1), "c", "dd", "d", "c")] == [
        0,
        1,
        2,
        -1,
        -1,
        2,
    ]
    assert len(names.all) == 3
