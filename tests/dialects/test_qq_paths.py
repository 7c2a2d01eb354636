"""The `qq` dialect from outside: order of checks, paths, confinement, look-alikes and names."""

import os
import socket
from pathlib import Path

import pytest
from asking import label, within
from qq_replies import NUM_LOW, NUM_TYPE, START_TYPE, beyond, needs_extra, page
from small_files import JUNK, pdf

from ordinary_user import as_an_ordinary_user
from readwell.qq import FileManager

# The tables below are kept dense.
# fmt: off

INVALID = "Error: Invalid path."
DENIED = "Error: Access denied. Path must be within the root."


def missing(path, *like):
    return f"Error: File '{path}' does not exist." + (f"\nDid you mean: {', '.join(like)}?" if like else "")


@pytest.fixture
def world(surrounded):
    """root with one of each kind, and things outside it that must stay unseen."""
    (surrounded / "paper.pdf").write_bytes(pdf())
    return surrounded


@pytest.mark.usefixtures("without_documents")
def test_checks_run_in_the_published_order(world):
    manager = FileManager(root=str(world))
    for path, start, num, reply in [
        ("qqqq.zzz", "x", "y", START_TYPE), (None, 1.5, 0, START_TYPE), (None, 1, "y", NUM_TYPE), (None, 0, 0, NUM_LOW),
        ("qqqq.zzz", 1, 0, NUM_LOW), ("../root-evil/plain.txt", 1, 0, NUM_LOW), ("../root-evil/\0", 0, 1, INVALID),
        ("../" + "a" * 256, 0, 1, INVALID), ("../root-evil/nothing", 0, 1, DENIED), ("../root-evil", 0, 1, DENIED),
        ("qqqq.zzz", 0, 1, missing("qqqq.zzz")), ("folder", 0, 1, "Error: 'folder' is a directory, not a file."),
        ("binary.bin", 0, 1, "Error: File 'binary.bin' appears to be binary."), ("paper.pdf", 999, 1, needs_extra("paper.pdf")),
        ("text.txt", 4, 1, beyond(4, 3)),
    ]:
        assert manager.read_file(path, start, num) == reply


@pytest.mark.parametrize("path",
    ["", None, 5, 1.5, True, b"text.txt", ["text.txt"], {}, Path("text.txt"), object(), "\0", "text.txt\0", "a\0b"]
    + ["a" * 256, "folder/" + "a" * 256, "a" * 256 + "/x", "é" * 128, "a/" * 2048 + "b", "./" * 2049 + "text.txt"], ids=label)
def test_an_impossible_path_is_invalid(world, path):
    for manager in (FileManager(root=str(world)), FileManager(cwd=str(world))):
        assert manager.read_file(path) == INVALID


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, " "], ids=label)
def test_a_longest_possible_name_is_valid(root, name):
    manager = FileManager(root=str(root))
    assert manager.read_file(name) == missing(name)
    (root / name).write_bytes(b"x\n")
    assert manager.read_file(name) == page(name, ["x"])


def test_relative_paths_start_at_root_or_cwd_or_the_process(world, monkeypatch):
    expected = page("inner.txt", ["inner"])
    assert FileManager(root=str(world)).read_file("folder/inner.txt") == expected
    assert FileManager(cwd=str(world)).read_file("folder/inner.txt") == expected
    assert FileManager(cwd=str(world / "folder")).read_file("inner.txt") == expected
    assert FileManager().read_file(str(world / "folder" / "inner.txt")) == expected
    monkeypatch.chdir(world / "folder")
    assert FileManager().read_file("inner.txt") == expected
    assert FileManager(root=str(world)).read_file("inner.txt").split("\n")[0] == missing("inner.txt")


@pytest.mark.parametrize("path", ["to_file", "to_link", "to_folder/plain.txt", "../root-evil/plain.txt"])
def test_without_a_root_nothing_is_confined(world, path):
    name = path.split("/")[-1]
    assert FileManager(cwd=str(world)).read_file(path) == page(name, ["outside"])


@pytest.mark.parametrize("path",
    ["..", "../root-evil", "../root-evil/plain.txt", "../root-evil/nothing", "../nothing", "folder/../../root-evil/plain.txt"]
    + ["to_file", "to_link", "to_nothing", "to_folder", "to_folder/plain.txt", "to_folder/nothing", "../root-evil/pipe", "/"]
    + ["/root-evil-nothing/x"],
)
def test_outside_the_root_everything_gets_the_same_words(world, path):
    manager = FileManager(root=str(world))
    assert within(lambda: manager.read_file(path)) == DENIED
    if not path.startswith("/"):
        assert within(lambda: manager.read_file(f"{world}/{path}")) == DENIED


def test_links_and_detours_inside_the_root_are_followed(world):
    (world / "deep" / "er").mkdir(parents=True)
    (world / "deep" / "near.txt").write_bytes(b"near\n")
    (world / "relative").symlink_to("text.txt")
    (world / "absolute").symlink_to(world / "text.txt")
    (world / "jump").symlink_to("deep/er")
    (world.parent / "alias").symlink_to(world)
    three = ["one", "two", "three"]
    for manager in (FileManager(root=str(world)), FileManager(root=str(world.parent / "alias"))):
        for path in ("text.txt", "./text.txt", "folder/../text.txt", "../root/text.txt", str(world / "text.txt")):
            assert manager.read_file(path) == page("text.txt", three)
        assert manager.read_file("relative") == page("relative", three)
        assert manager.read_file("absolute") == page("absolute", three)
        assert manager.read_file("jump/../near.txt") == page("near.txt", ["near"])
        assert manager.read_file("jump/../text.txt").split("\n")[0] == missing("jump/../text.txt")


def test_a_loop_of_links_is_one_error(root):
    (root / "loop").symlink_to("pool")
    (root / "pool").symlink_to("loop")
    for manager in (FileManager(root=str(root)), FileManager(cwd=str(root))):
        assert within(lambda manager=manager: manager.read_file("loop")).startswith("Error: ")


@pytest.mark.parametrize("path", ["text.txt/", "text.txt/x", "text.txt/../text.txt", "nowhere/../text.txt", "nowhere/x"])
def test_a_file_has_no_inside(world, path):
    assert FileManager(root=str(world)).read_file(path).split("\n")[0] == missing(path)


def test_a_directory_is_refused_by_name(world):
    for manager in (FileManager(root=str(world)), FileManager(cwd=str(world))):
        for path in ("folder", "folder/", "./folder", str(world / "folder"), "folder/.", "."):
            assert manager.read_file(path) == f"Error: '{path}' is a directory, not a file."


def test_pipes_sockets_and_devices_are_refused_untouched(root, monkeypatch):
    monkeypatch.chdir(root)
    os.mkfifo("pipe")
    os.symlink("pipe", "pipe.txt")
    manager = FileManager(root=str(root))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        for path in ("pipe", "pipe.txt", "sock"):
            assert within(lambda path=path: manager.read_file(path)) == f"Error: '{path}' is not a regular file."
    assert within(lambda: FileManager().read_file("/dev/null")) == "Error: '/dev/null' is not a regular file."
    fd = os.open("pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(fd, b"kept")
        assert within(lambda: manager.read_file("pipe", 99)) == "Error: 'pipe' is not a regular file."
        assert os.read(fd, 99) == b"kept"
    finally:
        os.close(fd)


def test_what_the_system_forbids_is_permission_denied(world):
    for locked, path in (("text.txt", "text.txt"), ("folder", "folder/inner.txt")):
        (world / locked).chmod(0)
        try:
            with as_an_ordinary_user(world):
                assert FileManager(root=str(world)).read_file(path) == f"Error: Permission denied: '{path}'."
        finally:
            (world / locked).chmod(0o755)


@pytest.mark.parametrize("wanted, names, like", [
    ("report", ["zreport", "report.txt", "report.csv", "annual_report.md"], ["annual_report.md", "report.csv", "report.txt"]),
    ("READ", ["readme.txt", "other.md"], ["readme.txt"]), ("abcdef.txt", ["abc", "ab", "qqqq"], ["abc"]),
    ("ABCDEF.txt", ["abc"], ["abc"]),
    ("notes.txt", ["notes.json", "notes.py", "notes.md", "notes.c"], ["notes.c", "notes.md", "notes.py"]),
    ("calculator.py", ["calculatorr.py", "acalculattor.py", "qqqq"], ["acalculattor.py", "calculatorr.py"]),
    ("data.txt", ["dara.txt", "data.csv", "zdata.txt.bak", "qqqq"], ["zdata.txt.bak", "data.csv", "dara.txt"]),
    ("data.txt", ["dara.txt", "data.csv", "zdata.txt.a", "zdata.txt.b"], ["zdata.txt.a", "zdata.txt.b", "data.csv"]),
    ("nothing.like", ["qqqq", "zzzz.md"], []), ("report", ["report\n.txt"], ["report\\x0a.txt"]),
    ("report", ["report\udcff"], ["report\\udcff"]),
], ids=label)
def test_look_alikes_of_a_missing_name(root, wanted, names, like):
    (root / "sub").mkdir()
    for name in names:
        (root / "sub" / name).write_bytes(b"x")
    (root / f"{wanted}.elsewhere").write_bytes(b"x")
    manager = FileManager(root=str(root))
    for path in (f"sub/{wanted}", str(root / "sub" / wanted)):
        assert manager.read_file(path) == missing(path, *like)


def test_what_is_refused_is_never_suggested(world):
    (world / "plan.md").symlink_to("../root-evil/plain.txt")
    (world / "plan.py").symlink_to("../root-evil/nothing")
    assert FileManager(root=str(world)).read_file("plan.txt") == missing("plan.txt")
    (world / "plan.c").write_bytes(b"x")
    assert FileManager(root=str(world)).read_file("plan.txt") == missing("plan.txt", "plan.c")


@pytest.mark.parametrize("name, shown", [
    ("a\nb.txt", r"a\x0ab.txt"), ("a\rb.txt", r"a\x0db.txt"), ("a\tb.txt", r"a\x09b.txt"), ("\x1b[31m.txt", r"\x1b[31m.txt"),
    ("a\x7f.txt", r"a\x7f.txt"), ("a\x85.txt", r"a\x85.txt"), ("a\x9f.txt", r"a\x9f.txt"), ("a\udcff.txt", r"a\udcff.txt"),
    ("a\\b.txt", "a\\b.txt"), ("naïve 名 😀.txt", "naïve 名 😀.txt"), ("x'] | Lines 1-9.txt", "x'] | Lines 1-9.txt"),
], ids=label)
@pytest.mark.usefixtures("without_documents")
def test_names_are_shown_safely(root, name, shown):
    manager = FileManager(root=str(root))
    assert manager.read_file(name) == missing(shown)
    assert manager.read_file(f"../{name}") == DENIED
    (root / name).write_bytes(b"x\n")
    assert manager.read_file(name) == page(shown, ["x"])
    (root / name).write_bytes(JUNK)
    assert manager.read_file(name) == f"Error: File '{shown}' appears to be binary."
    (root / name).write_bytes(pdf())
    assert manager.read_file(name) == needs_extra(shown)
    (root / name).unlink()
    (root / name).mkdir()
    assert manager.read_file(name) == f"Error: '{shown}' is a directory, not a file."


def test_a_path_no_file_system_can_hold_still_gets_a_clean_reply(root):
    for path in ("\ud800", "a\udfff/b", "\ud83d.txt"):
        reply = FileManager(root=str(root)).read_file(path)
        assert reply.startswith("Error: ") and reply.encode("utf-8")
