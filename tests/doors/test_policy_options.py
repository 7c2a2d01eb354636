"""What doors deny: the usual secrets, what the configuration says, what a project adds, and nothing without a root."""

import os

import pytest

from command_line import called
from readwell.config_files import door_denials
from readwell.dialects import NAMES
from readwell.policy import DOOR_DENIALS, SECRETS, Denials

USAGE_ERROR = "readwell read: error: {} (readwell read --help lists the options)\n"
EXCLUDED = "readwell: [error ACCESS_DENIED] Path is excluded by policy. Read another file.\n"
HANG = 60


def run(folder, *args, **env):
    """Exit status, stdout without the header, stderr."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("READWELL_")}
    done = called(folder, *map(str, args), env={**clean, **env})
    return done.returncode, "\n".join(done.stdout.split("\n")[1:]), done.stderr


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    for name, content in {
        ".env": "A=1\n",
        "a.sql": "select\n",
        "a.txt": "text\n",
        ".aiignore": "*.log\n",
        "a.log": "x\n",
    }.items():
        (root / name).write_text(content)
    return root


READ = {name: (0, f"1\t{text}\n[end]\n", "") for name, text in ((".env", "A=1"), ("a.sql", "select"), ("a.log", "x"))}


def test_with_a_root_secrets_and_ignore_files_are_obeyed(folder):
    assert run(folder, ".env", "--root", ".") == (1, "", EXCLUDED)
    assert run(folder, "a.log", "--root", ".") == (1, "", EXCLUDED)
    assert run(folder, "a.sql", "--root", ".") == READ["a.sql"]
    assert run(folder, ".env", READWELL_ROOT=".") == (1, "", EXCLUDED)


def test_without_a_root_nothing_is_denied(folder):
    assert [run(folder, name) for name in (".env", "a.log")] == [READ[".env"], READ["a.log"]]


@pytest.mark.parametrize("dialect", [name for name in NAMES if name != "native"])
def test_secrets_are_denied_in_every_dialect(folder, dialect):
    status, _, _ = run(folder, ".env", "--root", ".", "--dialect", dialect)
    assert status == 1


@pytest.mark.parametrize(
    ("args", "env", "path", "expected"),
    [
        (["--deny", "*.sql"], {}, "a.sql", "denied"),
        (["--deny", "x:*.sql"], {}, "a.sql", "denied"),
        (["--deny", "*.sql", "--deny", "x"], {}, "a.sql", "denied"),
        ([], {"READWELL_DENY": "x:*.sql"}, "a.sql", "denied"),
        (["--allow", ".env"], {}, ".env", "read"),
        ([], {"READWELL_ALLOW": ".env"}, ".env", "read"),
        (["--allow", "*"], {}, "a.log", "denied"),
        (["--ignore-files", "no"], {}, "a.log", "read"),
        ([], {"READWELL_IGNORE_FILES": "no"}, "a.log", "read"),
        (["--deny-hardlinks", "yes"], {}, "a.sql", "read"),
        (["--same-filesystem", "yes"], {}, "a.sql", "read"),
    ],
)  # fmt: skip
def test_options_and_variables_change_the_policy(folder, args, env, path, expected):
    assert run(folder, path, "--root", ".", *args, **env) == (READ[path] if expected == "read" else (1, "", EXCLUDED))


def test_options_deny_without_a_root_too(folder):
    assert run(folder, "a.sql", "--deny", "*.sql") == (1, "", EXCLUDED)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", DOOR_DENIALS),
        ('deny = ["*.sql"]', Denials((*SECRETS, "*.sql"), ignore_files=True)),
        ('allow = [".env"]', Denials(SECRETS, (".env",), ignore_files=True)),
        ("secrets = false", Denials((), ignore_files=True)),
        ("ignore_files = false", Denials(SECRETS)),
        ("same_filesystem = true\ndeny_hardlinks = true", Denials(SECRETS, (), True, True, True)),
    ],
)
def test_a_configuration_outside_the_roots_decides(folder, content, expected):
    config = folder.parent / "config.toml"
    config.write_text(content)
    assert door_denials([str(folder)], str(config)) == expected


def test_without_a_root_only_the_configuration_counts(folder):
    config = folder.parent / "config.toml"
    config.write_text('deny = ["*.sql"]')
    assert (door_denials([], str(config)), door_denials([])) == (Denials(("*.sql",)), Denials())


def test_a_project_may_add_denials(folder):
    (folder / "readwell.toml").write_text('deny = ["*.sql"]')
    assert door_denials([str(folder)]) == Denials((*SECRETS, "*.sql"), ignore_files=True)
    assert run(folder, "a.sql", "--root", ".") == (1, "", EXCLUDED)
    assert run(folder, "a.sql") == READ["a.sql"]


@pytest.mark.parametrize(
    "content", ['allow = [".env"]', "secrets = false", "ignore_files = false", "deny_hardlinks = false"]
)
def test_a_project_may_do_nothing_else(folder, content):
    (folder / "readwell.toml").write_text(content)
    status, _, told = run(folder, "a.sql", "--root", ".")
    said = f"'./readwell.toml' may only deny, for it lies inside a root: {content.split()[0]}"
    assert (status, told) == (2, USAGE_ERROR.format(said))


@pytest.mark.parametrize("lifting", ["!.env", " !*", "!/.env"])
def test_a_project_may_not_lift_a_denial(folder, lifting):
    (folder / "readwell.toml").write_text(f'deny = ["*.sql", "{lifting}"]')
    status, shown, told = run(folder, ".env", "--root", ".")
    said = f"'./readwell.toml' may only deny, for it lies inside a root: {lifting}"
    assert (status, shown, told) == (2, "", USAGE_ERROR.format(said))


def test_a_project_file_that_leads_elsewhere_is_not_followed(folder):
    (folder.parent / "elsewhere.toml").write_text("deny = []")
    (folder / "readwell.toml").symlink_to("../elsewhere.toml")
    with pytest.raises(ValueError):
        door_denials([str(folder)])


@pytest.mark.parametrize("place", ["root/config.toml", "root/sub/config.toml", "link.toml"])
def test_a_configuration_inside_a_root_is_refused(folder, place):
    (folder / "sub").mkdir()
    for name in ("config.toml", "sub/config.toml"):
        (folder / name).write_text("secrets = false")
    (folder.parent / "link.toml").symlink_to("root/config.toml")
    with pytest.raises(ValueError) as refused:
        door_denials([str(folder)], str(folder.parent / place))
    assert "must lie outside the roots" in str(refused.value)


def test_a_configuration_beside_the_root_may_be_named_from_within_it(folder):
    (folder.parent / "config.toml").write_text('deny = ["a.*"]')
    status, _, told = run(folder, "a.sql", "--root", ".", "--config", "../config.toml")
    assert (status, "Path is excluded by policy." in told) == (1, True), told


@pytest.mark.parametrize("way", ["../../config.toml", "../sub/../../config.toml"])
def test_a_configuration_is_not_named_by_way_of_a_folder_in_the_root(folder, way):
    (folder / "sub").mkdir()
    (folder.parent / "config.toml").write_text("secrets = false")
    status, _, told = run(folder / "sub", "a.sql", "--root", folder, "--config", way)
    assert (status, "and so must the way to it" in told) == (2, True), told


@pytest.mark.parametrize(
    "content",
    ["deny = 7", 'deny = "x"', "deny = [1]", "secrets = 1", "other = true", "= broken", "\udcff", 'deny = ["/"]'],
)
def test_a_configuration_that_cannot_be_meant_is_wrong_usage(folder, content):
    config = folder.parent / "config.toml"
    config.write_bytes(content.encode(errors="surrogateescape"))
    status, out, told = run(folder, "a.sql", "--root", ".", "--config", config)
    assert (status, out, told.startswith("readwell read: error: "), told.count("\n")) == (2, "", True, 1)


@pytest.mark.parametrize("make", ["nothing", "folder", "pipe"])
def test_a_configuration_that_cannot_be_read_is_wrong_usage(folder, make):
    config = folder.parent / "config.toml"
    if make == "folder":
        config.mkdir()
    if make == "pipe":
        os.mkfifo(config)
    assert run(folder, "a.sql", "--root", ".", "--config", config)[0] == 2


def test_an_audit_file_that_cannot_be_opened_is_wrong_usage(folder):
    assert run(folder, "a.sql", "--audit", folder / "no" / "where")[0] == 2


@pytest.mark.parametrize(
    "words, env, count",
    [
        ([], {}, 3),
        (["--deny", "*.sql"], {}, 2),
        (["--allow", ".env"], {}, 4),
        (["--ignore-files", "no"], {}, 4),
        (["--config", "CONFIG"], {}, 2),
        ([], {"READWELL_CONFIG": "CONFIG"}, 2),
        ([], {"READWELL_DENY": "*.sql:*.txt"}, 1),
    ],
)
def test_doctor_counts_of_a_root_what_the_doors_would_read(folder, words, env, count):
    config = folder.parent / "config.toml"
    config.write_text('deny = ["*.txt"]\n')
    words = [word.replace("CONFIG", str(config)) for word in words]
    env = {name: value.replace("CONFIG", str(config)) for name, value in env.items()}
    told = run(folder, "doctor", "--root", ".", *words, **env)[1]
    assert f"root        .: lists {count} entr{'y' if count == 1 else 'ies'} in " in told
    header = called(folder, ".", "--root", ".", *words, env={**os.environ, **env}).stdout
    assert f"| entries 1-{count} of {count}]" in header


def test_doctor_tells_a_configuration_that_is_missing(folder):
    status, told, _ = run(folder, "doctor", "--root", ".", "--config", "/no/where.toml")
    assert status == 1 and "MISSING root        .: there is no configuration file '/no/where.toml'" in told
    assert run(folder, "doctor", "--root", ".", READWELL_IGNORE_FILES="perhaps")[0] == 2


def test_doctor_finds_nothing_wrong_with_a_root_whose_first_entries_cannot_be_read(tmp_path):
    os.symlink("/nowhere", tmp_path / "a")
    os.mkfifo(tmp_path / "b")
    told = run(tmp_path, "doctor", "--root", ".")[1]
    assert "ok      root        .: lists 2 entries in " in told and "ms, reads" not in told
    (tmp_path / "c").write_text("x\n")
    assert "reads c in " in run(tmp_path, "doctor", "--root", ".")[1]


@pytest.mark.parametrize(
    "root",
    [
        "az://container?sig=pass-word",
        "az://container?sig=pass@pass-word",
        "https://host/#pass-word",
        "ftp://user:pass-word@host/x",
        "s3://user:pass@word-pass-word@bucket?a",
    ],
)
def test_doctor_repeats_no_secret_of_an_address(tmp_path, root):
    status, told, wrong = run(tmp_path, "doctor", "--root", root)
    assert status == 1 and "MISSING root" in told and "pass-word" not in told + wrong
