"""What a root holds in: every shape of path, through both ways of opening beneath a directory."""

import contextlib
import ctypes
import errno
import itertools
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples, some_of
from every_dialect import path_param
from ordinary_user import as_an_ordinary_user
from readwell.dialects import NAMES, dialect_named
from readwell.errors import ReadError, Unreadable
from readwell.source import open_by_openat2, open_by_walking
from readwell.tool import Tool

HANG = 60
LINUX = sys.platform == "linux"


def kernel_has_openat2():
    folder = os.open("/", os.O_RDONLY)
    try:
        os.close(open_by_openat2(folder, ".", os.O_RDONLY, True))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


NEEDS_OPENAT2 = pytest.mark.skipif(
    not (LINUX and kernel_has_openat2()), reason="NOT TESTED: this kernel has no openat2; run on Linux 5.6 or later"
)
OPENERS = [open_by_walking, *([open_by_openat2] if LINUX and kernel_has_openat2() else [])]
NEEDS_PROC = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="NOT TESTED: there is no /proc here")
NEEDS_LINUX = pytest.mark.skipif(not LINUX, reason="NOT TESTED: Linux alone promises this; run on Linux")
both_openers = pytest.mark.parametrize(
    "beneath",
    [pytest.param(open_by_openat2, id="openat2", marks=NEEDS_OPENAT2), pytest.param(open_by_walking, id="walk")],
)
every_dialect = pytest.mark.parametrize("name", NAMES)


def stopped():
    """A clock that stands, so that no reply tells how long it took."""
    return 0.0


def opened(name, roots, beneath=None):
    return contextlib.closing(Tool(dialect_named(name), roots, beneath=beneath, clock=stopped))


def params(name, path):
    return {path_param(name): path}


def answer(tool, path):
    """Everything a caller can see of a reply."""
    reply = tool.reply(params(tool.dialect.name, path))
    return reply.text, reply.data, reply.is_error, type(reply.exception)


def outcome(roots, path, beneath):
    """The kind and the text of what was read, or what it failed with."""
    with opened("native", roots, beneath) as tool:
        try:
            result = tool.read({"path": path})
        except Unreadable as error:
            return "Unreadable", errno.errorcode[error.errno]
        except ReadError as error:
            return type(error).__name__
    return result.kind, result.text


# --- every shape of path ------------------------------------------------------------------------

INSIDE, INNER, NEAR, OTHER = ("file", "inside"), ("file", "inner"), ("file", "near"), ("file", "other")
SECRET = ("file", "secret")
LISTED = ("directory", "deep/\ndot/\nhome/\ninner.txt\t6\nnear.txt\t5")
NOTHING = ("directory", "")
NOT_FOUND, DENIED, NOT_REGULAR = "NotFound", "AccessDenied", "NotRegularFile"
LOOP = ("Unreadable", "ELOOP")

NAMES_THAT_ARE_JUST_NAMES = [
    "with space.txt", " ", "new\nline.txt", "tab\t.txt", "\x1b[31m.txt", "back\\slash.txt", "..\\text.txt", "...",
    "..text", "-rf", "*", "~", "$HOME", "%2e%2e", "[end]", "naïve 名 😀.txt", "a" * 255,
]  # fmt: skip


class Shape(NamedTuple):
    path: str
    expected: object
    roots: tuple = ("{root}",)


def shapes(expected, *paths, roots=("{root}",)):
    return [Shape(path, expected, roots) for path in paths]


PLAIN = [
    *shapes(INSIDE, "text.txt", "./text.txt", "././text.txt", ".//text.txt", "folder/../text.txt"),
    *shapes(INSIDE, "folder/deep/../../text.txt", "folder/./../text.txt", "folder//..//text.txt"),
    *shapes(INSIDE, "{root}/text.txt", "/{root}/text.txt", "//{root}/text.txt", "{root}//text.txt"),
    *shapes(INSIDE, "{root}/./folder/../text.txt", "{top}/./root/text.txt", "{top}//root/text.txt"),
    *shapes(INSIDE, "file://{root}/text.txt", "file://{root}/%74ext.txt", "file://localhost{root}/text.txt"),
    *shapes(INNER, "folder/inner.txt", "folder//inner.txt", "folder///inner.txt", "folder/./inner.txt"),
    *shapes(LISTED, "folder", "./folder", "folder/", "folder//", "folder/.", "folder/./", "folder/deep/.."),
    *shapes(LISTED, "folder/deep/../", "folder/deep/../.", "{root}/folder", "{root}/folder/"),
    *shapes(NOTHING, "folder/deep", "folder/deep/"),
    *shapes(INSIDE, *NAMES_THAT_ARE_JUST_NAMES),
]
MISSING = [
    *shapes(NOT_FOUND, "nothing", "nothing/", "nothing/.", "nothing/..", "nothing/x", "nothing/../text.txt"),
    *shapes(NOT_FOUND, "{root}/nothing", "../root/nothing", "../root/nothing/../text.txt"),
    *shapes(NOT_FOUND, "text.txt/", "text.txt/.", "text.txt//", "text.txt/x", "text.txt/..", "text.txt/../text.txt"),
    *shapes(NOT_FOUND, "{root}/text.txt/", "../root/text.txt/", "../root/text.txt/x", "../root/text.txt/../text.txt"),
    *shapes(NOT_FOUND, "abs_file/../text.txt", "back/../text.txt", "back/", "back/x", "abs_file/", "abs_file/x"),
    *shapes(
        NOT_FOUND, "folder/inner.txt/../near.txt", " text.txt", "text.txt ", "text.txt\n", "．．/outside/plain.txt"
    ),
    *shapes(NOT_FOUND, "..\\outside\\plain.txt", "folder/...", "%2e%2e/outside/plain.txt", "~/text.txt"),
    *shapes(NOT_FOUND, "nothing/../../outside/plain.txt", "text.txt/../../outside/plain.txt"),
]
LINKS = [
    *shapes(INSIDE, "rel_file", "abs_file", "chain", "chain_abs", "{root}/rel_file", "./rel_file", "to_root/text.txt"),
    *shapes(
        INSIDE, "to_root/to_root/to_root/text.txt", "here/text.txt", "here/here/here/text.txt", "dir_slash/../text.txt"
    ),
    *shapes(INNER, "rel_dir/inner.txt", "abs_dir/inner.txt", "rel_dir//inner.txt", "dir_slash/inner.txt"),
    *shapes(INNER, "to_root/folder/home/dot/inner.txt"),
    *shapes(LISTED, "rel_dir", "rel_dir/", "rel_dir/.", "abs_dir", "abs_dir/", "abs_dir/.", "dir_slash", "folder/home"),
    *shapes(LISTED, "folder/dot", "folder/dot/", "here/folder", "to_root/folder"),
    *shapes(NEAR, "jump/../near.txt", "abs_jump/../near.txt", "jump/.././near.txt"),
    *shapes(INSIDE, "jump/../../text.txt", "abs_jump/../../text.txt", "here/jump/../../text.txt"),
    *shapes(NOT_FOUND, "jump/../text.txt", "abs_jump/../text.txt"),
    *shapes(NOT_FOUND, "rel_file/", "rel_file/.", "rel_file/x", "rel_file/../text.txt", "file_slash"),
    *shapes(NOT_FOUND, "broken", "broken/", "broken/x", "broken/../text.txt", "abs_broken", "deep_broken"),
    *shapes(INSIDE, "hop1", "hop40", "abs_hop1", "abs_hop40"),
    *shapes(LOOP, "hop41", "abs_hop41", "hop41/x", "{root}/hop41"),
    *shapes(LOOP, "loop", "pool", "self", "abs_self", "loop/", "loop/x", "loop/..", "self/../text.txt", "../root/loop"),
    *shapes(LOOP, "{root}/self", "grows", "abs_self/x"),
]
OUT_AND_BACK = [
    *shapes(INSIDE, "../root/text.txt", "../../{top_name}/root/text.txt", "folder/../../root/text.txt"),
    *shapes(DENIED, "../outside/../root/text.txt", "{outside}/../root/text.txt", "{outside}/dir/../../root/text.txt"),
    *shapes(DENIED, "out_dir/../root/text.txt"),
    *shapes(INSIDE, "../" * 40 + "{root}/text.txt", "{top}/alias/text.txt", "../alias/text.txt"),
    *shapes(INSIDE, "back", "detour", "through_alias", "round_trip", "out_dir/home/text.txt"),
    *shapes(INSIDE, "up/root/text.txt", "up/alias/text.txt", "{outside}/home/text.txt", "{outside}/to_text"),
    *shapes(LISTED, "../root/folder", "../root/folder/", "{top}/alias/folder", "{outside}/home/folder/"),
    *shapes(NEAR, "../root/jump/../near.txt", "{top}/alias/jump/../near.txt"),
    *shapes(NOT_FOUND, "{top}/alias/nothing", "{top}/alias/text.txt/"),
]
REFUSED = [
    *shapes(DENIED, "..", "../", "../.", "/", "//", "/.", "{top}", "{top}/", "../" * 40, "folder/../.."),
    *shapes(DENIED, "../outside", "../outside/plain.txt", "../outside/plain.txt/", "../outside/plain.txt/x"),
    *shapes(
        DENIED, "../outside/nothing", "{outside}", "{outside}/plain.txt", "{outside}/nothing", "/nothing", "/nothing/x"
    ),
    *shapes(DENIED, "../root-evil", "../root-evil/plain.txt", "{root}-evil/plain.txt", "{root}-evil", "{root}-none/x"),
    *shapes(DENIED, "folder/../../outside/plain.txt", "{root}/../outside/plain.txt", "/../{outside}/plain.txt"),
    *shapes(DENIED, "../" * 40 + "{outside}/plain.txt", "../root/../outside/plain.txt", "../../{top_name}/text.txt"),
    *shapes(DENIED, "out_file", "out_file_rel", "out_file/", "out_file/x", "out_dir", "out_dir/", "out_dir/plain.txt"),
    *shapes(DENIED, "out_dir/nothing", "out_missing", "chain_out", "up", "up/", "up/outside/plain.txt", "up/text.txt"),
    *shapes(
        DENIED, "out_dir/..", "out_dir/../text.txt", "out_dir/../outside/plain.txt", "out_dir/../root-evil/plain.txt"
    ),
    *shapes(DENIED, "{outside}/pipe", "out_pipe", "{outside}/loop", "out_loop", "{outside}/home/../outside/plain.txt"),
    *shapes(DENIED, "{top}/alias/../text.txt", "{top}/alias/../outside/plain.txt", "{top}/alias/out_file"),
    *shapes(DENIED, "{top}/second/other.txt", "to_second", "/dev/null", "null", "/etc/passwd", "/etc/nothing"),
    *shapes(
        DENIED, "file://{outside}/plain.txt", "file://{root}/%2e%2e/outside/plain.txt", "file:///%2e%2e/etc/passwd"
    ),
]
SPECIAL = [
    *shapes(NOT_REGULAR, "pipe", "to_pipe", "sock", "../root/pipe", "{top}/alias/pipe"),
    *shapes(NOT_FOUND, "pipe/", "pipe/x", "pipe/../text.txt", "sock/", "sock/x"),
]
MAGIC = [
    *shapes(INSIDE, "/proc/self/root{root}/text.txt", "/proc/{pid}/root{root}/text.txt", "/proc/self/cwd/../text.txt"),
    *shapes(
        INSIDE, "/proc/self/fd/{fd_text}", "/dev/fd/{fd_text}", "/proc/self/fd/{fd_folder}/../text.txt", "proc_text"
    ),
    *shapes(INSIDE, "proc_root{root}/text.txt", "proc_fd_text"),
    *shapes(INNER, "/proc/self/cwd/inner.txt", "/proc/self/fd/{fd_folder}/inner.txt", "proc_cwd/inner.txt"),
    *shapes(LISTED, "/proc/self/cwd", "/proc/self/cwd/", "/proc/self/fd/{fd_folder}", "proc_cwd"),
    *shapes(NOT_FOUND, "/proc/self/cwd/nothing", "/proc/self/fd/{fd_text}/", "/proc/self/fd/{fd_gone}"),
    *shapes(
        DENIED, "/proc", "/proc/version", "/proc/self", "/proc/self/environ", "/proc/self/root", "/proc/self/root/"
    ),
    *shapes(
        DENIED,
        "/proc/self/root/etc/passwd",
        "/proc/self/root{outside}/plain.txt",
        "/proc/self/root{root}-evil/plain.txt",
    ),
    *shapes(DENIED, "/proc/self/cwd/../../outside/plain.txt", "/proc/self/cwd/../..", "/proc/self/exe"),
    *shapes(DENIED, "/proc/self/fd/{fd_out}", "/proc/self/fd/{fd_pipe}", "/proc/self/fd/999999", "/proc/self/fd"),
    *shapes(DENIED, "/proc/self/fd/{fd_folder}/../../outside/plain.txt", "/proc/self/fd/{fd_watch}"),
    *shapes(DENIED, "proc_version", "proc_root", "proc_root/etc/passwd", "proc_root{outside}/plain.txt", "proc_fd_out"),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", "abs_file", roots=("/proc/self/root{root}",)),
    *shapes(DENIED, "..", "../outside/plain.txt", "out_file", roots=("/proc/self/root{root}",)),
    *shapes(INNER, "inner.txt", "{root}/folder/inner.txt", roots=("/proc/self/fd/{fd_folder}",)),
    *shapes(DENIED, "..", "../text.txt", "{root}/text.txt", roots=("/proc/self/fd/{fd_folder}",)),
    *shapes(NOT_REGULAR, "/proc/version", "/proc/self/status", "/proc/mounts", roots=("/",)),
    *shapes(INSIDE, "{root}/proc_text", roots=("/",)),
    *shapes(LOOP, "/proc/self/root{root}/text.txt", "/proc/self/cwd/inner.txt", "/proc/self/exe", roots=("/",)),
    *shapes(LOOP, "/proc/self/fd/{fd_text}", "/proc/self/fd/{fd_pipe}", "/proc/self/ns/mnt", roots=("/",)),
    *shapes(LOOP, "/proc/self/fd/{fd_watch}", roots=("/",)),
]
ALIAS, NESTED, BOTH = ("{top}/alias",), ("{root}/folder",), ("{root}", "{top}/second")
ROOTS = [
    *shapes(INSIDE, "text.txt", "{top}/alias/text.txt", "{root}/text.txt", "../root/text.txt", roots=ALIAS),
    *shapes(INSIDE, "../alias/text.txt", "abs_file", "to_root/text.txt", "through_alias", roots=ALIAS),
    *shapes(DENIED, "..", "../outside/plain.txt", "../text.txt", "{root}-evil/plain.txt", "out_file", roots=ALIAS),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", "abs_file", roots=("{root}/",)),
    *shapes(DENIED, "..", "../root-evil/plain.txt", "{root}-evil/plain.txt", roots=("{root}/",)),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", roots=("{top}//root//.",)),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", roots=("{root}/folder/..",)),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", roots=("{root}/jump/../..",)),
    *shapes(DENIED, "../outside/plain.txt", "../text.txt", roots=("{root}/jump/../..",)),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", roots=("..",)),
    *shapes(DENIED, "../outside/plain.txt", "{root}-evil/plain.txt", roots=("..",)),
    *shapes(INNER, "inner.txt", "./inner.txt", "{root}/folder/inner.txt", "../folder/inner.txt", roots=(".",)),
    *shapes(DENIED, "..", "../text.txt", "{root}/text.txt", roots=(".",)),
    *shapes(LISTED, ".", "./", "..//folder", "home", "dot", "{root}/folder", "{root}/folder/", roots=NESTED),
    *shapes(INNER, "home/inner.txt", "dot/dot/inner.txt", "deep/../inner.txt", roots=NESTED),
    *shapes(INNER, "{root}/rel_dir/inner.txt", "{root}/here/folder/inner.txt", "../abs_dir/inner.txt", roots=NESTED),
    *shapes(DENIED, "..", "../text.txt", "{root}", "{root}/text.txt", "{root}/rel_file", "../here", roots=NESTED),
    *shapes(INSIDE, "text.txt", "{root}/text.txt", "{top}/second/../root/text.txt", "to_second_and_back", roots=BOTH),
    *shapes(INSIDE, "{top}/second/to_first", "../second/to_first", roots=BOTH),
    *shapes(OTHER, "../second/other.txt", "{top}/second/other.txt", "to_second", "up/second/other.txt", roots=BOTH),
    *shapes(NOT_FOUND, "other.txt", "{top}/second/text.txt", roots=BOTH),
    *shapes(DENIED, "../outside/plain.txt", "{top}/second/../outside/plain.txt", "..", "out_file", roots=BOTH),
    *shapes(INSIDE, "{root}/text.txt", "../root/text.txt", "to_first", roots=("{top}/second", "{root}")),
    *shapes(NOT_FOUND, "text.txt", roots=("{top}/second", "{root}")),
    *shapes(INSIDE, "text.txt", "folder/../text.txt", roots=("{root}", "{root}/folder")),
    *shapes(INSIDE, "../text.txt", "{root}/text.txt", roots=("{root}/folder", "{root}")),
    *shapes(INNER, "inner.txt", "../folder/inner.txt", roots=("{root}/folder", "{root}")),
    *shapes(INSIDE, "{root}/text.txt", "{root_below_slash}/text.txt", "/..{root}/text.txt", roots=("/",)),
    *shapes(INSIDE, "{root}/abs_file", "{root}/../root/text.txt", "../..{root}/text.txt", roots=("/",)),
    *shapes(SECRET, "{root}/out_file", "{outside}/plain.txt", "{root}/out_dir/plain.txt", roots=("/",)),
    *shapes(NOT_FOUND, "{root}/text.txt/", "{root}/nothing", "/nothing", "{root}/broken", roots=("/",)),
    *shapes(LOOP, "{root}/loop", "{root}/hop41", roots=("/",)),
    *shapes(NOT_REGULAR, "/dev/null", "{root}/null", "{root}/pipe", roots=("/",)),
]


def table():
    for shape in (*PLAIN, *MISSING, *LINKS, *OUT_AND_BACK, *REFUSED, *SPECIAL, *ROOTS):
        marks = NEEDS_LINUX if "hop4" in shape.path else ()
        yield pytest.param(shape, marks=marks, id=ascii(shape.path)[:60] + "|" + ",".join(shape.roots))
    # A name that is no UTF-8: other systems refuse to store it.
    yield pytest.param(Shape("\udcff.txt", INSIDE), marks=NEEDS_LINUX, id="not-utf-8")
    for shape in MAGIC:
        yield pytest.param(shape, marks=NEEDS_PROC, id=shape.path + "|" + ",".join(shape.roots))


every_shape = pytest.mark.parametrize("shape", some_of(table(), 4))


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """A root, what lies around it, and what the shapes call these places."""
    top = tmp_path_factory.mktemp("confinement").resolve()
    root, outside = top / "root", top / "outside"
    build_root(root)
    fill(root, top)
    surround(top)
    with contextlib.ExitStack() as held:
        yield named_places(top, root, outside, held)


def build_root(root):
    (root / "folder" / "deep").mkdir(parents=True)
    (root / "text.txt").write_bytes(b"inside\n")
    (root / "folder" / "inner.txt").write_bytes(b"inner\n")
    (root / "folder" / "near.txt").write_bytes(b"near\n")
    (root / "folder" / "home").symlink_to(root / "folder")
    (root / "folder" / "dot").symlink_to(".")
    for name in (*NAMES_THAT_ARE_JUST_NAMES, *(["\udcff.txt"] if LINUX else [])):
        (root / name).write_bytes(b"inside\n")
    os.mkfifo(root / "pipe")
    folder = os.open(".", os.O_RDONLY)
    try:
        # The address of a socket is short, so it is bound by a relative one.
        os.chdir(root)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("sock")
    finally:
        os.chdir(folder)
        os.close(folder)


def fill(root, top):
    """Puts links into the root."""
    links = {
        "rel_file": "text.txt", "abs_file": f"{root}/text.txt", "rel_dir": "folder", "abs_dir": f"{root}/folder",
        "chain": "rel_file", "chain_abs": f"{root}/chain", "to_root": str(root), "here": ".", "up": "..",
        "jump": "folder/deep", "abs_jump": f"{root}/folder/deep", "dir_slash": "folder/", "file_slash": "text.txt/",
        "broken": "nowhere", "abs_broken": f"{root}/nowhere", "deep_broken": "folder/nowhere/x", "to_pipe": "pipe",
        "loop": "pool", "pool": "loop", "self": "self", "abs_self": f"{root}/abs_self", "grows": "grows/x",
        "back": "../root/text.txt", "detour": "../outside/../root/text.txt", "through_alias": f"{top}/alias/text.txt",
        "round_trip": f"{top}/outside/home/text.txt", "out_file": f"{top}/outside/plain.txt",
        "out_file_rel": "../outside/plain.txt", "out_dir": "../outside", "out_missing": "../outside/nothing",
        "chain_out": "out_file", "out_pipe": "../outside/pipe", "out_loop": "../outside/loop", "null": "/dev/null",
        "to_second": "../second/other.txt", "to_second_and_back": "../second/to_first",
        "proc_version": "/proc/version", "proc_root": "/proc/self/root", "proc_cwd": "/proc/self/cwd",
        "proc_text": f"/proc/self/root{root}/text.txt", "hop1": "text.txt", "abs_hop1": f"{root}/text.txt",
    }  # fmt: skip
    links |= {f"hop{number}": f"hop{number - 1}" for number in range(2, 42)}
    links |= {f"abs_hop{number}": f"{root}/abs_hop{number - 1}" for number in range(2, 42)}
    for name, target in links.items():
        (root / name).symlink_to(target)


def surround(top):
    """Puts things beside the root that must stay unseen."""
    for name in ("outside/dir", "root-evil", "second"):
        (top / name).mkdir(parents=True)
    for name in ("text.txt", "outside/plain.txt", "root-evil/plain.txt"):
        (top / name).write_bytes(b"secret\n")
    (top / "second" / "other.txt").write_bytes(b"other\n")
    os.mkfifo(top / "outside" / "pipe")
    for name, target in {
        "alias": "root", "outside/home": "../root", "outside/to_text": f"{top}/root/text.txt", "outside/loop": "loop",
        "second/to_first": "../root/text.txt",
    }.items():  # fmt: skip
        (top / name).symlink_to(target)


def named_places(top, root, outside, held):
    def keep(descriptor):
        held.callback(os.close, descriptor)
        return descriptor

    (root / "gone.txt").write_bytes(b"gone\n")
    places = {
        "top": str(top), "top_name": top.name, "root": str(root), "root_below_slash": str(root)[1:],
        "outside": str(outside), "pid": os.getpid(), "fd_text": keep(os.open(root / "text.txt", os.O_RDONLY)),
        "fd_folder": keep(os.open(root / "folder", os.O_RDONLY)),
        "fd_out": keep(os.open(outside / "plain.txt", os.O_RDONLY)),
        "fd_gone": keep(os.open(root / "gone.txt", os.O_RDONLY)),
        "fd_watch": keep(ctypes.CDLL(None).inotify_init()) if LINUX else -1,
    }  # fmt: skip
    (root / "gone.txt").unlink()
    places["fd_pipe"], writer = os.pipe()
    keep(places["fd_pipe"])
    keep(writer)
    (root / "proc_fd_text").symlink_to(f"/proc/self/fd/{places['fd_text']}")
    (root / "proc_fd_out").symlink_to(f"/proc/self/fd/{places['fd_out']}")
    return places


def placed(shape, places, monkeypatch):
    monkeypatch.chdir(f"{places['root']}/folder")
    return tuple(root.format(**places) for root in shape.roots), shape.path.format(**places)


@both_openers
@every_shape
def test_every_shape_of_path_has_one_outcome(places, shape, beneath, monkeypatch):
    roots, path = placed(shape, places, monkeypatch)
    assert outcome(roots, path, beneath) == shape.expected


@NEEDS_OPENAT2
@every_shape
def test_both_openers_give_every_shape_of_path_the_same_answer_in_every_dialect(places, shape, monkeypatch):
    roots, path = placed(shape, places, monkeypatch)
    answers = {}
    for beneath in (open_by_openat2, open_by_walking):
        for name in NAMES:
            with opened(name, roots, beneath) as tool:
                answers[beneath, name] = answer(tool, path)
    for name in NAMES:
        assert answers[open_by_openat2, name] == answers[open_by_walking, name]


@pytest.mark.parametrize("given_root", ["{root}/text.txt", "{root}/nothing", "{root}/loop", "{root}/pipe", "", "a\0b"])
@both_openers
def test_a_root_that_is_no_directory_is_refused_at_once(places, given_root, beneath):
    given_root = given_root.format(**places)
    with pytest.raises(ValueError) as refused:
        Tool(dialect_named("native"), (given_root,), beneath=beneath)
    assert str(refused.value) == f"the root is not a directory: {given_root!r}"


# --- long ways ----------------------------------------------------------------------------------

MANY_LINKS = 1100


@pytest.fixture
def long_chain(tmp_path):
    """A root whose links lead, each by an absolute target, one to the next and at last to a file."""
    root = tmp_path.resolve() / "root"
    root.mkdir()
    (root / "text.txt").write_bytes(b"inside\n")
    before = "text.txt"
    for number in range(MANY_LINKS):
        (root / f"link{number}").symlink_to(root / before)
        before = f"link{number}"
    return root


@both_openers
def test_a_chain_of_very_many_links_is_one_typed_error(long_chain, beneath):
    assert outcome((str(long_chain),), f"link{MANY_LINKS - 1}", beneath) == LOOP


@pytest.mark.slow
@both_openers
def test_a_directory_of_very_many_chained_links_is_listed(long_chain, beneath):
    with opened("opencode", (str(long_chain),), beneath) as tool:
        reply = tool.reply({"filePath": ".", "limit": 5000})
    shown = sorted([*(f"link{number}" for number in range(MANY_LINKS)), "text.txt"])
    head = [f"<path>{long_chain}</path>", "<type>directory</type>", "<entries>"]
    assert reply.text == "\n".join([*head, *shown, "", f"({len(shown)} entries)", "</entries>"])


@both_openers
def test_a_path_may_be_deeper_than_descriptors_are_left(tmp_path, beneath):
    deepest = tmp_path
    for _ in range(150):
        deepest /= "d"
    deepest.mkdir(parents=True)
    (deepest / "text.txt").write_bytes(b"inside\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    try:
        assert outcome((str(tmp_path),), "d/" * 150 + "text.txt", beneath) == INSIDE
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def tangle(tmp_path_factory):
    """A root of links that each go out, down many directories, up again, and on to the next; the last leads nowhere."""
    root, levels = tmp_path_factory.mktemp("tangle").resolve() / "root", 650
    root.mkdir()
    folder = os.open(root, os.O_RDONLY)
    os.makedirs(root / ("d/" * levels))
    before = "nothing"
    for number in range(120):
        (root / f"tangle{number}").symlink_to("../root/" + "d/" * levels + "../" * levels + before)
        before = f"tangle{number}" if number < 39 else before
    (root / "knot0").symlink_to("d/" * levels + "../" * levels + "nothing")
    for number in range(1, 39):
        (root / f"knot{number}").symlink_to("d/" * levels + "../" * levels + f"knot{number - 1}")
    yield root
    for level in range(levels, 0, -1):
        os.rmdir("d/" * level, dir_fd=folder)
    os.close(folder)


IN_A_TANGLE = """
import json, sys
from readwell.dialects import dialect_named
from readwell.source import open_by_openat2, open_by_walking
from readwell.tool import Tool
beneath = {"openat2": open_by_openat2, "walk": open_by_walking}[sys.argv[1]]
tool = Tool(dialect_named("native"), (sys.argv[2],), beneath=beneath, deadline_s=1)
print(json.dumps([tool.reply({"path": path}).text.split("]")[0] for path in sys.argv[3:]]))
"""


@pytest.mark.parametrize("path", ["tangle38", "knot38", "tangle", "."])
@both_openers
@pytest.mark.slow
def test_no_tangle_of_links_outlasts_the_deadline(tangle, beneath, path):
    """With a deadline of one second the answer is there long before the guard, whatever it is."""
    way = "walk" if beneath is open_by_walking else "openat2"
    done = subprocess.run(
        [sys.executable, "-c", IN_A_TANGLE, way, str(tangle), path], capture_output=True, timeout=15, check=True
    )
    usual = "[./ | directory | entries 1-160 of 160" if path == "." else "[error NOT_FOUND"
    assert json.loads(done.stdout) in ([usual], ["[error TIMEOUT"])


# --- permissions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("text.txt", "inside\n"), ("closed", "EACCES"), ("closed/text.txt", "EACCES"), ("closed/../text.txt", "EACCES"),
        ("closed/nothing", "EACCES"), ("closed/.", "EACCES"), ("closed/..", "EACCES"), ("to_closed/../text.txt", "EACCES"),
        ("unlisted/text.txt", "inside\n"), ("unlisted", "EACCES"), ("unlisted/../text.txt", "inside\n"),
        ("unlisted/nothing", "ENOENT"), ("unlisted/.", "EACCES"), ("silent", "directory"), ("silent/.", "EACCES"),
        ("silent/text.txt", "EACCES"), ("silent/../text.txt", "EACCES"), ("secret.txt", "EACCES"), ("secret.txt/x", "ENOTDIR"),
    ],
)  # fmt: skip
@both_openers
def test_both_openers_respect_permissions_as_the_kernel_does(tmp_path, path, expected, beneath):
    (tmp_path / "text.txt").write_bytes(b"inside\n")
    (tmp_path / "secret.txt").write_bytes(b"secret\n")
    (tmp_path / "to_closed").symlink_to("closed")
    modes = {"text.txt": 0o444, "secret.txt": 0, "closed": 0, "unlisted": 0o111, "silent": 0o444, ".": 0o755}
    for folder in ("closed", "unlisted", "silent"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "text.txt").write_bytes(b"inside\n")
        (tmp_path / folder / "text.txt").chmod(0o444)
    for name, mode in modes.items():
        (tmp_path / name).chmod(mode)
    root = os.open(tmp_path, os.O_RDONLY)
    try:
        with as_an_ordinary_user():
            assert raw_outcome(beneath, root, path) == expected
    finally:
        os.close(root)
        for name in modes:
            (tmp_path / name).chmod(0o755)


def raw_outcome(beneath, root, path):
    """What an opener finds: text, `directory`, or the name of its errno."""
    try:
        found = beneath(root, path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, True)
    except OSError as error:
        return errno.errorcode[error.errno]
    try:
        return os.read(found, 100).decode()
    except IsADirectoryError:
        return "directory"
    finally:
        os.close(found)


# --- what a refusal gives away ------------------------------------------------------------------


def denied(name, root, path):
    """The whole answer to a path outside the root."""
    if name == "native":
        words = "Path must be within the root.", "Use a path inside it."
        error = {"code": "ACCESS_DENIED", "message": words[0], "hint": words[1], "retryable": False}
        return f"[error ACCESS_DENIED] {words[0]} {words[1]}", {"error": error}
    if name == "qq":
        text = "Error: Access denied. Path must be within the root."
        return text, {"text": text}
    if name == "opencode":
        text = f"Access denied: path must be within {root}"
        return text, {"error": {"type": "PermissionError", "message": text}}
    assert name == "envelope", f"say here what {name} answers to a path outside the root"
    words = "Access denied. Path must be within project root."
    envelope = {
        "status": "error",
        "data": {},
        "text": f"{words} Use a path inside the project.",
        "stats": {"time_ms": 0},
        "context": {"cwd": ".", "params_input": {"path": path}},
        "error": {"code": "ACCESS_DENIED", "message": words},
    }
    return json.dumps(envelope, ensure_ascii=False), envelope


@pytest.fixture
def fence(tmp_path):
    """A root with links to a secret outside, which is there or not."""
    top = tmp_path.resolve()
    (top / "root" / "folder").mkdir(parents=True)
    (top / "outside").mkdir()
    for name, target in {
        "to_secret": "../outside/secret", "abs_to_secret": f"{top}/outside/secret", "chain": "to_secret",
        "out_dir": "../outside", "secret": "out_dir/secret",
    }.items():  # fmt: skip
        (top / "root" / name).symlink_to(target)
    return top


def put_secret(secret, kind):
    match kind:
        case "text":
            secret.write_bytes(b"secret\n")
        case "empty file":
            secret.write_bytes(b"")
        case "binary":
            secret.write_bytes(bytes(range(256)))
        case "locked file":
            secret.write_bytes(b"secret\n")
            secret.chmod(0)
        case "directory":
            secret.mkdir()
            (secret / "below").write_bytes(b"secret\n")
        case "pipe":
            os.mkfifo(secret)
        case "loop":
            secret.symlink_to("secret")
        case "broken link":
            secret.symlink_to("nowhere")
        case "link elsewhere":
            secret.symlink_to("/dev/null")


def take_away(secret, elsewhere):
    with contextlib.suppress(FileNotFoundError):
        secret.rename(elsewhere)


SECRET_KINDS = (
    "nothing", "text", "empty file", "binary", "locked file", "directory", "pipe", "loop", "broken link", "link elsewhere",
)  # fmt: skip
WAYS_TO_THE_SECRET = (
    "../outside/secret", "../outside/secret/", "../outside/secret/below", "../outside/secret/nothing", "{top}/outside/secret",
    "folder/../../outside/secret", "out_dir/secret", "out_dir/secret/", "out_dir/secret/below", "to_secret", "to_secret/",
    "to_secret/below", "to_secret/nothing", "to_secret/..", "to_secret/../secret", "abs_to_secret", "abs_to_secret/below",
    "chain", "secret", "secret/below", "../root/to_secret", "../outside/secrets", "../outside/secre",
)  # fmt: skip


@pytest.mark.parametrize("way", some_of(WAYS_TO_THE_SECRET, 3))
@every_dialect
@both_openers
def test_a_refused_path_does_not_reveal_whether_it_exists(fence, name, way, beneath):
    root, path = str(fence / "root"), way.format(top=fence)
    refused = PermissionError if name == "opencode" else None
    for number, kind in enumerate(SECRET_KINDS):
        put_secret(fence / "outside" / "secret", kind)
        with opened(name, (root,), beneath) as tool:
            text, data, is_error, exception = answer(tool, path)
        assert (kind, text, data, is_error) == (kind, *denied(name, root, path), True)
        assert refused is None or exception is refused
        take_away(fence / "outside" / "secret", fence / f"was{number}")


@every_dialect
@both_openers
def test_what_lies_outside_never_appears_among_look_alikes(fence, name, beneath):
    root = fence / "root"
    (fence / "outside" / "report.txt").write_bytes(b"secret\n")
    (fence / "outside" / "report.dir").mkdir()
    for link, target in {
        "report.md": "../outside/report.txt", "report.py": f"{fence}/outside/report.txt", "report.d": "out_dir/report.dir",
        "report.c": "../outside/nothing", "report.loop": "report.loop", "report.h": "nothing",
    }.items():  # fmt: skip
        (root / link).symlink_to(target)
    with opened(name, (str(root),), beneath) as tool:
        for path in ("report", "./report", f"{root}/report", "../root/report"):
            assert answer(tool, path)[0] == missing(name, str(root), path)
        (root / "report.log").write_bytes(b"x\n")
        assert answer(tool, "report")[0] == missing(name, str(root), "report", "report.log")
        for path in ("../outside/report", "out_dir/report", f"{fence}/outside/report"):
            assert answer(tool, path)[:2] == denied(name, str(root), path)


def missing(name, root, path, *like):
    """What is said of a missing file of the root; `like` is what lies beside it."""
    if name == "native":
        hint = (
            f"Did you mean: {', '.join(like)}?"
            if like
            else "Check the path, or read its directory to see what is there."
        )
        return f"[error NOT_FOUND] File '{path}' does not exist. {hint}"
    if name == "qq":
        return f"Error: File '{path}' does not exist." + (f"\nDid you mean: {', '.join(like)}?" if like else "")
    if name == "opencode":
        near = "\n\nDid you mean one of these?\n" + "\n".join(f"{root}/{each}" for each in like) if like else ""
        return f"File not found: {root}/report" + near
    assert name == "envelope", f"say here what {name} answers to a missing file"
    message = f"File '{path}' does not exist."
    hint = f"Check the path; did you mean: {', '.join(like)}?" if like else "Check the path."
    envelope = {
        "status": "error",
        "data": {},
        "text": f"{message} {hint}",
        "stats": {"time_ms": 0},
        "context": {"cwd": ".", "params_input": {"path": path}, "path_resolved": "report"},
        "error": {"code": "NOT_FOUND", "message": message},
    }
    return json.dumps(envelope, ensure_ascii=False)


@both_openers
def test_a_listing_does_not_tell_where_a_link_out_of_the_root_leads(fence, beneath):
    root = fence / "root"
    (root / "inside").symlink_to("folder")
    expected = [
        "abs_to_secret\tlink",
        "chain\tlink",
        "folder/",
        "inside/",
        "out_dir\tlink",
        "secret\tlink",
        "to_secret\tlink",
    ]
    for number, kind in enumerate(SECRET_KINDS):
        put_secret(fence / "outside" / "secret", kind)
        assert (kind, outcome((str(root),), ".", beneath)) == (kind, ("directory", "\n".join(expected)))
        take_away(fence / "outside" / "secret", fence / f"was{number}")


# --- without openat2 ----------------------------------------------------------------------------

WITHOUT_OPENAT2 = """
import ctypes, json, os, struct, sys
number, root = int(sys.argv[1]), sys.argv[2]
libc = ctypes.CDLL(None, use_errno=True)
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | number), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code))
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
    sys.exit(77)
from readwell import Reader
from readwell.source import open_by_openat2, open_by_walking
from readwell.source.confined_open import choose_open_beneath
try:
    open_by_openat2(-100, ".", os.O_RDONLY, True)
except OSError as error:
    failed = error.errno
with Reader(root) as reader:
    replies = [reader.reply({"path": path}).text for path in sys.argv[3:]]
print(json.dumps([failed, choose_open_beneath() is open_by_walking, replies]))
"""


@NEEDS_LINUX
@pytest.mark.skipif(sys.maxsize < 2**32, reason="NOT TESTED: the filter is written for 64 bits")
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM], ids=["no such call", "a sandbox that forbids it"])
def test_where_openat2_is_missing_the_walk_confines(places, number, monkeypatch):
    monkeypatch.chdir(places["root"])
    rows = (*PLAIN, *MISSING, *LINKS, *OUT_AND_BACK, *REFUSED, *SPECIAL)
    paths = [shape.path.format(**places) for shape in rows if not shape.path.startswith("~")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_OPENAT2, str(number), places["root"], *paths],
        capture_output=True, timeout=HANG, check=False,
    )  # fmt: skip
    if done.returncode == 77:
        pytest.skip("NOT TESTED: this machine lets no program forbid itself a system call")
    assert done.stderr.decode() == ""
    for beneath in OPENERS:
        with opened("native", (places["root"],), beneath) as tool:
            replies = [answer(tool, path)[0] for path in paths]
        assert json.loads(done.stdout) == [number, True, replies]


# --- links and folders that move while they are followed ----------------------------------------


@contextlib.contextmanager
def again_and_again(change):
    """Runs a change in a second thread as often as it can."""
    ended = threading.Event()

    def work():
        for turn in itertools.count():
            if ended.is_set():
                return
            change(turn)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.fixture
def unsteady(tmp_path):
    top = tmp_path.resolve()
    for name in ("root/folder", "root/moving/deep", "outside"):
        (top / name).mkdir(parents=True)
    (top / "root" / "text.txt").write_bytes(b"inside\n")
    (top / "root" / "folder" / "name.txt").write_bytes(b"inner\n")
    (top / "outside" / "name.txt").write_bytes(b"secret\n")
    (top / "text.txt").write_bytes(b"secret\n")
    return top


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
@both_openers
def test_a_link_that_is_swapped_meanwhile_never_leads_out(unsteady, absolute, beneath):
    root = unsteady / "root"
    targets = [root / "folder", unsteady / "outside"] if absolute else ["folder", "../outside"]
    (root / "swap").symlink_to(targets[0])

    def swap(turn):
        (root / "next").symlink_to(targets[turn % 2])
        (root / "next").replace(root / "swap")

    with again_and_again(swap), opened("qq", (str(root),), beneath) as tool:
        seen = {tool.reply({"path": "swap/name.txt"}).text.split("\n")[-1] for _ in range(1500)}
    assert seen <= {"inner", "Error: Access denied. Path must be within the root."}


@pytest.mark.slow
@both_openers
def test_a_folder_that_is_moved_out_meanwhile_never_leads_out(unsteady, beneath):
    root = unsteady / "root"
    stays, moved = root / "moving" / "deep", unsteady / "outside" / "deep"

    def move(turn):
        source, target = (moved, stays) if turn % 2 else (stays, moved)
        source.rename(target)

    with again_and_again(move):
        seen = {outcome((str(root),), "moving/deep/../../text.txt", beneath) for _ in range(1500)}
    assert seen <= {INSIDE, NOT_FOUND, DENIED}


@both_openers
def test_a_file_that_becomes_a_pipe_meanwhile_never_blocks(unsteady, beneath):
    root = unsteady / "root"

    def swap(turn):
        if turn % 2:
            (root / "next").write_bytes(b"inside\n")
        else:
            os.mkfifo(root / "next")
        (root / "next").replace(root / "swap")

    (root / "swap").write_bytes(b"inside\n")
    with again_and_again(swap):
        seen = {outcome((str(root),), "swap", beneath) for _ in range(1000)}
    assert seen <= {INSIDE, NOT_REGULAR}


# --- random trees -------------------------------------------------------------------------------

PARTS = st.sampled_from(["a", "b", "c", "a", "b", "..", "..", ".", "root", "outside", ""])
STARTS = st.sampled_from(["", "", "", "", "{top}/", "{root}/", "{top}/outside/"])
ENDS = st.sampled_from(["", "", "", "/", "/."])
WAYS = st.tuples(STARTS, st.lists(PARTS, min_size=1, max_size=6).map("/".join), ENDS).map("".join)
SPOTS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3)
ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["root", "root", "root", "outside"]), SPOTS, st.one_of(st.sampled_from(["file", "dir"]), WAYS)
    ),
    max_size=10,
)
GIVEN_ROOTS = st.sampled_from([
    ("{root}",), ("{root}",), ("{top}/root/",), ("{top}/alias",), ("{root}", "{top}/outside"), ("{root}/a",), ("/",),
])  # fmt: skip
EXAMPLES = itertools.count()
law = settings(max_examples=examples(40), deadline=None, database=None)


@pytest.fixture(scope="module")
def forest(tmp_path_factory):
    """So deep that paths that climb stay among few names."""
    forest = tmp_path_factory.mktemp("forest").resolve() / "in" / "a" / "glade"
    forest.mkdir(parents=True)
    return forest


@contextlib.contextmanager
def grown(forest, entries):
    """A fresh tree of files, directories and links; what cannot be put there is left out."""
    top = forest / f"t{next(EXAMPLES)}"
    for folder in ("root", "outside"):
        (top / folder).mkdir(parents=True)
    (top / "alias").symlink_to("root")
    for base, parts, what in entries:
        spot = top.joinpath(base, *parts)
        with contextlib.suppress(OSError):
            spot.parent.mkdir(parents=True, exist_ok=True)
            if what == "dir":
                spot.mkdir()
            elif what == "file":
                spot.write_text(f"{base}/{'/'.join(parts)}\n")
            elif target := what.format(top=top, root=top / "root"):
                spot.symlink_to(target)
    try:
        yield top
    finally:
        shutil.rmtree(top)


def stood(top, roots, path):
    """The roots and the path in this tree; None where a root is no directory or the path is nothing."""
    roots = tuple(root.format(top=top, root=top / "root") for root in roots)
    path = path.format(top=top, root=top / "root")
    return (roots, path) if path and all(map(os.path.isdir, roots)) else None


@NEEDS_OPENAT2
@law
@given(entries=ENTRIES, roots=GIVEN_ROOTS, paths=st.lists(WAYS, min_size=1, max_size=8))
def test_both_openers_answer_alike_whatever_the_tree(forest, entries, roots, paths):
    with grown(forest, entries) as top:
        for path in paths:
            if given_here := stood(top, roots, path):
                with (
                    opened("native", given_here[0], open_by_openat2) as one,
                    opened("native", given_here[0], open_by_walking) as two,
                ):
                    assert answer(one, given_here[1]) == answer(two, given_here[1])


@NEEDS_PROC
@both_openers
@law
@given(entries=ENTRIES, roots=GIVEN_ROOTS, paths=st.lists(WAYS, min_size=1, max_size=8))
@example(entries=[("root", ["a"], "file"), ("root", ["b"], "file")], roots=("{root}",), paths=["../root/a/../b"])
@example(entries=[], roots=("{root}",), paths=["{top}/outside/../root"])
def test_a_confined_read_finds_what_the_kernel_finds_or_refuses_it(forest, beneath, entries, roots, paths):
    """The kernel, asked without a root, says where a path leads: inside it is read, outside it is refused."""
    with grown(forest, entries) as top:
        for path in paths:
            if given_here := stood(top, roots, path):
                assert outcome(*given_here, beneath) in by_the_kernel(*given_here, beneath)


def by_the_kernel(roots, path, beneath):
    """The outcomes that are right, by an open that nothing confines; what it finds is read by its plain name."""
    absolute = os.path.join(roots[0], path)
    try:
        found = os.open(absolute, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        # Names outside are not asked whether they exist: one that does not may be left again.
        returned = [outcome(roots, os.path.normpath(absolute), beneath)] if ".." in path else []
        return (LOOP if error.errno == errno.ELOOP else NOT_FOUND, DENIED, *returned)
    try:
        real = os.readlink(f"/proc/self/fd/{found}")
    finally:
        os.close(found)
    if not any(f"{real}/".startswith(f"{os.path.realpath(root).rstrip('/')}/") for root in roots):
        return (DENIED,)
    return (outcome(roots, real, beneath), *[DENIED] * leaves_a_name_outside(roots, absolute))


def leaves_a_name_outside(roots, absolute):
    """Whether a `..` follows a name that is neither in a root nor on the way to one: such names are not looked up."""
    parts = absolute.split("/")
    left = (os.path.realpath("/".join(parts[:at]) or "/") for at, part in enumerate(parts) if part == "..")
    real_roots = [os.path.realpath(root) for root in roots]
    return any(
        not any(f"{name}/".startswith(f"{root}/") or f"{root}/".startswith(f"{name}/") for root in real_roots)
        for name in left
    )
