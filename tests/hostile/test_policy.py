"""What may not be read inside a root: in whatever spelling, by whatever way, there or not."""

import contextlib
import json
import os
import stat
import time

import pytest

from effort import some_of
from every_dialect import path_param
from readwell import Reader
from readwell.dialects import NAMES, dialect_named
from readwell.policy import DENYING_FILES, DOOR_DENIALS, SECRETS, Denials
from readwell.source import open_by_openat2, open_by_walking
from readwell.source.confined_open import choose_open_beneath
from readwell.tool import Tool

OPENERS = [open_by_walking, *([open_by_openat2] if choose_open_beneath() is open_by_openat2 else [])]
every_dialect = pytest.mark.parametrize("name", NAMES)
both_openers = pytest.mark.parametrize("beneath", OPENERS)


def stopped():
    return 0.0


def guarded(name, root, denials=DOOR_DENIALS, beneath=None):
    return contextlib.closing(Tool(dialect_named(name), (str(root),), beneath=beneath, clock=stopped, denials=denials))


def params(name, path):
    return {path_param(name): path}


def answer(tool, path):
    """Everything a caller can see of a reply."""
    reply = tool.reply(params(tool.dialect.name, path))
    return reply.text, reply.data, reply.is_error, type(reply.exception)


def excluded(name, path):
    """The whole answer to a path that the policy denies."""
    if name == "native":
        words = "Path is excluded by policy.", "Read another file."
        error = {"code": "ACCESS_DENIED", "message": words[0], "hint": words[1], "retryable": False}
        return f"[error ACCESS_DENIED] {words[0]} {words[1]}", {"error": error}
    if name == "qq":
        text = "Error: Access denied. Path is excluded by policy."
        return text, {"text": text}
    if name == "opencode":
        text = "Access denied: path is excluded by policy"
        return text, {"error": {"type": "PermissionError", "message": text}}
    assert name == "envelope", f"say here what {name} answers to a denied path"
    words = "Access denied. Path is excluded by policy."
    envelope = {
        "status": "error",
        "data": {},
        "text": f"{words} Try another file.",
        "stats": {"time_ms": 0},
        "context": {"cwd": ".", "params_input": {"path": path}},
        "error": {"code": "ACCESS_DENIED", "message": words},
    }
    return json.dumps(envelope, ensure_ascii=False), envelope


def is_excluded(root, path, denials=DOOR_DENIALS):
    """Whether the policy denies a path; the file system is not asked whether it is there."""
    with guarded("native", root, denials) as tool:
        return tool.reply({"path": path}).text == excluded("native", path)[0]


# --- the built-in list --------------------------------------------------------------------------

BUILT_IN = {
    ".env": [".env", "app/.env"],
    ".env.*": [".env.local", "app/.env.production"],
    "*.pem": ["server.pem", "tls/server.pem"],
    "*.key": ["server.key"],
    "*.p12": ["a.p12"],
    "*.pfx": ["a.pfx"],
    "*.jks": ["a.jks"],
    "*.kdbx": ["a.kdbx"],
    "id_rsa*": ["id_rsa", "keys/id_rsa_old"],
    "id_dsa*": ["id_dsa"],
    "id_ecdsa*": ["id_ecdsa", "id_ecdsa_sk"],
    "id_ed25519*": ["id_ed25519"],
    ".ssh/": [".ssh/config", "home/.ssh/known_hosts", ".ssh/id_rsa.pub"],
    ".gnupg/": [".gnupg/trustdb.gpg"],
    "**/.aws/credentials": [".aws/credentials", "home/.aws/credentials"],
    "**/.config/gcloud/": [".config/gcloud/access_tokens.db", "home/.config/gcloud/x"],
    ".azure/": [".azure/accessTokens.json"],
    "**/.kube/config": [".kube/config", "home/.kube/config"],
    "**/.docker/config.json": [".docker/config.json", "home/.docker/config.json"],
    ".netrc": [".netrc"],
    ".pgpass": [".pgpass"],
    ".my.cnf": [".my.cnf"],
    ".npmrc": [".npmrc", "app/.npmrc"],
    ".pypirc": [".pypirc"],
    ".git-credentials": [".git-credentials"],
    "**/.git/config": [".git/config", "vendor/lib/.git/config"],
    "*.tfstate*": ["terraform.tfstate", "terraform.tfstate.backup"],
    "secrets.yml": ["secrets.yml", "config/secrets.yml"],
    "secrets.yaml": ["secrets.yaml"],
    "service-account*.json": ["service-account.json", "service-account-prod.json"],
    ".htpasswd": [".htpasswd"],
}
EXCEPTIONS = {
    "!.env.example": ".env.example",
    "!.env.sample": ".env.sample",
    "!.env.template": "app/.env.template",
    "!id_*.pub": "id_ed25519.pub",
}
NEIGHBOURS = [
    "env", ".environment", "pem", "key.txt", "keyboard.py", "rsa", "sshd_config", ".aws/config", ".config/other.toml",
    ".kube/cache", ".docker/contexts.json", ".git/HEAD", ".gitconfig", "secrets.txt", "my_secrets.yml", "account.json",
    "credentials", "tfstate.md",
]  # fmt: skip


def spellings(path):
    """The path itself, in capitals, and with characters that cannot be seen."""
    unseen = "".join(f"{letter}\u200b" if letter.isalpha() else letter for letter in path)
    return [path, path.upper(), unseen, path.replace("e", "e\u00ad"), path.replace("s", "\u017f"), f"\ufeff{path}"]


def test_each_line_of_the_built_in_list_has_a_case():
    assert set(SECRETS) == set(BUILT_IN) | set(EXCEPTIONS)


@pytest.mark.parametrize("path", [path for paths in BUILT_IN.values() for path in paths])
def test_a_usual_secret_is_denied_in_every_spelling_and_through_a_link(tmp_path, path):
    secret = tmp_path / path
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_bytes(b"secret\n")
    (tmp_path / "harmless.txt").symlink_to(path)
    (tmp_path / "harmless").symlink_to(secret.parent, target_is_directory=True)
    with guarded("native", tmp_path) as tool:
        for way in (*spellings(path), "harmless.txt", f"harmless/{secret.name}", str(secret), f"./x/../{path}"):
            assert (way, tool.reply({"path": way}).text) == (way, excluded("native", way)[0])


@pytest.mark.parametrize("path", [*EXCEPTIONS.values(), *NEIGHBOURS])
def test_what_only_resembles_a_secret_is_read(tmp_path, path):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_bytes(b"plain\n")
    with guarded("native", tmp_path) as tool:
        assert tool.read({"path": path}).text == "plain"


def test_the_bare_library_denies_nothing_and_doors_do(tmp_path):
    (tmp_path / ".env").write_bytes(b"A=1\n")
    with Reader(tmp_path) as reader:
        assert reader.read(".env").text == "A=1"
    with Reader(tmp_path, deny=SECRETS) as reader:
        assert reader.reply({"path": ".env"}).text == excluded("native", ".env")[0]


# --- the same words, there or not ---------------------------------------------------------------


def nothing(path):
    return None


def text(path):
    path.write_bytes(b"secret\n")


def binary(path):
    path.write_bytes(bytes(range(256)))


def folder(path):
    path.mkdir()
    (path / "below").write_bytes(b"secret\n")


def loop(path):
    path.symlink_to(path.name)


def broken(path):
    path.symlink_to("nowhere")


def locked(path):
    path.write_bytes(b"secret\n")
    path.chmod(0)


def outside(path):
    path.symlink_to("/etc/hostname")


KINDS = (nothing, text, binary, folder, os.mkfifo, loop, broken, locked, outside)
WAYS = (
    ".env", ".env/", ".ENV", "./.env", "sub/../.env", ".env/below", ".env/nothing", "{root}/.env", "../{name}/.env",
    "link", "link/", "link/below", "chain", "absolute", "sub/up", "deep/../.env", "alias/.env", "nothing/../.env",
    "sub/linked/../../.env", ".env/../plain.txt", "link/../plain.txt", "link/..", "chain/../plain.txt",
    "absolute/../plain.txt", "link/below/../../plain.txt", "link/nothing/../../plain.txt", "sub/up/../plain.txt",
    "sub/../link/../plain.txt", "passing", "passing/", "alias/link/.././plain.txt", "{root}/link/../plain.txt",
    "../{name}/link/../plain.txt", "deep/passing", "sub/link/../../plain.txt", "link/../missing.txt", "link/../sub",
)  # fmt: skip


@pytest.fixture
def secretive(tmp_path):
    root = tmp_path.resolve() / "root"
    for name in ("sub", "far/deep"):
        (root / name).mkdir(parents=True)
    links = {
        "link": ".env", "chain": "link", "absolute": root / ".env", "sub/up": "../.env", "deep": "far", "alias": ".",
        "sub/linked": "../far/deep", "passing": ".env/../plain.txt", "far/passing": "../link/../plain.txt",
        "sub/link": "../link/x",
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    (root / "plain.txt").write_bytes(b"plain\n")
    return root


@every_dialect
@both_openers
@pytest.mark.parametrize("way", some_of(WAYS, 4))
def test_a_denied_path_answers_the_same_whether_or_not_it_exists(secretive, name, beneath, way):
    path = way.format(root=secretive, name=secretive.name)
    for number, put in enumerate(KINDS):
        put(secretive / ".env")
        with guarded(name, secretive, beneath=beneath) as tool:
            text, data, is_error, exception = answer(tool, path)
        assert (put.__name__, text, data, is_error) == (put.__name__, *excluded(name, path), True)
        assert name != "opencode" or exception is PermissionError
        with contextlib.suppress(FileNotFoundError):
            (secretive / ".env").rename(secretive.parent / f"was{number}")


@every_dialect
def test_a_denied_thing_is_in_no_listing_no_count_and_no_look_alike(tmp_path, name):
    for file in (".env", ".env.local", "report.key", "report.txt"):
        (tmp_path / file).write_bytes(b"x\n")
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "report.md").symlink_to("report.key")
    (tmp_path / "report.lost").symlink_to("gone.key")
    with guarded(name, tmp_path) as tool:
        missing = answer(tool, "report.ke")[0]
        assert "report.txt" in missing
        assert not {"report.key", "report.md", "report.lost"} & set(missing.replace("/", " ").replace(",", " ").split())
        if name not in ("native", "opencode"):
            return
        result = tool.read(params(name, "."))
    shown = ["report.txt\t2"] if name == "native" else ["report.txt"]
    assert (result.lines, result.window.total, result.traits.denied) == (shown, 1, 6)


def test_native_counts_what_a_listing_leaves_out(tmp_path):
    (tmp_path / ".gitignore").write_text("*.o\nbuild/\n")
    for file in ("a.c", "a.o", "b.o", ".env"):
        (tmp_path / file).write_bytes(b"x\n")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "out.txt").write_bytes(b"x\n")
    with guarded("native", tmp_path) as tool:
        reply = tool.reply({"path": "."})
        assert reply.text == (
            "[./ | directory | entries 1-2 of 2]\n.gitignore\t11\na.c\t2\n[note: 3 ignored, 1 denied]\n[end]"
        )
        assert reply.data["notices"] == [{"code": "left-out", "message": "3 ignored, 1 denied", "lines": []}]
        # Whoever asks for an ignored folder wants to see what is in it; an ignored file is read.
        assert tool.read({"path": "build"}).lines == ["out.txt\t2"]
        assert tool.read({"path": "a.o"}).text == "x"


@pytest.mark.parametrize("target", ["/etc/hostname", "nowhere", "a.o"])
def test_a_gitignore_that_cannot_be_read_hides_nothing(tmp_path, target):
    (tmp_path / ".gitignore").symlink_to(target)
    (tmp_path / "a.o").write_bytes(b"*\0")
    with guarded("native", tmp_path) as tool:
        assert [line.split("\t")[0] for line in tool.read({"path": "."}).lines] == [".gitignore", "a.o"]


def test_only_native_listings_are_thinned(tmp_path):
    (tmp_path / ".gitignore").write_text("*.o\n")
    (tmp_path / "a.o").write_bytes(b"x\n")
    with guarded("opencode", tmp_path) as tool:
        assert tool.read({"filePath": "."}).lines == [".gitignore", "a.o"]


# --- deny and allow -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deny", "allow", "denied", "read"),
    [
        (("*.sql",), (), ["a.sql", "x/a.sql", "A.SQL", "x/a.sql/y"], ["a.sq", "sql"]),
        (("/private",), (), ["private", "private/x"], ["x/private"]),
        (("private/**",), (), ["private/x", "private/x/y"], ["private", "x/private/y"]),
        (("*", "!*.md"), (), ["a.txt", "x"], ["a.md"]),
        (("data/", "!data/open.csv"), (), ["data", "data/open.csv"], ["dat"]),
        (("data/*", "!data/open.csv"), (), ["data/a.csv"], ["data", "data/open.csv"]),
        (("data/",), ("data/open.csv",), ["data", "data/a.csv"], ["data/open.csv"]),
        (SECRETS, (".env.test",), [".env", ".env.live"], [".env.test", "app/.env.TEST"]),
        (SECRETS, ("*",), [], [".env", ".ssh/config"]),
        (("caf\u00e9",), (), ["cafe\u0301", "CAFE\u0301", "caf\u00e9/x"], ["cafe"]),
    ],
)  # fmt: skip
def test_deny_and_allow_rules(tmp_path, deny, allow, denied, read):
    denials = Denials(deny, allow)
    assert [is_excluded(tmp_path, path, denials) for path in denied] == [True] * len(denied)
    assert [is_excluded(tmp_path, path, denials) for path in read] == [False] * len(read)


@pytest.mark.parametrize("line", ["/", "!", "a\\", "[a"])
def test_a_rule_that_means_nothing_is_refused_at_once(tmp_path, line):
    with pytest.raises(ValueError) as refused:
        Reader(tmp_path, deny=["ok", line])
    assert str(refused.value) == f"deny: no pattern: {line!r}"


def test_one_pattern_is_not_taken_for_a_list_of_letters(tmp_path):
    with pytest.raises(ValueError):
        Reader(tmp_path, deny="*.sql")


@every_dialect
@pytest.mark.parametrize("path", [".env", "hidden.txt"])
def test_no_parameter_of_a_call_changes_the_policy(tmp_path, name, path):
    grow(tmp_path, {".env": "secret\n", "hidden.txt": "secret\n", ".aiignore": "hidden.txt\n"})
    wishes = {
        "deny": [], "allow": ["*"], "ignore_files": False, "secrets": False, "denials": None, "policy": None, "root": "/",
        "roots": ["/"], "config": "/dev/null", "same_filesystem": False, "deny_hardlinks": False, "beneath": None,
    }  # fmt: skip
    with guarded(name, tmp_path) as tool:
        for wish in ({}, wishes, *({key: value} for key, value in wishes.items())):
            reply = tool.reply({**params(name, path), **wish})
            assert (reply.is_error, "secret\n" in reply.text) == (True, False)


def test_rules_hold_without_a_root(tmp_path):
    (tmp_path / "a.sql").write_bytes(b"x\n")
    with Reader(None, deny=["*.sql"]) as reader:
        assert reader.reply({"path": str(tmp_path / "a.sql")}).data["error"]["code"] == "ACCESS_DENIED"
        assert reader.read(tmp_path).lines == []


def test_rules_hold_for_every_root_that_holds_a_path(tmp_path):
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "credentials").write_bytes(b"x\n")
    with Reader([tmp_path / ".aws", tmp_path], deny=SECRETS) as reader:
        assert reader.reply({"path": "credentials"}).data["error"]["code"] == "ACCESS_DENIED"


# --- ignore files -------------------------------------------------------------------------------


def grow(root, files):
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)


@pytest.mark.parametrize("kind", DENYING_FILES)
def test_an_ignore_file_denies_below_its_folder(tmp_path, kind):
    grow(tmp_path, {kind: "*.log\n/top.txt\nvault/\n", f"sub/{kind}": "inner.txt\n!keep.log\n"})
    denied = ["a.log", "sub/x/a.log", "top.txt", "sub/inner.txt", "sub/x/inner.txt", "vault", "vault/x", "A.LOG"]
    read = ["inner.txt", "sub/top.txt", "sub/keep.log", "sub/x/keep.log", kind]
    assert [path for path in denied if not is_excluded(tmp_path, path)] == []
    assert [path for path in read if is_excluded(tmp_path, path)] == []


def test_every_line_of_an_ignore_file_counts_where_the_system_gives_few_bytes_at_a_time(tmp_path, monkeypatch):
    """As a file system over a network may; half of the rules would let through what the others deny."""
    grow(tmp_path, {DENYING_FILES[0]: "first.txt\nmiddle.txt\nlast.txt\n"})
    read = os.read
    monkeypatch.setattr("os.read", lambda descriptor, count: read(descriptor, min(count, 5)))
    assert all(is_excluded(tmp_path, name) for name in ("first.txt", "middle.txt", "last.txt"))


def test_each_kind_of_ignore_file_counts_by_itself(tmp_path):
    grow(tmp_path, {".aiignore": "*.log\n", ".cursorignore": "!*.log\n", "sub/.geminiignore": "x\n"})
    assert [is_excluded(tmp_path, path) for path in ("a.log", "sub/x", "x")] == [True, True, False]


def test_what_lies_in_an_excluded_folder_stays_excluded(tmp_path):
    grow(tmp_path, {".aiignore": "vault/\n", "vault/.aiignore": "!open.txt\n", "vault/open.txt": "x\n"})
    assert is_excluded(tmp_path, "vault/open.txt")


def test_an_ignore_file_holds_through_links_both_ways(tmp_path):
    grow(
        tmp_path,
        {".aiignore": "hidden/\nalias/\n", "hidden/a.txt": "x\n", "open/.aiignore": "b.txt\n", "open/b.txt": "x\n"},
    )
    for name, target in {"way": "hidden", "alias": "open", "into": "open"}.items():
        (tmp_path / name).symlink_to(target)
    denied = ["way/a.txt", "way", "way/missing", "alias/x.txt", "into/b.txt", "open/b.txt", "way/../hidden/a.txt"]
    assert [path for path in denied if not is_excluded(tmp_path, path)] == []
    assert not is_excluded(tmp_path, "into/other.txt")


def test_without_the_setting_ignore_files_are_files(tmp_path):
    grow(tmp_path, {".aiignore": "*\n", "a.txt": "x\n"})
    assert not is_excluded(tmp_path, "a.txt", Denials(SECRETS))


def link_out(path):
    path.symlink_to("/etc/hostname")


def enormous(path):
    path.write_text("x" * 70_000)


def endless(path):
    path.write_text("x\n" * 2_001)


def without_end(path):
    path.write_bytes("geheim/\n".encode("utf-16")[:-1])


def unmarked(path):
    path.write_bytes("x\n".encode("utf-16-le"))


def in_latin(path):
    path.write_bytes("# f\u00fcr alle\nprivates f\u00fcr alle/\n".encode("latin-1"))


def in_four_bytes(path):
    path.write_bytes("x\n".encode("utf-32"))


def with_carriage_returns(path):
    path.write_bytes(b"# all of\rx\ry\r")


UNREADABLE = (link_out, enormous, endless, os.mkfifo, loop, broken, folder)
DOUBTFUL = (without_end, unmarked, in_latin, in_four_bytes, with_carriage_returns)


@pytest.mark.parametrize("put", [*UNREADABLE, *DOUBTFUL])
def test_an_ignore_file_that_cannot_be_read_denies_all_below_it(tmp_path, put):
    grow(tmp_path, {"sub/a.txt": "x\n", "b.txt": "x\n"})
    put(tmp_path / "sub" / ".aiignore")
    paths = ("sub/a.txt", "sub/missing", "sub", "b.txt", ".")
    assert [is_excluded(tmp_path, path) for path in paths] == [True, True, True, False, False]


@pytest.mark.parametrize(
    "content",
    [b"", b"# only words\n\n   \n", b"!\n/\n[\n\\\n", b"# f\xfcr alle\n", b"\xff\xfe", b"\xef\xbb\xbf*.log\r\n"],
)
def test_lines_that_mean_nothing_are_passed_over(tmp_path, content):
    (tmp_path / ".aiignore").write_bytes(content)
    assert (is_excluded(tmp_path, "a.txt"), is_excluded(tmp_path, "a.log")) == (False, b"*.log" in content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_an_ignore_file_is_understood_in_the_encodings_of_editors(tmp_path, encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / ".aiignore").write_bytes(f"{mark}# f\u00fcr alle\r\nk\u00fcche/\r\n*.log\r\n".encode(encoding))
    paths = ("k\u00fcche/a.txt", "ku\u0308che", "a.log", "a.txt", "x")
    assert [is_excluded(tmp_path, path) for path in paths] == [True, True, True, False, False]


def test_a_link_of_an_ignore_file_is_obeyed_as_soon_as_it_leads_somewhere(tmp_path):
    (tmp_path / ".aiignore").symlink_to("rules/ai")
    with guarded("native", tmp_path) as tool:
        assert tool.reply({"path": "a.txt"}).text == excluded("native", "a.txt")[0]
        grow(tmp_path, {"rules/ai": "b.txt\n", "a.txt": "x\n", "b.txt": "x\n"})
        assert tool.read({"path": "a.txt"}).text == "x"
        assert tool.reply({"path": "b.txt"}).text == excluded("native", "b.txt")[0]


def test_ignore_files_that_come_change_and_go_are_obeyed_at_once(tmp_path):
    """Also when folder and file were looked at, and remembered, long after their last change."""
    grow(tmp_path, {"sub/a.txt": "x\n", "sub/b.txt": "x\n"})
    ignore = tmp_path / "sub" / ".aiignore"

    def settle():
        long_ago = time.time_ns() - 10**10
        for path in (ignore, ignore.parent, tmp_path):
            if path.exists():
                os.utime(path, ns=(long_ago, long_ago))

    with guarded("native", tmp_path) as tool:
        seen = []
        for content in (None, "a.txt\n", "b.txt\n", "!a.txt\n", None):
            if content is None:
                ignore.unlink(missing_ok=True)
            else:
                ignore.write_text(content)
            for _ in range(2):
                seen.append([tool.reply({"path": f"sub/{name}.txt"}).is_error for name in "ab"])
                settle()
                seen.append([tool.reply({"path": f"sub/{name}.txt"}).is_error for name in "ab"])
    states = [[False, False], [True, False], [False, True], [False, False], [False, False]]
    assert seen == [state for state in states for _ in range(4)]


def test_no_pattern_is_slow(tmp_path):
    """Lines that would drive a matcher which tries every way to its end into the next century."""
    lines = ["*a" * 40 + "b", "**/a/" * 40 + "b", "*" * 200 + "c", "[a-z]*" * 40 + "!", "*?" * 100 + "d"]
    grow(tmp_path, {".aiignore": "\n".join(lines)})
    path = "/".join(["a" * 200] * 15 + ["a"] * 500)
    began = time.monotonic()
    assert not is_excluded(tmp_path, path)
    assert time.monotonic() - began < 10


# --- devices, second names, roots ---------------------------------------------------------------


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="NOT TESTED: there is no other file system at /dev/shm")
@every_dialect
def test_what_is_mounted_below_a_root_can_be_refused(tmp_path, name):
    if os.stat("/dev/shm").st_dev == os.stat(tmp_path).st_dev:
        pytest.skip("NOT TESTED: /dev/shm is no other file system here")
    (tmp_path / "a.txt").write_bytes(b"x\n")
    with contextlib.ExitStack() as held:
        import tempfile

        folder = held.enter_context(tempfile.TemporaryDirectory(dir="/dev/shm"))
        with open(f"{folder}/b.txt", "wb") as file:
            file.write(b"x\n")
        tool = held.enter_context(guarded(name, "/", Denials(same_filesystem=True)))
        free = held.enter_context(guarded(name, "/", Denials()))
        assert tool.read(params(name, str(tmp_path / "a.txt"))).text == "x"
        assert free.read(params(name, f"{folder}/b.txt")).text == "x"
        (tmp_path / "lost").symlink_to(f"{folder}/missing")
        for path in (f"{folder}/b.txt", f"{folder}/missing", f"{folder}/missing/x", folder, str(tmp_path / "lost")):
            assert (path, *answer(tool, path)[:2]) == (path, *excluded(name, path))


def test_one_file_system_means_nothing_without_a_root():
    with pytest.raises(ValueError):
        Reader(None, same_filesystem=True)


def test_files_with_a_second_name_can_be_refused(tmp_path):
    (tmp_path / "one.txt").write_bytes(b"x\n")
    os.link(tmp_path / "one.txt", tmp_path / "two.txt")
    (tmp_path / "single.txt").write_bytes(b"x\n")
    denials = Denials(deny_hardlinks=True)
    names = ("one.txt", "two.txt", "single.txt", ".")
    assert [is_excluded(tmp_path, name, denials) for name in names] == [True, True, False, False]
    assert [is_excluded(tmp_path, name, Denials()) for name in names] == [False] * 4


MOVED = "[error IO_ERROR] Could not read 'a.txt': the root was moved, removed or replaced since the start. Start the reader again."


@both_openers
@pytest.mark.parametrize("what", ["moved", "removed", "replaced", "linked elsewhere"])
def test_a_root_that_is_no_longer_where_it_was_is_noticed(tmp_path, what, beneath):
    root, other = tmp_path / "root", tmp_path / "other"
    for folder in (root, other):
        folder.mkdir()
        (folder / "a.txt").write_text(f"{folder.name}\n")
    with guarded("native", root, Denials(), beneath) as tool:
        assert tool.read({"path": "a.txt"}).text == "root"
        if what == "removed":
            (root / "a.txt").unlink()
            root.rmdir()
        else:
            root.rename(tmp_path / "moved")
        if what == "replaced":
            other.rename(root)
        if what == "linked elsewhere":
            root.symlink_to(other)
        assert tool.reply({"path": "a.txt"}).text == MOVED
        if what == "moved":
            (tmp_path / "moved").rename(root)
            assert tool.read({"path": "a.txt"}).text == "root"


def test_a_root_named_by_a_link_that_is_turned_is_noticed(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(f"{name}\n")
    (tmp_path / "current").symlink_to("one")
    with guarded("native", tmp_path / "current", Denials()) as tool:
        assert tool.read({"path": "a.txt"}).text == "one"
        (tmp_path / "next").symlink_to("two")
        (tmp_path / "next").replace(tmp_path / "current")
        assert tool.reply({"path": "a.txt"}).text == MOVED


def test_a_root_beside_one_that_was_removed_is_read_on(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "two" / "a.txt").write_text("two\n")
    with contextlib.closing(Tool(dialect_named("native"), (str(tmp_path / "one"), str(tmp_path / "two")))) as tool:
        (tmp_path / "one").rmdir()
        assert tool.read({"path": str(tmp_path / "two" / "a.txt")}).text == "two"


@pytest.mark.skipif(not os.path.exists("/proc/self/mountinfo"), reason="NOT TESTED: there is no /proc here")
@every_dialect
@pytest.mark.parametrize(
    "path", ["/proc", "/proc/self", "/proc/self/environ", "/proc/1/cmdline", "/proc/sys/kernel/ostype"]
)
def test_what_the_kernel_makes_up_is_refused_by_its_file_system(name, path):
    with contextlib.closing(Tool(dialect_named(name), ("/",))) as tool:
        assert type(raised(tool, params(name, path))).__name__ == "NotRegularFile"


def raised(tool, asked):
    try:
        tool.read(asked)
    except Exception as error:
        return error
    return None


def test_an_ordinary_folder_below_slash_is_no_pseudo_file_system(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")
    with contextlib.closing(Tool(dialect_named("native"), ("/",))) as tool:
        assert tool.read({"path": str(tmp_path)}).lines == ["empty.txt\t0"]
        assert tool.read({"path": str(tmp_path / "empty.txt")}).lines == []
    assert stat.S_ISDIR(os.stat("/").st_mode)
