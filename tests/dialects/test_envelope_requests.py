"""The `envelope` dialect from outside: parameters, their echo, paths, confinement, look-alikes and names."""

import json
import os
import re
import socket
from pathlib import Path

import pytest
from asking import label, within
from envelope_replies import ABSENT, ANY, DENIED, bad, good, run
from small_files import JUNK

from ordinary_user import as_an_ordinary_user
from readwell.envelope import ReadTool

# The tables below are kept dense.
# fmt: off

REQUIRED = "Parameter 'path' is required."
INVALID = "Invalid path."
START = "Invalid start_line: must be an integer >= 1."
LIMIT = "Invalid limit: must be an integer between 1 and 2000."
NAN, INF = float("nan"), float("inf")


@pytest.fixture
def world(surrounded):
    """root with one of each kind, and things outside it that must stay unseen."""
    (surrounded / "mixed.txt").write_bytes(b"fine\nb\xffd\n")
    return surrounded


@pytest.mark.parametrize("field, message, value",
    [("start_line", START, v) for v in (0, -1, "1", "", 1.0, 1.5, -(10**5000))]
    + [("limit", LIMIT, v) for v in (0, -1, 2001, "5", 5.0, 10**5000, -(10**5000))]
    + [(f, m, v) for f, m in (("start_line", START), ("limit", LIMIT)) for v in (True, False, NAN, INF, -INF, None, [1], [], {}, b"1")],
    ids=label)
def test_numbers_are_strict_and_never_clamped(world, field, message, value):
    reply = run(ReadTool(str(world)), {"path": "text.txt", field: value})
    assert (reply["status"], reply["data"], reply["error"]) == ("error", {}, {"code": "INVALID_PARAM", "message": message})
    assert reply["text"].startswith(message + " ") and set(reply["stats"]) == {"time_ms"}
    assert set(reply["context"]["params_input"]) == {"path", field}


@pytest.mark.parametrize("start, total", [(4, 3), (999, 3), (10**20, 3), (2, 1)])
def test_a_start_past_the_end_says_the_valid_range(root, start, total):
    (root / "f.txt").write_bytes(b"x\n" * total)
    message = f"Invalid start_line: {start} exceeds file length ({total} lines). Valid range: 1 to {total}."
    bad(ReadTool(str(root)), {"path": "f.txt", "start_line": start}, "INVALID_PARAM", message, "f.txt")


def test_a_start_of_thousands_of_digits_is_past_the_end(world):
    error = run(ReadTool(str(world)), {"path": "text.txt", "start_line": 10**5000})["error"]
    assert error["code"] == "INVALID_PARAM" and error["message"].startswith("Invalid start_line: ")
    assert error["message"].endswith(" exceeds file length (3 lines). Valid range: 1 to 3.")


@pytest.mark.parametrize("params, code, message, resolved", [
    ({"start_line": 0, "limit": 0}, "INVALID_PARAM", REQUIRED, ABSENT),
    ({"path": "", "start_line": 0}, "INVALID_PARAM", REQUIRED, ABSENT),
    ({"path": 5, "start_line": 0}, "INVALID_PARAM", INVALID, ABSENT),
    ({"path": "../x\0", "start_line": 0}, "INVALID_PARAM", INVALID, ABSENT),
    ({"path": "../" + "a" * 256, "limit": 0}, "INVALID_PARAM", INVALID, ABSENT),
    ({"path": "qqqq", "start_line": 0, "limit": 0}, "INVALID_PARAM", START, ANY),
    ({"path": "qqqq", "limit": 0}, "INVALID_PARAM", LIMIT, ANY),
    ({"path": "../root-evil/plain.txt", "limit": 2001}, "INVALID_PARAM", LIMIT, ANY),
    ({"path": "../root-evil", "start_line": 99}, "ACCESS_DENIED", DENIED, ABSENT),
    ({"path": "qqqq", "start_line": 99}, "NOT_FOUND", "File 'qqqq' does not exist.", "qqqq"),
    ({"path": "folder", "start_line": 99}, "IS_DIRECTORY", "Path 'folder' is a directory. Use LS to explore it.", "folder"),
    ({"path": "binary.bin", "start_line": 9999}, "BINARY_FILE", "File 'binary.bin' appears to be binary.", "binary.bin"),
    ({"path": "mixed.txt", "start_line": 3}, "INVALID_PARAM",
         "Invalid start_line: 3 exceeds file length (2 lines). Valid range: 1 to 2.", "mixed.txt"),
], ids=label)
def test_checks_run_in_the_published_order(world, params, code, message, resolved):
    bad(ReadTool(str(world)), params, code, message, resolved)


@pytest.mark.parametrize("params", [{}, {"path": ""}, {"limit": 5}, [], ["text.txt"], "text.txt", 5, 1.5, True], ids=label)
def test_a_path_is_required(world, params):
    bad(ReadTool(str(world)), params, "INVALID_PARAM", REQUIRED, ABSENT)


@pytest.mark.parametrize("params", [None, b"text.txt", NAN, object(), {"text.txt"}, int], ids=label)
def test_parameters_that_are_no_json_still_get_an_envelope(world, params):
    reply = run(ReadTool(str(world)), params)
    assert reply["error"] == {"code": "INVALID_PARAM", "message": REQUIRED}
    if params is not None:
        assert reply["context"] == {"cwd": ".", "params_input": ascii(params)}


@pytest.mark.parametrize(
    "path", [5, 1.5, True, ["text.txt"], {"a": 1}, "\0", "text.txt\0", "a" * 256, "folder/" + "a" * 256, "é" * 128]
    + ["a/" * 2048 + "b", "./" * 2049 + "text.txt"], ids=label,
)
def test_an_impossible_path_is_invalid(world, path):
    bad(ReadTool(str(world)), {"path": path}, "INVALID_PARAM", INVALID, ABSENT)


@pytest.mark.parametrize("path", [b"text.txt", Path("text.txt"), 1j, NAN], ids=label)
def test_a_path_of_a_foreign_type_is_invalid_and_echoed_as_text(world, path):
    bad(ReadTool(str(world)), {"path": path}, "INVALID_PARAM", INVALID, ABSENT, params_input={"path": ascii(path)})


@pytest.mark.parametrize("value, echoed",
    [(same, same) for same in (None, True, 0, -7, 1.5, "", "naïve 名 😀", [], {}, [1, [2, {"a": None}]], {"a": {"b": [False]}})]
    + [
        (NAN, "nan"), (INF, "inf"), (-INF, "-inf"), ("a\ud800", "'a\\ud800'"), ("\udcff'", '"\\udcff\'"'), (b"x", "b'x'"), ({1}, "{1}"),
        (1 + 2j, "(1+2j)"), (Path("x"), ascii(Path("x"))), (int, "<class 'int'>"), ({1: "a"}, {"1": "a"}), ({None: 1}, {"None": 1}),
        ({True: 1}, {"True": 1}), ({2.5: 1}, {"2.5": 1}), ({(1, 2): 3}, {"(1, 2)": 3}), ({"k\ud800": 1}, {"'k\\ud800'": 1}),
        ([NAN, [INF, "ok"]], ["nan", ["inf", "ok"]]), ({"a": {"b": [b"x", {7: NAN}]}}, {"a": {"b": ["b'x'", {"7": "nan"}]}}),
], ids=label)
def test_unknown_parameters_are_ignored_and_echoed(world, value, echoed):
    tool = ReadTool(str(world))
    for path, status in (("text.txt", "success"), ("qqqq", "error")):
        reply = run(tool, {"path": path, "note": value})
        assert reply["status"] == status
        assert json.dumps(reply["context"]["params_input"]) == json.dumps({"path": path, "note": echoed})


def test_the_echo_is_a_deep_copy(world):
    params = {"path": "text.txt", "note": [{"a": [1]}]}
    reply = good(world, params, "text.txt", ["one", "two", "three"])
    params["note"][0]["a"].append(2)
    params["path"] = "changed"
    assert reply["context"]["params_input"] == {"path": "text.txt", "note": [{"a": [1]}]}


def test_an_object_that_holds_itself_is_echoed_somehow(world):
    ring, deep, params = ["a"], [], {"path": "text.txt"}
    ring.append(ring)
    params["self"] = params
    for _ in range(5000):
        deep = [deep]
    for given in ({"path": "text.txt", "note": ring}, {"path": "text.txt", "note": deep}, {"path": "text.txt", "note": 10**5000}, params):
        reply = run(ReadTool(str(world)), given)
        assert reply["status"] == "success" and reply["data"]["content"] == "   1 | one\n   2 | two\n   3 | three\n"
        assert reply["context"]["params_input"]["path"] == "text.txt" and set(reply["context"]["params_input"]) == set(given)


@pytest.mark.parametrize("path",
    ["..", "../root-evil", "../root-evil/plain.txt", "../root-evil/nothing", "../nothing", "folder/../../root-evil/plain.txt"]
    + ["to_file", "to_link", "to_nothing", "to_folder", "to_folder/plain.txt", "to_folder/nothing", "/", "/nothing-here/x"]
    + ["../root-evil/pipe"],
)
def test_outside_the_root_everything_gets_the_same_words(world, path):
    tool = ReadTool(str(world))
    words = bad(tool, {"path": "../root-evil/plain.txt"}, "ACCESS_DENIED", DENIED, ABSENT)
    for written in (path, f"{world}/{path}")[: 1 if path[0] == "/" else 2]:
        assert within(lambda w=written: bad(tool, {"path": w}, "ACCESS_DENIED", DENIED, ABSENT)) == words


def test_links_and_detours_inside_the_root_are_followed(world):
    (world / "deep" / "er").mkdir(parents=True)
    (world / "deep" / "near.txt").write_bytes(b"near\n")
    (world / "relative").symlink_to("text.txt")
    (world / "absolute").symlink_to(world / "text.txt")
    (world / "jump").symlink_to("deep/er")
    (world.parent / "alias").symlink_to(world)
    for tool in (ReadTool(str(world)), ReadTool(str(world.parent / "alias"))):
        for path in ("text.txt", "./text.txt", "folder//../text.txt", "../root/text.txt", str(world / "text.txt"), "relative", "absolute"):
            good(world, {"path": path}, "text.txt", ["one", "two", "three"], tool=tool)
        good(world, {"path": "jump/../near.txt"}, "deep/near.txt", ["near"], tool=tool)
        bad(tool, {"path": "jump/../text.txt"}, "NOT_FOUND", "File 'jump/../text.txt' does not exist.", ANY)


@pytest.mark.parametrize("path, resolved",
    [("qqqq", "qqqq"), ("./folder//qqqq", "folder/qqqq"), ("folder/./qqqq", "folder/qqqq"), ("folder/../qqqq", "qqqq"), (" ", " ")]
    + [("a" * 255, "a" * 255), ("text.txt/", ANY), ("text.txt/x", ANY), ("text.txt/../text.txt", ANY)]
    + [("nowhere/../text.txt", ANY)], ids=label)
def test_a_missing_file_is_named_as_written_and_as_normalised(world, path, resolved):
    bad(ReadTool(str(world)), {"path": path}, "NOT_FOUND", f"File '{path}' does not exist.", resolved)
    path = f"{world}/{path}"
    bad(ReadTool(str(world)), {"path": path}, "NOT_FOUND", f"File '{path}' does not exist.", resolved)


@pytest.mark.parametrize("wanted, names, like", [
    ("report", ["zreport", "report.txt", "report.csv", "annual_report.md"], ["annual_report.md", "report.csv", "report.txt"]),
    ("READ", ["readme.txt", "other.md"], ["readme.txt"]),
    ("notes.txt", ["notes.json", "notes.py", "notes.md", "notes.c"], ["notes.c", "notes.md", "notes.py"]),
    ("calculator.py", ["calculatorr.py", "acalculattor.py", "qqqq"], ["acalculattor.py", "calculatorr.py"]),
    ("data.txt", ["dara.txt", "data.csv", "zdata.txt.a", "zdata.txt.b"], ["zdata.txt.a", "zdata.txt.b", "data.csv"]),
    ("report", ["report\n.txt"], ["report\\x0a.txt"]), ("report", ["report\udcff"], ["report\\udcff"]),
], ids=label)
def test_the_guidance_names_look_alikes(root, wanted, names, like):
    for name in names:
        (root / name).write_bytes(b"x")
    guidance = bad(ReadTool(str(root)), {"path": wanted}, "NOT_FOUND", f"File '{wanted}' does not exist.", wanted)
    places = [guidance.find(name) for name in like]
    assert -1 not in places and places == sorted(places)
    assert not [name for name in names if name.isprintable() and name not in like and name in guidance]


def test_what_is_refused_is_never_suggested(world):
    (world / "plan.md").symlink_to("../root-evil/plain.txt")
    guidance = bad(ReadTool(str(world)), {"path": "plan.txt"}, "NOT_FOUND", "File 'plan.txt' does not exist.", "plan.txt")
    assert "plan.md" not in guidance


def test_a_directory_is_refused_by_name(world):
    for path, resolved in (("folder", "folder"), ("folder/", "folder"), (str(world / "folder"), "folder"), (".", ANY)):
        message = f"Path '{path}' is a directory. Use LS to explore it."
        bad(ReadTool(str(world)), {"path": path}, "IS_DIRECTORY", message, resolved)


def test_pipes_sockets_and_devices_are_refused_untouched(root, monkeypatch):
    def refused(folder, path):
        message = f"Path '{path}' is not a regular file."
        assert within(lambda: bad(ReadTool(str(folder)), {"path": path}, "INVALID_PARAM", message, ANY))

    monkeypatch.chdir(root)
    os.mkfifo("pipe")
    os.symlink("pipe", "pipe.txt")
    refused("/dev", "null")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        for path in ("pipe", "pipe.txt", "sock"):
            refused(root, path)
    fd = os.open("pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(fd, b"kept")
        refused(root, "pipe")
        assert os.read(fd, 99) == b"kept"
    finally:
        os.close(fd)


def test_a_loop_of_links_cannot_be_read(root):
    (root / "loop").symlink_to("pool")
    (root / "pool").symlink_to("loop")
    bad(ReadTool(str(root)), {"path": "loop"}, "EXECUTION_ERROR", re.compile("Could not read 'loop': .+\\."), ANY)


def test_a_deadline_that_is_over_is_a_timeout(root):
    (root / "f.txt").write_bytes(b"some words\n" * 2_000_000)
    bad(ReadTool(str(root), deadline_s=1e-9), {"path": "f.txt"}, "TIMEOUT", "Reading 'f.txt' took too long.", ANY)


def test_what_the_system_forbids_is_permission_denied(world):
    for locked, path in (("text.txt", "text.txt"), ("folder", "folder/inner.txt")):
        (world / locked).chmod(0)
        try:
            with as_an_ordinary_user(world):
                bad(ReadTool(str(world)), {"path": path}, "PERMISSION_DENIED", f"Permission denied: '{path}'.", ANY)
        finally:
            (world / locked).chmod(0o755)


@pytest.mark.parametrize("name, shown, echoed", [
    ("a\nb.txt", r"a\x0ab.txt", None), ("a\tb.txt", r"a\x09b.txt", None), ("\x1b[31m.txt", r"\x1b[31m.txt", None),
    ("a\x7f.txt", r"a\x7f.txt", None), ("a\x85.txt", r"a\x85.txt", None), ("a\udcff.txt", r"a\udcff.txt", "'a\\udcff.txt'"),
    ("a\\b.txt", "a\\b.txt", None), ("naïve 名 😀.txt", "naïve 名 😀.txt", None),
], ids=label)
def test_names_are_shown_safely(root, name, shown, echoed):
    tool, echo = ReadTool(str(root)), {"path": echoed or name}
    bad(tool, {"path": name}, "NOT_FOUND", f"File '{shown}' does not exist.", shown, params_input=echo)
    (root / name).write_bytes(b"x\n")
    good(root, {"path": name}, name, ["x"], path_resolved=shown, params_input=echo)
    (root / name).write_bytes(JUNK)
    bad(tool, {"path": name}, "BINARY_FILE", f"File '{shown}' appears to be binary.", shown, params_input=echo)


def test_a_path_no_file_system_can_hold_still_gets_a_clean_reply(root):
    for path in ("\ud800", "a\udfff/b", "\ud83d.txt"):
        reply = run(ReadTool(str(root)), {"path": path})
        assert reply["status"] == "error" and reply["context"]["params_input"] == {"path": ascii(path)}
