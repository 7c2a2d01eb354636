"""Account of what was read: a record a call, no content, and nothing that it can hinder."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from every_dialect import path_param
from ordinary_user import as_an_ordinary_user
from readwell import AccessDenied, Reader
from readwell.audit import AuditFile, Record
from readwell.audit.audit_file import ROTATION_CHECK_S
from readwell.audit.record_json import json_fields_of
from readwell.dialects import NAMES, dialect_named
from readwell.errors import TooManyCalls
from readwell.policy import DOOR_DENIALS
from readwell.tool import Tool

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
HANG = 60


def stopped():
    return 0.0


@pytest.fixture
def root(tmp_path):
    folder = tmp_path.resolve() / "root"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\nthrée\n")
    (folder / ".env").write_text("PASSWORD=hunter2\n")
    (folder / "link").symlink_to("a.txt")
    (folder / "out").symlink_to("../outside")
    return folder


def timeless(record):
    assert TIME.fullmatch(record.time)
    return record._replace(time="")


def since_the_first_version(record):
    """Returns the fields that records have had from the beginning."""
    return timeless(record)[:9]


@pytest.mark.parametrize("name", NAMES)
def test_each_call_is_one_record(root, name):
    records = []
    tool = Tool(dialect_named(name), (str(root),), clock=stopped, denials=DOOR_DENIALS, audit=records.append)
    key = path_param(name)
    for path in ("a.txt", "link", ".env", "out", "missing", "a\0b", 7):
        tool.reply({key: path})
    real = str(root / "a.txt")
    assert [since_the_first_version(record) for record in records] == [
        ("", name, "a.txt", real, (1, 3), 12, "read", None, 0.0),
        ("", name, "link", real, (1, 3), 12, "read", None, 0.0),
        ("", name, ".env", None, None, 0, "denied", "deny: .env", 0.0),
        ("", name, "out", None, None, 0, "denied", "root", 0.0),
        ("", name, "missing", None, None, 0, "NotFound", None, 0.0),
        ("", name, None, None, None, 0, "InvalidRequest", None, 0.0),
        ("", name, None, None, None, 0, "InvalidRequest", None, 0.0),
    ]
    assert {record.tool for record in records} == {dialect_named(name).tools[0].name}
    assert (records[0].kind, records[0].total, records[0].tokens > 0) == ("file", 3, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_is_refused_is_recorded_with_its_path(root, name):
    records = []
    tool = Tool(dialect_named(name), (str(root),), audit=records.append)
    other_param = next(key for key, form in tool.dialect_tool.properties.items() if form.get("type") == "integer")
    tool.reply({path_param(name): "a.txt", other_param: "many"})
    tool.refuse({path_param(name): "a.txt"}, TooManyCalls("calls in flight", 2))
    tool.refuse(["a.txt"], TooManyCalls("calls in flight", 2))
    tool.reply({path_param(name): "content of a file " * 1000})
    assert [(record.path, record.verdict) for record in records] == [
        ("a.txt", "InvalidRequest"),
        ("a.txt", "TooManyCalls"),
        (None, "TooManyCalls"),
        (None, "InvalidRequest"),
    ]


def test_a_search_that_is_refused_is_recorded_with_its_path(root):
    records = []
    Reader(root, audit=records.append).search_reply({"pattern": "(", "file_path": "a.txt"})
    assert [(record.path, record.verdict) for record in records] == [("a.txt", "InvalidRequest")]


@pytest.mark.parametrize(
    "params",
    [
        {"paths": ["a.txt", "b.txt"], "offset": "q"},
        {"paths": '["a.txt", "b.txt"]', "offset": "q"},
        {"paths": "a.txt", "path": "", "limit": "q"},
        {"path": ["a.txt", "b.txt"]},
    ],
)
def test_a_call_for_several_files_that_is_refused_is_recorded_with_the_first(root, params):
    records = []
    with Reader(root, audit=records.append) as reader:
        assert reader.tool.reply(params, caller="reviewer").is_error
        assert not reader.tool.reply({"paths": ["a.txt", "a.txt"]}).is_error
    assert [(each.path, each.verdict, each.caller) for each in records] == [
        ("a.txt", "InvalidRequest", "reviewer"),
        ("a.txt", "read", None),
    ]


def test_a_pattern_whose_folders_take_too_long_is_recorded(root):
    records = []
    with Reader(root, audit=records.append, deadline_s=0.0) as reader:
        assert reader.reply({"paths": ["*.txt"]}).is_error
    assert [(each.path, each.verdict) for each in records] == [("*.txt", "DeadlineExceeded")]


def test_a_record_says_what_a_report_needs(root):
    """Who read which lines or pages of which revision, how much there is of it and what it cost."""
    records = []
    with Reader(root, audit=records.append) as reader:
        result = reader.read("a.txt", offset=2, limit=1)
        reader.read("a.txt", if_revision=result.revision)
        listed = reader.read(".")
        reader.tool.reply({"path": "a.txt", "limit": 2}, caller="reviewer")
    told = [(each.range, each.total, each.kind, each.view, each.revision, each.caller) for each in records]
    assert told == [
        ((2, 2), 3, "file", None, result.revision, None),
        (None, None, "file", "unchanged", result.revision, None),
        ((1, 4), 4, "directory", None, listed.revision, None),
        ((1, 2), 3, "file", None, result.revision, "reviewer"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_of_every_dialect_tells_the_revision_and_the_total(root, name):
    (root / "empty.txt").write_text("")
    with Reader(root) as reader:
        revisions = [reader.read(path).revision for path in ("a.txt", "empty.txt")]
    records = []
    tool = Tool(dialect_named(name), [str(root)], audit=records.append)
    param = tool.dialect_tool.required[0]
    for path in ("a.txt", "empty.txt"):
        assert not tool.reply({param: str(root / path)}).is_error
    assert [(each.revision, each.total) for each in records] == [*zip(revisions, (3, 0), strict=True)]


def test_an_outline_shows_no_lines(root):
    (root / "notes.md").write_text("# One\n\ntext\n\n# Two\n")
    records = []
    with Reader(root, audit=records.append) as reader:
        reader.read("notes.md", view="outline")
    assert [(each.view, each.range, each.total) for each in records] == [("outline", None, None)]


def test_a_search_is_recorded_with_the_lines_it_showed_and_without_what_was_sought(root, tmp_path):
    (root / "b.txt").write_text("no\ntwo\nthree\nno\ntwo\n")
    log = tmp_path / "audit.jsonl"
    with Reader(root, deny=[".env"], audit=AuditFile(str(log), caller="finder")) as reader:
        reader.search("two|three", ".")
    line = json.loads(log.read_text())
    shown = {each["path"]: (each["matches"], each["ranges"]) for each in line["found"]}
    assert shown == {str(root / "a.txt"): (1, [[2, 2]]), str(root / "b.txt"): (3, [[2, 3], [5, 5]])}
    assert (line["verdict"], line["tool"], line["caller"]) == ("searched", "search", "finder")
    assert "two" not in log.read_text()


def test_a_file_of_a_batch_has_one_record_of_what_was_shown(root):
    """A file that is read again with a larger share of the budget was shown once."""
    (root / "long.txt").write_text("".join(f"line {number}\n" for number in range(5000)))
    records = []
    with Reader(root, audit=records.append) as reader:
        reply = reader.reply({"paths": ["a.txt", "long.txt", "missing.txt"], "max_tokens": 3000})
    shown = {each["path"]: (each["start"], each["end"]) for each in reply.data["files"] if "end" in each}
    assert {each.path: each.range for each in records if each.range} == shown
    assert [(each.path, each.verdict) for each in records] == [
        ("a.txt", "read"), ("long.txt", "read"), ("missing.txt", "NotFound")]  # fmt: skip


def test_files_of_which_only_names_were_shown_are_listed(root):
    for number in range(40):
        (root / f"{number}.txt").write_text("a line of some words, to take some room\n" * 2000)
    records = []
    with Reader(root, audit=records.append) as reader:
        reader.reply({"paths": ["*.txt"]})
    listed = [each for each in records if each.verdict == "listed"]
    assert len(listed) == 41
    assert {(each.range, each.bytes) for each in listed} == {(None, 0)}


def test_tokens_are_those_of_the_reply(root):
    from readwell.tokens import count_tokens

    (root / "long.py").write_text("def double(number):\n    return 2 * number  # twice as much\n\n" * 900)
    records = []
    with Reader(root, audit=records.append) as reader:
        replies = [reader.reply({"path": path, "limit": limit}) for path, limit in (("long.py", 1000), ("long.py", 60))]
    true = [count_tokens(reply.text) for reply in replies]
    assert records[0].tokens == true[0]
    assert 0.7 * true[1] < records[1].tokens < 1.4 * true[1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("caller", [None, 'a "reviewer"\n'])
def test_a_line_is_that_of_its_record_whichever_way_it_is_written(root, tmp_path, name, caller):
    """Ordinary reads are written without becoming a record before; all others are not."""
    (root / 'ä "b"\n.txt').write_text("one\n" * 50)
    (root / "a.md").write_text("# A\n\nx\n# B\n")
    (root / "empty.txt").write_text("")
    (root / "sub").mkdir()
    records, log = [], tmp_path / "audit.jsonl"
    kept = [records.append, AuditFile(str(log), caller=caller)]
    tools = [Tool(dialect_named(name), (str(root),), clock=stopped, audit=each) for each in kept]
    key = path_param(name)
    calls = [{key: path} for path in ("a.txt", "link", 'ä "b"\n.txt', "a.md", "empty.txt", "sub", ".", "missing", 7)]
    calls += [{key: "a.txt", "offset": 2, "limit": 1}, {key: "a.txt", "offset": 9}, {key: "a.txt", "column": 2}]
    calls += [{key: "a.md", "view": view, "offset": 1} for view in ("outline", "block")]
    calls += [{key: "a.txt", "if_revision": tools[0].reply({key: "a.txt"}).data.get("revision") or "0" * 12}]
    records.clear()
    for params in calls:
        for tool in tools:
            tool.reply(params, caller="door")
    wanted = [json_fields_of(each._replace(caller=caller or "door")) for each in records]
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [{**each, "time": ""} for each in told] == [{**json.loads(f"{{{each}}}"), "time": ""} for each in wanted]
    assert [list(each) for each in told] == [list(json.loads(f"{{{each}}}")) for each in wanted]
    assert len(told) == len(calls) and all(TIME.fullmatch(each["time"]) for each in told)


def test_a_read_that_raises_is_recorded_too(root):
    records = []
    with Reader(root, deny=[".env"], audit=records.append) as reader, pytest.raises(AccessDenied):
        reader.read(".env")
    assert [record.verdict for record in records] == ["denied"]


def test_a_record_holds_no_content(root, tmp_path):
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        reader.read(".env")
        reader.read("a.txt", offset=2, limit=1)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["path"], line["range"], line["bytes"]) for line in lines] == [
        (".env", [1, 1], 16),
        ("a.txt", [2, 2], 3),
    ]
    assert "hunter2" not in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_any_name_is_one_line(root, tmp_path):
    log = tmp_path / "audit.jsonl"
    asked = ["new\nline", "\udcff", "\u2028", '"', "x" * 255]
    with Reader(root, audit=AuditFile(str(log))) as reader:
        for path in asked:
            reader.reply({"path": path})
    assert [json.loads(line)["path"] for line in log.read_bytes().split(b"\n")[:-1]] == asked


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="NOT TESTED: there is no /dev/full here")
def test_a_full_disk_hinders_no_read(root):
    with Reader(root, audit=AuditFile("/dev/full")) as reader:
        assert [reader.read("a.txt").text for _ in range(3)] == ["one\ntwo\nthrée"] * 3


def test_what_was_dropped_is_counted_in_the_next_record(tmp_path):
    """A pipe that nobody empties takes nothing more; once it is emptied, the account goes on."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    audit = AuditFile(str(pipe))
    record = Record("", "native", "x" * 3000)
    try:
        for _ in range(100):
            audit(record)
        taken = b""
        while piece := os.read(reader, 1 << 16):
            taken += piece
            if len(piece) < 1 << 16:
                break
        audit(record)
        taken += os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    lines = [json.loads(line) for line in taken.split(b"\n") if line.endswith(b"}")]
    assert (len(lines) + lines[-1]["dropped"], "dropped" in lines[0]) == (101, False)


def test_a_record_after_one_that_was_cut_starts_on_a_new_line(root, tmp_path):
    account = tmp_path / "audit.jsonl"
    for fragment in ('{"time": "2026-1', "", '{"time": "2026-2'):
        with open(account, "a") as file:
            file.write(fragment)
        with Reader(root, audit=AuditFile(str(account))) as reader:
            reader.reply({"path": "a.txt"})
            reader.reply({"path": "a.txt"})
    lines = account.read_text().splitlines()
    assert [lines[0], lines[5]] == ['{"time": "2026-1', '{"time": "2026-2']
    assert [json.loads(line)["path"] for line in lines[1:5] + lines[6:]] == ["a.txt"] * 6


def test_records_go_to_a_file_that_may_only_be_written(tmp_path):
    account = tmp_path / "audit.jsonl"
    account.write_text("{")
    account.chmod(0o222)
    with as_an_ordinary_user(tmp_path):
        AuditFile(str(account))(Record("", "native", "a.txt"))
    account.chmod(0o644)
    assert account.read_text().endswith("}\n")


def test_an_audit_file_that_cannot_be_opened_is_refused_at_once(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "where"):
        with pytest.raises(ValueError):
            AuditFile(str(path))


def test_a_record_after_a_rotation_goes_to_the_new_file(root, tmp_path):
    log, old = tmp_path / "audit.jsonl", tmp_path / "audit.jsonl.1"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        reader.read("a.txt", limit=1)
        log.rename(old)
        time.sleep(1.2 * ROTATION_CHECK_S)
        reader.read("a.txt", limit=2)
        log.unlink()
        time.sleep(1.2 * ROTATION_CHECK_S)
        log.write_text("")
        reader.read("a.txt", limit=3)
    assert [json.loads(each.read_text())["range"] for each in (old, log)] == [[1, 1], [1, 3]]


def test_a_name_that_cannot_be_opened_anew_leaves_the_account_where_it_was(root, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    with Reader(root, audit=AuditFile(str(folder / "audit.jsonl"))) as reader:
        folder.rename(tmp_path / "moved")
        reader.read("a.txt", limit=2)
    assert json.loads((tmp_path / "moved" / "audit.jsonl").read_text())["range"] == [1, 2]


def test_a_dropped_audit_file_gives_its_descriptor_back(tmp_path):
    before = len(os.listdir("/dev/fd"))
    for number in range(20):
        AuditFile(str(tmp_path / str(number)))
    assert len(os.listdir("/dev/fd")) == before


KILLED = """
import os, signal, sys
from readwell import Reader
from readwell.audit import AuditFile
reader = Reader(sys.argv[1], cache_dir=None, audit=AuditFile(sys.argv[2]))
for number in range(1, 41):
    reader.reply({"path": "a.txt", "limit": number % 3 + 1})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_has_read_is_recorded_to_the_last_call(root, tmp_path):
    log = tmp_path / "audit.jsonl"
    done = subprocess.run([sys.executable, "-c", KILLED, root, log], timeout=HANG, check=False)
    assert done.returncode == -signal.SIGKILL
    told = [json.loads(line)["range"] for line in log.read_text().splitlines()]
    assert told == [[1, number % 3 + 1] for number in range(1, 41)]


WRITE_MANY = """
import sys
from readwell.audit import AuditFile, Record
audit = AuditFile(sys.argv[1])
for number in range(500):
    audit(Record("", sys.argv[2], "p" * 2000, bytes=number))
"""


def test_a_line_that_another_process_is_writing_is_not_taken_for_cut(tmp_path, monkeypatch):
    log = tmp_path / "audit.jsonl"
    log.write_text('{"half": ')

    def written_meanwhile(_):
        with log.open("a") as other:
            other.write("1}\n")

    monkeypatch.setattr("readwell.audit.audit_file.sleep", written_meanwhile)
    AuditFile(str(log))(Record("", "mine", "a.txt"))
    first, second = log.read_text().splitlines()
    assert json.loads(first) == {"half": 1} and json.loads(second)["dialect"] == "mine"


def test_processes_and_threads_may_share_a_file(tmp_path):
    log = tmp_path / "audit.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE_MANY, log, str(number)]) for number in range(4)]
    audit = AuditFile(str(log))
    record = Record("", "thread", "p" * 2000)
    threads = [threading.Thread(target=lambda: [audit(record) for _ in range(250)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for each in (*writers, *threads):
        each.wait(HANG) if isinstance(each, subprocess.Popen) else each.join(HANG)
    # Where a writer was held up within a line while another opened the file, an empty line is between the two.
    lines = [json.loads(line) for line in log.read_text().splitlines() if line]
    assert len(lines) == 3000
    assert [sum(line["dialect"] == str(number) for line in lines) for number in range(4)] == [500] * 4


def test_the_command_line_keeps_account(root, tmp_path):
    log = tmp_path / "audit.jsonl"
    for path in ("a.txt", ".env"):
        subprocess.run(
            [sys.executable, "-m", "readwell", "--root", root, path, "--audit", log],
            capture_output=True, timeout=HANG, check=False,
        )  # fmt: skip
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["verdict"], line["rule"]) for line in told] == [("read", None), ("denied", "deny: .env")]
