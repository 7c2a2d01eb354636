"""What `readwell.Reader` does with a request: directories, arguments, failures, confinement, data."""

import asyncio
import json
import os
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from asking import within
from native_replies import ABC, ask, code_of, numbered, put, shown, without_notes

import readwell
from ordinary_user import as_an_ordinary_user
from readwell.dialects.native.request import PROPERTIES

DATA_FIELDS = set(
    "path kind start end total next reason clipped encoding bom newline final_newline size mtime_ms "
    "revision tokens converter pages notices".split()
)


# --- directories --------------------------------------------------------------------------------


def listing(reply):
    """Header, entries with the unit of their size dropped, last line."""
    first, *entries, last = reply.text.split("\n")
    return [first, *(re.sub(r"(\t\d+)\b[^\n]*", r"\1", entry) for entry in entries), last]


def test_a_directory_is_listed_in_order_with_sizes(tmp_path):
    for name, data in {"B.txt": "12345", "a.txt": "", "A.txt": "1", "_x": "12", ".hidden": "123"}.items():
        put(tmp_path, f"src/{name}", data)
    put(tmp_path, "src/a/deep.txt", "x")
    (tmp_path / "src/to-a").symlink_to("a")
    expected = ["A.txt\t1", "a.txt\t0", "B.txt\t5", "_x\t2", ".hidden\t3", "a/", "to-a/"]
    expected.sort(key=lambda entry: (entry.split("\t")[0].lower(), entry.split("\t")[0]))
    for path in ("src", "src/"):
        assert listing(ask(tmp_path, path)) == ["[src/ | directory | entries 1-7 of 7]", *expected, "[end]"]


@pytest.mark.parametrize("path", [".", "./"])
def test_the_root_itself_is_shown_as_a_dot(tmp_path, path):
    put(tmp_path, "one.txt", "1")
    assert listing(ask(tmp_path, path)) == ["[./ | directory | entries 1-1 of 1]", "one.txt\t1", "[end]"]
    assert ask(tmp_path, str(tmp_path)).text == ask(tmp_path, path).text


def test_an_empty_directory_has_no_entries(tmp_path):
    (tmp_path / "void").mkdir()
    reply = ask(tmp_path, "void")
    assert re.fullmatch(r"\[void/ \| directory \| entries \S+ of 0\]\n\[end\]", reply.text)
    assert [reply.data[k] for k in ("kind", "total", "next", "reason")] == ["directory", 0, None, "end"]


def test_a_directory_is_paged(tmp_path):
    for letter in "abcde":
        put(tmp_path, f"d/{letter}", letter)
    first, last = ask(tmp_path, "d", limit=2), ask(tmp_path, "d", offset=4)
    revision = first.data["revision"]
    assert listing(first) == [
        f"[d/ | directory | entries 1-2 of 5 | rev {revision}]",
        "a\t1",
        "b\t1",
        "[more: offset=3]",
    ]
    assert [first.data[k] for k in ("kind", "start", "end", "total", "next", "reason")] == [
        "directory",
        1,
        2,
        5,
        {"offset": 3, "column": 1},
        "lines",
    ]
    assert listing(last) == [f"[d/ | directory | entries 4-5 of 5 | rev {revision}]", "d\t1", "e\t1", "[end]"]
    assert set(first.data) == DATA_FIELDS
    assert listing(ask(tmp_path, "d", offset=6)) == [f"[d/ | directory | entries 6-5 of 5 | rev {revision}]", "[end]"]
    assert code_of(ask(tmp_path, "d", offset=7)) == "OUT_OF_RANGE"


@pytest.mark.parametrize(
    "name, entry",
    [
        (b"[end]", r"\x5bend]"),
        (b"a[b]", "a[b]"),
        (b"a\n[end]", r"a\x0a[end]"),
        (b"\x1b[2J", r"\x1b[2J"),
        (b"a\tb", r"a\x09b"),
        (b"a\x7f", r"a\x7f"),
        ("a\x9b".encode(), r"a\x9b"),
        (b"bad\xff", r"bad\udcff"),
        ("é漢".encode(), "é漢"),
    ],
)
def test_a_name_in_a_listing_cannot_pass_for_anything_else(tmp_path, name, entry):
    (tmp_path / "d").mkdir()
    try:
        with open(os.path.join(os.fsencode(tmp_path), b"d", name), "wb") as file:
            file.write(b"xyz")
    except OSError:
        pytest.skip("this file system refuses the name")
    assert listing(ask(tmp_path, "d")) == ["[d/ | directory | entries 1-1 of 1]", f"{entry}\t3", "[end]"]


def test_links_that_lead_nowhere_or_outside_are_not_shown_as_directories(tmp_path):
    (tmp_path / "root/d").mkdir(parents=True)
    (tmp_path / "root/d/out").symlink_to(tmp_path)
    (tmp_path / "root/d/broken").symlink_to("missing")
    entries = ask(tmp_path / "root", "d").text.split("\n")[1:-1]
    assert [entry.split("\t")[0] for entry in entries] == ["broken", "out"]


# --- arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [2, 2.0, "2", " +2 ", "\t02\n"])
@pytest.mark.parametrize("name", ["offset", "start_line"])
def test_whole_numbers_are_taken_in_every_spelling(tmp_path, name, value):
    put(tmp_path, "a.txt", ABC)
    assert ask(tmp_path, **{name: value}).text == ask(tmp_path, offset=2).text


@pytest.mark.parametrize("name", ["limit", "num_lines", "n_lines"])
def test_a_limit_has_aliases(tmp_path, name):
    put(tmp_path, "a.txt", ABC)
    assert shown(ask(tmp_path, **{name: "2"})) == (
        "[a.txt | lines 1-2 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n[more: offset=3]"
    )


@pytest.mark.parametrize("name", ["path", "file_path", "filePath"])
def test_a_path_has_aliases(tmp_path, name):
    put(tmp_path, "a.txt", ABC)
    with readwell.Reader(root=str(tmp_path)) as reader:
        assert reader.reply({name: "a.txt"}).text == reader.reply({"path": "a.txt"}).text


@pytest.mark.parametrize("nothing", [None, ""], ids=repr)
@pytest.mark.parametrize("name", [name for name in PROPERTIES if name != "path"])
def test_null_and_empty_mean_the_default(tmp_path, name, nothing):
    put(tmp_path, "a.txt", ABC)
    assert ask(tmp_path, **{name: nothing}).text == ask(tmp_path).text


@pytest.mark.parametrize(
    "value",
    [True, False, float("nan"), float("inf"), 2.5, "2.0", "two", " ", "2_0", "٢", "- 2", [2], {"n": 2}, b"2"],
    ids=repr,
)
@pytest.mark.parametrize("name", ["offset", "limit", "column", "max_tokens"])
def test_what_is_no_whole_number_is_refused(tmp_path, name, value):
    put(tmp_path, "a.txt", ABC)
    assert code_of(ask(tmp_path, **{name: value})) == "INVALID_PARAM"


@pytest.mark.parametrize("offset", [5, "5", 10**30, 1e300])
def test_an_offset_past_the_end_is_an_error_that_names_the_total(tmp_path, offset):
    put(tmp_path, "a.txt", ABC)
    reply = ask(tmp_path, offset=offset)
    assert code_of(reply) == "OUT_OF_RANGE"
    assert re.search(r"\b3\b", reply.text)


@pytest.mark.parametrize("total", ["exact", "lazy"])
def test_one_past_the_end_is_an_empty_window_that_goes_on_when_the_file_grows(tmp_path, total):
    target = put(tmp_path, "app.log", ABC)
    reply = ask(tmp_path, "app.log", offset=4, total=total)
    assert shown(reply) == "[app.log | lines 4-3 of 3 | utf-8 LF | rev REV]\n[end]"
    assert [reply.data[name] for name in ("start", "end", "total", "next", "reason")] == [4, 3, 3, None, "end"]
    with readwell.Reader(root=str(tmp_path)) as reader:
        assert reader.read("app.log", offset=4).lines == []
    target.write_bytes(ABC + b"delta\n")
    assert (
        shown(ask(tmp_path, "app.log", offset=4)) == "[app.log | lines 4-4 of 4 | utf-8 LF | rev REV]\n4\tdelta\n[end]"
    )
    assert code_of(ask(tmp_path, "app.log", offset=5, column=2)) == "OUT_OF_RANGE"


def test_one_past_an_empty_file_is_past_its_end(tmp_path):
    put(tmp_path, "a.txt", "")
    assert code_of(ask(tmp_path, offset=2)) == "OUT_OF_RANGE"


def test_numbers_of_any_size_are_survived(tmp_path):
    put(tmp_path, "a.txt", ABC)
    assert code_of(ask(tmp_path, offset="9" * 5000)) in {"OUT_OF_RANGE", "INVALID_PARAM"}
    assert without_notes(ask(tmp_path, offset=-(10**30))) == without_notes(ask(tmp_path))


def test_home_and_file_addresses_are_accepted(tmp_path, monkeypatch):
    target = put(tmp_path, "home/with space.txt", ABC)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    expected = ask(tmp_path, "home/with space.txt").text
    assert ask(tmp_path, "~/with space.txt").text == expected
    assert ask(tmp_path, target.as_uri()).text == expected
    plain = put(tmp_path, "plain.txt", ABC)
    assert ask(tmp_path, f"file://{plain}").text == ask(tmp_path, "plain.txt").text


# --- failures -----------------------------------------------------------------------------------


@pytest.fixture
def scene(tmp_path):
    """A root with one thing of each kind, and something outside it."""
    root = tmp_path / "proj"
    put(root, "a.txt", ABC)
    put(root, "src/app.py", "x\n")
    put(root, "blob", bytes(range(256)) * 8)
    put(root, "box.dat", b"PK\x03\x04" + bytes(500))
    put(root, "paper.pdf", b"%PDF-1.7\n" + bytes(range(256)))
    os.mkfifo(root / "pipe")
    put(tmp_path, "outside/secret.txt", "secret\n")
    put(tmp_path, "proj-sibling/secret.txt", "secret\n")
    (root / "leak.txt").symlink_to(tmp_path / "outside/secret.txt")
    (root / "leak").symlink_to(tmp_path / "outside")
    return root


FAILURES = [
    ({"path": "zzz.txt"}, "NOT_FOUND", "NotFound"),
    ({"path": "a.txt/"}, "NOT_FOUND", "NotFound"),
    ({"path": "a.txt/x"}, "NOT_FOUND", "NotFound"),
    ({"path": "missing/../a.txt"}, "NOT_FOUND", "NotFound"),
    ({"path": "n" * 255}, "NOT_FOUND", "NotFound"),
    ({"path": "n" * 256}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": "é" * 128}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": "ab/" * 1400}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": "a\0b"}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": 7}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": "a.txt", "limit": "x"}, "INVALID_PARAM", "InvalidRequest"),
    ({"path": "a.txt", "offset": 5}, "OUT_OF_RANGE", "StartPastEnd"),
    ({"path": "blob"}, "BINARY_FILE", "BinaryFile"),
    ({"path": "box.dat"}, "BINARY_FILE", "BinaryFile"),
    ({"path": "pipe"}, "NOT_REGULAR", "NotRegularFile"),
    ({"path": "../outside/secret.txt"}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": ".."}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": "../proj-sibling/secret.txt"}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": "leak.txt"}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": "leak/secret.txt"}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": "leak/missing.txt"}, "ACCESS_DENIED", "AccessDenied"),
    ({"path": "/"}, "ACCESS_DENIED", "AccessDenied"),
]


@pytest.mark.parametrize("params, code, kind", FAILURES, ids=lambda value: str(value)[:40])
def test_a_failure_is_one_line_with_its_code_and_a_typed_exception(scene, params, code, kind):
    with readwell.Reader(root=str(scene)) as reader:
        assert within(lambda: code_of(reader.reply(params))) == code
        rest = {key: value for key, value in params.items() if key != "path"}
        with pytest.raises(readwell.ReadError) as raised:
            within(lambda: reader.read(params["path"], **rest))
        assert kind in [each.__name__ for each in type(raised.value).__mro__]
        with pytest.raises(readwell.ReadError):
            within(lambda: asyncio.run(reader.aread(params["path"], **rest)))


def test_a_missing_path_is_an_invalid_request(scene):
    with readwell.Reader(root=str(scene)) as reader:
        assert code_of(reader.reply({})) == code_of(reader.reply({"offset": 1})) == "INVALID_PARAM"


def test_a_damaged_document_is_an_error_and_never_content(scene):
    assert code_of(ask(scene, "paper.pdf")) in {"CONVERTER_MISSING", "CONVERSION_FAILED"}


def test_a_missing_file_is_answered_with_its_look_alike(scene):
    assert ask(scene, "src/ap.py").text == (
        "[error NOT_FOUND] File 'src/ap.py' does not exist. Did you mean: src/app.py?"
    )


def test_look_alikes_come_in_tiers_and_at_most_three(tmp_path):
    for name in ("config.json", "config.js", "config.yaml", "config.tsx", "conifg.ts", "other"):
        put(tmp_path, f"d/{name}", "x")
    text = ask(tmp_path, "d/config.ts").text
    assert text.startswith("[error NOT_FOUND] File 'd/config.ts' does not exist. ")
    found = re.findall(r"d/[\w.]+", text.partition("does not exist.")[2])
    assert found == ["d/config.tsx", "d/config.js", "d/config.json"]


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"ID3", "an MP3 audio"),
        (b"\x04\x22\x4d\x18", "an LZ4 archive"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 dataset"),
        (b"\xed\xab\xee\xdb", "an RPM archive"),
        (b"\x7fELF", "an ELF program"),
        (b"fLaC", "a FLAC audio"),
        (b"Rar!\x1a\x07", "a RAR archive"),
    ],
)
def test_the_kind_of_a_binary_file_follows_its_article(tmp_path, start, words):
    (tmp_path / "f").write_bytes(start + bytes(60))
    with readwell.Reader(root=tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "f"}).text.startswith(f"[error BINARY_FILE] 'f' is {words}, ")


def test_a_binary_file_is_named_with_its_type_and_size(tmp_path):
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
    put(tmp_path, "logo.png", head.ljust(4148, b"\x00"))
    reply = ask(tmp_path, "logo.png")
    assert code_of(reply) == "BINARY_FILE"
    assert "'logo.png' is a PNG image, 4.1 KB." in reply.text


def test_a_pipe_with_data_keeps_its_data(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(end, b"precious")
        assert within(lambda: code_of(ask(tmp_path, "pipe"))) == "NOT_REGULAR"
        assert os.read(end, 100) == b"precious"
    finally:
        os.close(end)


def test_a_socket_and_a_device_are_not_regular(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s")
        assert within(lambda: code_of(ask(tmp_path, "s"))) == "NOT_REGULAR"
    assert within(lambda: code_of(ask(tmp_path, os.devnull, {"root": None}))) == "NOT_REGULAR"


def test_a_file_the_system_withholds_is_permission_denied(tmp_path):
    put(tmp_path, "a.txt", ABC).chmod(0)
    with as_an_ordinary_user(tmp_path):
        assert code_of(ask(tmp_path)) == "PERMISSION_DENIED"


def test_a_loop_of_links_is_a_failure_not_a_crash(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    assert ask(tmp_path, "loop").is_error is True


# --- confinement --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["../outside/new.txt", "leak/new.txt", "hole.txt", "{out}/new.txt"])
def test_a_refusal_does_not_tell_whether_the_target_exists(scene, path):
    outside = scene.parent / "outside"
    (scene / "hole.txt").symlink_to(outside / "new.txt")
    path = path.format(out=outside)
    before = ask(scene, path)
    (outside / "new.txt").write_text("now it is there\n")
    after = ask(scene, path)
    assert code_of(before) == code_of(after) == "ACCESS_DENIED"
    assert (before.text, before.data) == (after.text, after.data)


def test_addresses_and_home_are_confined_too(scene, monkeypatch):
    outside = scene.parent / "outside"
    monkeypatch.setenv("HOME", str(outside))
    for path in ("~/secret.txt", (outside / "secret.txt").as_uri(), str(outside / "secret.txt")):
        assert code_of(ask(scene, path)) == "ACCESS_DENIED"


def test_a_link_that_leaves_the_root_is_never_suggested(scene):
    reply = ask(scene, "leak.tx")
    assert code_of(reply) == "NOT_FOUND"
    assert "leak.txt" not in reply.text


def test_what_ends_inside_the_root_is_read(scene):
    (scene / "near.txt").symlink_to("a.txt")
    (scene / "far.txt").symlink_to(scene / "a.txt")
    for path in ("near.txt", "far.txt", "src/../a.txt", "../proj/a.txt", str(scene / "a.txt")):
        assert ask(scene, path).text.split("\n")[1:] == ["1\talpha", "2\tbeta", "3\tgamma", "[end]"]


def test_dot_dot_after_a_link_is_resolved_as_the_kernel_does(tmp_path):
    put(tmp_path, "deep/x.txt", "deep\n")
    put(tmp_path, "x.txt", "top\n")
    (tmp_path / "deep/er").mkdir()
    (tmp_path / "link").symlink_to("deep/er")
    assert "\n1\tdeep\n" in ask(tmp_path, "link/../x.txt").text


def test_several_roots_are_all_allowed_and_nothing_else(scene):
    both = {"root": [str(scene), str(scene.parent / "outside")]}
    assert "\n1\tsecret\n" in ask(scene, str(scene.parent / "outside/secret.txt"), both).text
    assert "\n1\talpha\n" in ask(scene, str(scene / "a.txt"), both).text
    assert code_of(ask(scene, str(scene.parent / "proj-sibling/secret.txt"), both)) == "ACCESS_DENIED"


def test_without_a_root_nothing_is_confined_and_paths_are_shown_as_given(scene, monkeypatch):
    monkeypatch.chdir(scene)
    for path in ("../outside/secret.txt", str(scene.parent / "outside/secret.txt"), "leak.txt"):
        assert shown(ask(scene, path, {"root": None})) == (
            f"[{path} | lines 1-1 of 1 | utf-8 LF | rev REV]\n1\tsecret\n[end]"
        )


# --- names, revisions, data ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, label",
    [
        (b"bad\xff.txt", r"bad\udcff.txt"),
        (b"a\n[end].txt", r"a\x0a[end].txt"),
        (b"\x1b[2J.txt", r"\x1b[2J.txt"),
        ("n\x85l.txt".encode(), r"n\x85l.txt"),
    ],
)
def test_a_name_is_shown_safely_in_headers_and_failures(tmp_path, name, label):
    missing = ask(tmp_path, os.fsdecode(name))
    assert code_of(missing) == "NOT_FOUND"
    assert missing.text.startswith(f"[error NOT_FOUND] File '{label}' does not exist.")
    try:
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"x\n")
    except OSError:
        pytest.skip("this file system refuses the name")
    reply = ask(tmp_path, os.fsdecode(name))
    assert shown(reply) == f"[{label} | lines 1-1 of 1 | utf-8 LF | rev REV]\n1\tx\n[end]"
    for each in (missing, reply):
        each.text.encode()
        json.dumps(each.data, ensure_ascii=False).encode()


def test_a_held_revision_is_answered_in_one_line(tmp_path):
    target = put(tmp_path, "src/app.py", ABC)
    revision = re.search(r"\| rev (\S+)\]", ask(tmp_path, "src/app.py").text)[1]
    unchanged = f"[src/app.py | unchanged since rev {revision} | for its lines leave out if_revision]"
    assert ask(tmp_path, "src/app.py").data["revision"] == revision
    reply = ask(tmp_path, "src/app.py", if_revision=revision)
    assert (reply.text, reply.is_error) == (unchanged, False)
    os.utime(target, ns=(1, 1))
    assert ask(tmp_path, "src/app.py", if_revision=revision).text == unchanged
    target.write_bytes(ABC.replace(b"beta", b"BETA"))
    changed = ask(tmp_path, "src/app.py", if_revision=revision)
    assert shown(changed) == ("[src/app.py | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tBETA\n3\tgamma\n[end]")
    assert changed.data["revision"] != revision


@pytest.mark.parametrize("size", [0, 1, 2**20 - 1, 2**20, 2**20 + 1, 8 * 2**20])
def test_up_to_eight_mebibytes_a_revision_is_the_beginning_of_the_hash_of_the_content(tmp_path, size):
    content = (b"0123456789abcde\n" * (size // 16 + 1))[:size]
    put(tmp_path, "a.txt", content)
    assert ask(tmp_path, limit=1).data["revision"] == sha256(content).hexdigest()[:12]


def test_the_revision_of_a_large_file_follows_its_time(tmp_path):
    target = put(tmp_path, "a.txt", b"0123456789abcde\n" * (9 * 2**16))
    time.sleep(0.03)  # until a later change would show in its times
    first = ask(tmp_path, limit=1).data["revision"]
    assert ask(tmp_path, limit=1, if_revision=first).text.startswith(f"[a.txt | unchanged since rev {first} |")
    os.utime(target, ns=(1, 1))
    assert ask(tmp_path, limit=1, if_revision=first).data["revision"] != first


def test_a_revision_nobody_gave_changes_nothing(tmp_path):
    put(tmp_path, "a.txt", ABC)
    assert ask(tmp_path, if_revision="000000000000").text == ask(tmp_path).text


def test_the_data_of_a_file_is_complete(tmp_path):
    target = put(tmp_path, "src/app.py", ABC)
    os.utime(target, ns=(0, 1_700_000_000_123_999_999))
    reply = ask(tmp_path, "src/app.py")
    data = dict(reply.data)
    assert re.fullmatch(r"[0-9a-f]{12}", data.pop("revision"))
    tokens = data.pop("tokens")
    assert type(tokens) is int and tokens > 0
    assert data == {
        "path": "src/app.py",
        "kind": "file",
        "start": 1,
        "end": 3,
        "total": 3,
        "next": None,
        "reason": "end",
        "clipped": [],
        "encoding": "utf-8",
        "bom": False,
        "newline": "lf",
        "final_newline": True,
        "size": len(ABC),
        "mtime_ms": 1_700_000_000_123,
        "converter": None,
        "pages": None,
        "notices": [],
    }
    json.dumps(reply.data)


@pytest.mark.parametrize(
    "data, params, expected",
    [
        (b"", {}, {"start": 0, "end": 0, "total": 0, "next": None, "reason": "end", "newline": "none", "size": 0}),
        (ABC, {"limit": 1}, {"start": 1, "end": 1, "total": 3, "next": {"offset": 2, "column": 1}, "reason": "lines"}),
        (ABC, {"offset": -1}, {"start": 3, "end": 3, "total": 3, "next": None, "reason": "end"}),
        (b"a\r\nb", {}, {"newline": "crlf", "final_newline": False}),
        (b"a\rb\r", {}, {"newline": "cr", "final_newline": True}),
        (b"a\rb\n", {}, {"newline": "mixed", "final_newline": True}),
        (b"a", {}, {"newline": "none", "final_newline": False}),
    ],
)
def test_the_data_agrees_with_the_window(tmp_path, data, params, expected):
    put(tmp_path, "a.txt", data)
    reply = ask(tmp_path, **params)
    assert set(reply.data) == DATA_FIELDS
    assert {key: reply.data[key] for key in expected} == expected


# --- the Python face ----------------------------------------------------------------------------


def test_awaited_calls_answer_like_the_plain_ones(tmp_path):
    put(tmp_path, "a.txt", ABC)
    with readwell.Reader(root=str(tmp_path)) as reader:
        plain, awaited = reader.reply({"path": "a.txt"}), asyncio.run(reader.areply({"path": "a.txt"}))
        assert (plain.text, plain.data, plain.is_error) == (awaited.text, awaited.data, awaited.is_error)
        assert type(asyncio.run(reader.aread("a.txt", limit=1))) is type(reader.read("a.txt", limit=1))
        assert code_of(asyncio.run(reader.areply({"path": "zzz"}))) == "NOT_FOUND"


def test_one_reader_serves_many_threads(tmp_path):
    for n in range(16):
        put(tmp_path, f"{n}.txt", numbered(300, f"file {n}"))
    with readwell.Reader(root=str(tmp_path)) as reader, ThreadPoolExecutor(8) as pool:
        asked = [{"path": f"{n % 16}.txt", "offset": n + 1, "limit": 5} for n in range(200)]
        replies = list(pool.map(reader.reply, asked))
        assert [reply.text for reply in replies] == [reader.reply(each).text for each in asked]


def test_a_relative_path_starts_at_the_root(tmp_path, monkeypatch):
    put(tmp_path, "root/a.txt", "in root\n")
    put(tmp_path, "a.txt", "in cwd\n")
    monkeypatch.chdir(tmp_path)
    assert "\n1\tin root\n" in ask("root").text
    assert "\n1\tin cwd\n" in ask(".").text
    with readwell.Reader() as reader:
        assert "\n1\tin cwd\n" in reader.reply({"path": "a.txt"}).text


def test_a_failure_names_the_path_that_was_tried(tmp_path):
    reply = readwell.Reader(tmp_path).reply({"filePath": "first.txt", "file_path": "second.txt"})
    assert reply.text.startswith("[error NOT_FOUND] File 'first.txt' does not exist.")


@pytest.mark.parametrize("view", ["source", "markdown", "block", "image"])
def test_a_directory_has_no_view_but_its_outline(tmp_path, view):
    put(tmp_path, "d/a.txt", "one\n")
    told = "[error IS_DIRECTORY] 'd' is a directory. Read it without view to list it."
    assert ask(tmp_path, "d", view=view).text == told
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.tool.without_images().reply({"path": "d", "view": view}).text == told
    assert not ask(tmp_path, "d", view="outline").is_error


def test_one_line_or_entry_is_counted_as_one_in_failures(tmp_path):
    (tmp_path / "folder").mkdir()
    put(tmp_path, "folder/one.txt", b"only\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        told = reader.reply({"path": "folder/one.txt", "offset": 3}).text
        listed = reader.reply({"path": "folder", "offset": 3}).text
    assert told == "[error OUT_OF_RANGE] Offset 3 is past the end of 'folder/one.txt' (1 line). Use offset=1."
    assert "(1 entry). Use offset=1." in listed
