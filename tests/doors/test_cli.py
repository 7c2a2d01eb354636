"""The command line, run as a program: exit status, streams, dialects, schemas, terminal."""

import errno
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import readwell
from command_line import called
from readwell.dialects import NAMES

HANG = 60
ABC = "alpha\nbeta\ngamma\n"
DIALECTS = list(NAMES)
NASTY = "plain\n\x1b[2Jcleared\n\x1b]0;title\x07bell\nc1 \x9b3J\nback\x08space\n"


def environment(**more):
    """The caller's environment without what would steer the program."""
    steering = ("NO_COLOR", "FORCE_COLOR")
    env = {k: v for k, v in os.environ.items() if not k.startswith("READWELL_") and k not in steering}
    home = str(Path(readwell.__file__).resolve().parent.parent)
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [home, env.get("PYTHONPATH")]))
    env["TERM"] = "xterm-256color"
    return {**env, **more}


def run(folder, *args, **env):
    return called(folder, *args, env=environment(**env))


def run_as_program(folder, *args, **env):
    done = subprocess.run(
        [sys.executable, "-m", "readwell", *args],
        cwd=folder,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANG,
    )
    assert b"Traceback" not in done.stderr + done.stdout
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def on_terminal(folder, *args, **env):
    """Run on a pseudo-terminal; the exit status and every byte the terminal was sent."""
    screen, end = pty.openpty()
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", "readwell", *args],
            cwd=folder,
            env=environment(**env),
            stdin=end,
            stdout=end,
            stderr=end,
        )
    finally:
        os.close(end)
    sent, until = b"", time.monotonic() + HANG
    try:
        while time.monotonic() < until:
            if not select.select([screen], [], [], 1)[0]:
                continue
            try:
                piece = os.read(screen, 65536)
            except OSError as failure:
                if failure.errno != errno.EIO:
                    raise
                break
            if not piece:
                break
            sent += piece
        return child.wait(HANG), sent
    finally:
        os.close(screen)
        if child.poll() is None:
            child.kill()
            child.wait()


def hide_revision(text):
    return re.sub(r"(?<=\| rev )[0-9a-f]{12}(?=\]\n)", "REV", text, count=1)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text(ABC)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("import os\n")
    return tmp_path


# --- one read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args, expected",
    [
        (["a.txt"], "[a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n3\tgamma\n[end]\n"),
        (["read", "a.txt"], "[a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n3\tgamma\n[end]\n"),
        (
            ["read", "a.txt", "--dialect", "native", "--limit", "1"],
            "[a.txt | lines 1-1 of 3 | utf-8 LF | rev REV]\n1\talpha\n[more: offset=2]\n",
        ),
        (
            ["a.txt", "--offset", "2", "--limit=1"],
            "[a.txt | lines 2-2 of 3 | utf-8 LF | rev REV]\n2\tbeta\n[more: offset=3]\n",
        ),
        (
            ["a.txt", "--offset=-1"],
            "[a.txt | lines 3-3 of 3 | utf-8 LF | rev REV]\n[before: lines 1-2]\n3\tgamma\n[end]\n",
        ),
        (
            ["a.txt", "--offset", "-1"],
            "[a.txt | lines 3-3 of 3 | utf-8 LF | rev REV]\n[before: lines 1-2]\n3\tgamma\n[end]\n",
        ),
        (
            ["a.txt", "--offset", "2", "--column", "4"],
            "[a.txt | lines 2-3 of 3 | utf-8 LF | rev REV]\n2@4\ta\n3\tgamma\n[end]\n",
        ),
        (
            ["a.txt", "--encoding", "utf-8", "--root", "."],
            "[a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n3\tgamma\n[end]\n",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_pipe_gets_exactly_the_reply_and_a_newline(folder, args, expected):
    status, out, err = run(folder, *args)
    assert (status, hide_revision(out), err) == (0, expected, "")


def test_a_setting_is_an_option_with_hyphens(folder):
    (folder / "b.txt").write_text("alphabet\nbe\n")
    status, out, err = run(folder, "b.txt", "--line-length", "5")
    expected = (
        "[b.txt | lines 1-2 of 2 | utf-8 LF | rev REV]\n1\talpha …[+3 characters: offset=1 column=6]\n2\tbe\n"
        "[end | 1 line is cut]\n"
    )
    assert (status, hide_revision(out), err) == (0, expected, "")


def test_a_lazy_total_can_be_asked_for(folder):
    (folder / "big.txt").write_text("x\n" * 50000)
    out = run(folder, "big.txt", "--limit", "1", "--total", "lazy")[1]
    assert out.startswith("[big.txt | lines 1-1 of ? | utf-8 LF | ")


def test_a_pipe_gets_control_characters_as_they_are(folder):
    (folder / "nasty.txt").write_text(NASTY)
    with readwell.Reader(root=str(folder)) as reader:
        expected = reader.reply({"path": "nasty.txt"}).text
    assert "\x1b[2J" in expected
    assert run(folder, "nasty.txt") == (0, expected + "\n", "")


def test_a_directory_is_read_too(folder):
    status, out, err = run(folder, "src", "--root", ".")
    assert (status, err) == (0, "")
    assert re.fullmatch(r"\[src/ \| directory \| entries 1-1 of 1\]\napp\.py\t10\b[^\n]*\n\[end\]\n", out)


def test_several_paths_and_globs_share_one_reply(folder):
    (folder / "two.txt").write_text("two\n")
    status, out, err = run(folder, "two.txt", "src/*.py", "nowhere", "--json")
    files = json.loads(out)["files"]
    assert (status, err) == (1, "")
    assert [file["path"] for file in files] == ["two.txt", "src/app.py", "nowhere"]
    assert run(folder, "two.txt", "src/app.py")[0] == 0
    assert run(folder, "t*.txt")[1].startswith("[two.txt | lines 1-1 of 1 | utf-8 LF | rev ")
    assert run(folder, "two.txt", "src/app.py", "--dialect", "qq")[0] == 2


def test_of_several_paths_each_failure_is_a_line_on_stderr_and_the_rest_is_the_reply(folder):
    (folder / "two.txt").write_text("two\n")
    both = run(folder, "two.txt", "src/app.py")
    assert (both[0], both[2]) == (0, "")
    missing, denied = (run(folder, "--root", ".", "--deny", "*.key", name)[2] for name in ("nowhere", "a.key"))
    words = ("--root", ".", "--deny", "*.key", "nowhere", "two.txt", "a.key", "src/app.py")
    assert run(folder, *words) == (1, both[1], missing + denied)
    assert run(folder, "nowhere", "no\nwhere")[:2] == (1, "")
    assert run(folder, "nowhere", "no\nwhere")[2].count("\n") == 2


def test_a_list_of_too_many_files_fails_where_one_of_them_does(folder):
    (folder / "many").mkdir()
    for number in range(60):
        (folder / "many" / f"{number}.txt").write_text("some words\n" * 900)
    status, out, err = run(folder, "many/*.txt", "nowhere")
    assert (status, out.startswith("[61 files | too many to read at once")) == (1, True)
    assert err == run(folder, "nowhere")[2]


@pytest.mark.slow
def test_a_thousand_paths_are_answered_as_by_the_library(folder):
    names = [f"many/{number:04d}.txt" for number in range(1000)]
    (folder / "many").mkdir()
    for name in names[:-1]:
        (folder / name).write_text("some words\n" * 50)
    names = [names[-1], *names[:-1]]
    status, out, err = run(folder, *names, "--json", "--max-tokens", "12000")
    with readwell.Reader(folder) as reader:
        wanted = reader.reply({"paths": names, "max_tokens": 12000}).data
    assert (status, err, json.loads(out)) == (1, "", wanted)
    assert (wanted["files"][0]["error"]["code"], wanted["files"][1]["next"]["column"]) == ("NOT_FOUND", 1)


def test_a_budget_option_reaches_the_reply(folder):
    (folder / "big.txt").write_text("nine char\n" * 1000)
    for option, amount, unit in (("--max-bytes", "500", "byte"), ("--max-tokens", "300", "token")):
        out = run(folder, "big.txt", option, amount)[1]
        assert re.search(rf"\n\[more: offset=\d+ \| {amount} {unit} budget reached\]\n\Z", out)


def test_the_environment_steers_the_program(folder):
    assert run(folder, "a.txt", READWELL_LIMIT="1")[1].endswith("\n1\talpha\n[more: offset=2]\n")


def test_home_is_understood(folder):
    status, out, err = run(folder / "src", "~/a.txt", HOME=str(folder))
    assert (status, err, out.split("\n")[1:]) == (0, "", ["1\talpha", "2\tbeta", "3\tgamma", "[end]", ""])


def test_a_name_of_any_bytes_is_read_and_shown_in_utf8(folder):
    try:
        with open(os.path.join(os.fsencode(folder), b"bad\xff.txt"), "wb") as file:
            file.write("é\n".encode())
    except OSError:
        pytest.skip("this file system refuses the name")
    for env in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        status, out, err = run_as_program(folder, b"bad\xff.txt", **env)
        assert (status, hide_revision(out), err) == (
            0,
            "[bad\\udcff.txt | lines 1-1 of 1 | utf-8 LF | rev REV]\n1\té\n[end]\n",
            "",
        )


def test_a_command_wins_over_a_file_of_its_name(folder):
    (folder / "dialects").write_text("I am a file\n")
    assert "I am a file" not in run(folder, "dialects")[1]
    assert "\n1\tI am a file\n" in run(folder, "./dialects")[1]


def test_a_reader_that_goes_away_leaves_no_traceback(folder):
    (folder / "big.txt").write_text("a line of some length that fills the pipe\n" * 2000)
    child = subprocess.Popen(
        [sys.executable, "-m", "readwell", "big.txt", "--max-tokens", "100000", "--max-bytes", "1000000"],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        child.stdout.read(10)
        child.stdout.close()
        assert b"Traceback" not in child.stderr.read()
        child.wait(HANG)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        child.stderr.close()


# --- confinement --------------------------------------------------------------------------------


def test_a_root_confines(folder):
    status, out, err = run(folder, "../a.txt", "--root", "src")
    assert (status, out) == (1, "")
    assert "ACCESS_DENIED" in run(folder, "../a.txt", "--root", "src", "--json")[1]
    assert len(err.strip().split("\n")) == 1


def test_a_root_may_be_given_more_than_once(folder):
    for name in ("one", "two", "three"):
        (folder / name).mkdir()
        (folder / name / "f.txt").write_text(name + "\n")
    roots = ["--root", str(folder / "one"), "--root", str(folder / "two")]
    assert "\n1\tone\n" in run(folder, str(folder / "one/f.txt"), *roots)[1]
    assert "\n1\ttwo\n" in run(folder, str(folder / "two/f.txt"), *roots)[1]
    assert run(folder, str(folder / "three/f.txt"), *roots)[0] == 1


def test_without_a_root_nothing_is_confined(folder):
    status, out, err = run(folder / "src", "../a.txt")
    assert (status, hide_revision(out), err) == (
        0,
        "[../a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n3\tgamma\n[end]\n",
        "",
    )


# --- failures and usage -------------------------------------------------------------------------

FAILING = [
    (["zzz.txt"], "NOT_FOUND"),
    (["a.txt", "--offset", "9"], "OUT_OF_RANGE"),
    (["blob"], "BINARY_FILE"),
    (["pipe"], "NOT_REGULAR"),
]


@pytest.fixture
def failing(folder):
    (folder / "blob").write_bytes(bytes(range(256)) * 4)
    os.mkfifo(folder / "pipe")
    return folder


@pytest.mark.parametrize("args", [args for args, _ in FAILING])
def test_a_failure_is_one_line_on_stderr_and_status_one(failing, args):
    status, out, err = run(failing, *args)
    assert (status, out) == (1, "")
    assert re.fullmatch(r"[^\n]+\n", err)


@pytest.mark.parametrize("args, code", FAILING)
def test_a_failure_as_json_goes_to_stdout(failing, args, code):
    status, out, _ = run(failing, *args, "--json")
    assert status == 1
    body = json.loads(out)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "hint", "retryable"}
    assert body["error"]["code"] == code


def test_a_failure_names_the_next_step(folder):
    status, out, err = run(folder, "src/ap.py")
    assert (status, out) == (1, "")
    assert "File 'src/ap.py' does not exist." in err
    assert "src/app.py" in err


@pytest.mark.parametrize(
    "args",
    [
        ["read"],
        ["a.txt", "--no-such-option"],
        ["a.txt", "--dialect", "klingon"],
        ["schema", "--format", "xml"],
        ["schema", "--dialect", "klingon"],
        ["completion", "tcsh"],
        ["completion"],
        ["a.txt", "--limit"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_two(folder, args):
    status, out, err = run(folder, *args)
    assert (status, out) == (2, "")
    assert err


# --- json and dialects --------------------------------------------------------------------------


def test_json_is_the_data_of_the_reply(folder):
    with readwell.Reader(root=str(folder)) as reader:
        expected = reader.reply({"path": "a.txt", "limit": 2}).data
    status, out, err = run(folder, "a.txt", "--limit", "2", "--json")
    assert (status, json.loads(out), err) == (0, expected, "")


QQ = "\n".join(
    [
        "[File: a.txt | Lines 2-3 of 3]",
        "[Note: Output limited to 200 lines max per request.]",
        "-" * 40,
        "beta",
        "gamma",
    ]
)


def test_the_qq_dialect_prints_its_reply(folder):
    args = ["read", "a.txt", "--dialect", "qq", "--start-line", "2", "--num-lines", "5"]
    assert run(folder, *args) == (0, QQ + "\n", "")
    status, out, _ = run(folder, *args, "--json")
    assert (status, json.loads(out)) == (0, {"text": QQ})


def test_a_qq_failure_is_a_body_on_stdout(folder):
    status, out, _ = run(folder, "read", "zzz", "--dialect", "qq")
    assert (status, out) == (1, "Error: File 'zzz' does not exist.\n")
    status, out, _ = run(folder, "read", "zzz", "--dialect", "qq", "--json")
    assert (status, json.loads(out)) == (1, {"text": "Error: File 'zzz' does not exist."})


def test_the_envelope_dialect_prints_its_envelope(folder):
    args = ["read", "a.txt", "--dialect", "envelope", "--root", ".", "--start-line", "2", "--limit", "1", "--json"]
    status, out, err = run(folder, *args)
    body = json.loads(out)
    assert (status, err) == (0, "")
    assert body.get("data", body)["content"] == "   2 | beta\n"


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_envelope_failure_is_a_body_on_stdout(folder, more):
    status, out, _ = run(folder, "read", "zzz", "--dialect", "envelope", "--root", ".", *more)
    assert status == 1
    assert "File 'zzz' does not exist." in out
    if more:
        assert json.loads(out)["error"] == {"code": "NOT_FOUND", "message": "File 'zzz' does not exist."}


def test_the_opencode_dialect_prints_its_output(folder):
    output = (
        f"<path>{folder}/a.txt</path>\n<type>file</type>\n<content>\n2: beta\n\n"
        "(File has more lines. Use 'offset' parameter to read beyond line 2)\n</content>"
    )
    args = ["read", "a.txt", "--dialect", "opencode", "--offset", "2", "--limit", "1"]
    assert run(folder, *args) == (0, output + "\n", "")
    status, out, _ = run(folder, *args, "--json")
    assert (status, json.loads(out)["output"]) == (0, output)


def test_an_opencode_failure_goes_to_stderr(folder):
    status, out, err = run(folder, "read", "zzz", "--dialect", "opencode")
    assert (status, out) == (1, "")
    assert f"File not found: {folder}/zzz" in err


# --- other commands -----------------------------------------------------------------------------


def test_the_dialects_are_listed(folder):
    status, out, err = run(folder, "dialects")
    assert (status, err) == (0, "")
    for dialect in DIALECTS:
        assert re.search(rf"\b{dialect}\b", out)


NAMES = {"native": "read", "envelope": "Read"}


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("form", ["json", "openai", "anthropic"])
def test_a_schema_can_be_pasted(folder, dialect, form):
    status, out, err = run(folder, "schema", "--dialect", dialect, "--format", form)
    assert (status, err) == (0, "")
    tool = json.loads(out)
    if form == "openai":
        assert tool["type"] == "function"
        tool = tool.get("function", tool)
    assert tool["name"] == NAMES[dialect]
    assert tool["description"]
    if form != "json":
        schema = tool["input_schema" if form == "anthropic" else "parameters"]
        assert (schema["type"], schema.get("required")) == ("object", None if dialect == "native" else ["path"])


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("form", ["json", "openai", "anthropic"])
def test_every_dialect_has_a_schema_in_every_form(folder, dialect, form):
    status, out, err = run(folder, "schema", "--dialect", dialect, "--format", form)
    assert (status, err) == (0, "")
    assert isinstance(json.loads(out), dict)


def test_the_envelope_schema_is_the_published_one(folder):
    assert json.loads(run(folder, "schema", "--dialect", "envelope", "--format", "json")[1]) == {
        "name": "Read",
        "description": "Reads a file from the local filesystem with line numbers. Optimized for code editing.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Path to the file (relative to project root). Required."},
                "start_line": {
                    "type": "integer",
                    "default": 1,
                    "description": "The line number to start reading from (1-based). Default is 1.",
                },
                "limit": {
                    "type": "integer",
                    "default": 500,
                    "description": "The maximum number of lines to read. Default is 500. Hard limit is 2000.",
                },
            },
            "required": ["path"],
        },
    }


def test_the_native_tool_is_cheap(folder):
    tool = json.loads(run(folder, "schema")[1])
    assert len(json.dumps(tool, separators=(",", ":")).encode()) / 4 <= 700


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_schema_tells_its_cost(folder, dialect):
    status, out, err = run(folder, "schema", "--dialect", dialect, "--tokens")
    assert (status, err) == (0, "")
    assert re.search(r"\b\d+\b", out)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_for_the_shell(folder, shell):
    status, out, err = run(folder, "completion", shell)
    assert (status, err) == (0, "")
    assert "readwell" in out and not re.search(r"@[A-Z_]+@", out)
    assert all(word in out for word in ("search", "envelope", "max-tokens", "fish"))
    if shutil.which(shell):
        check = subprocess.run([shell, "-n"], input=out.encode(), capture_output=True, timeout=HANG)
        assert (check.returncode, check.stderr) == (0, b"")


def completed_by_bash(folder, *words):
    """What bash offers for the last word, without the commands that bash 3.2 of macOS lacks."""
    _, script, _ = run(folder, "completion", "bash")
    given = " ".join(f"'{word}'" for word in ("readwell", *words))
    asked = f"COMP_WORDS=({given}) COMP_CWORD={len(words)}; _readwell; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    program = f"enable -n mapfile readarray\n{script}\n{asked}"
    done = subprocess.run(["bash", "-c", program], cwd=folder, capture_output=True, timeout=HANG)
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


def test_completion_in_bash_keeps_names_with_spaces_and_stars_whole(folder):
    for name in ("a b.txt", "a *.txt"):
        (folder / name).write_text("x\n")
    (folder / "a dir").mkdir()
    assert {"a b.txt", "a *.txt", "a dir"} <= set(completed_by_bash(folder, "a"))
    assert "a dir" in completed_by_bash(folder, "a.txt", "--root", "a")


@pytest.mark.parametrize(
    "command, option, words",
    [
        ("schema", "--format", ["json", "openai", "anthropic"]),
        ("convert", "--format", ["md", "jsonl", "parquet"]),
        ("convert", "--engine", ["local", "dask", "ray"]),
        ("report", "--format", ["html", "json", "lcov"]),
        ("read", "--dialect", DIALECTS),
    ],
)
def test_completion_offers_the_words_that_may_follow_an_option_of_the_command(folder, command, option, words):
    assert completed_by_bash(folder, command, option, "") == list(words)
    fish = run(folder, "completion", "fish")[1]
    of = "" if option == "--dialect" else f' -n "__fish_seen_subcommand_from {command}"'
    assert f'complete -c readwell -l {option[2:]}{of} -x -a "{" ".join(words)}"' in fish


def test_completion_offers_every_option_of_every_command_and_no_other(folder):
    _, script, _ = run(folder, "completion", "fish")
    offered = {f"--{name}" for name in re.findall(r"^complete -c readwell -l ([a-z-]+)", script, re.M)}
    commands = [["read", "--dialect", name] for name in DIALECTS]
    commands += [[name] for name in ("search", "dialects", "schema", "convert", "doctor", "mcp", "config", "report")]
    told = "\n".join(run(folder, *command, "--help")[1] for command in commands)
    listed = set(re.findall(r"^  (?:-\w(?: [A-Z]+)?, )?(--[a-z-]+)", told, re.M))
    assert {"--output", "--literal", "--ignore-case"} <= listed
    assert (listed - offered, offered - listed) == (set(), {"--version"})


def test_version_and_help(folder):
    status, out, err = run(folder, "--version")
    assert (status, err) == (0, "")
    assert re.search(r"\d+\.\d+", out)
    status, out, err = run(folder, "--help")
    assert (status, err) == (0, "")
    assert all(word in out for word in ("read", "dialects", "schema", "completion"))


# --- on a terminal ------------------------------------------------------------------------------

RAW = [b"\x1b[2J", b"\x1b]0;", b"\x07", b"\x08", b"\xc2\x9b"]


def test_no_escape_of_a_file_reaches_the_terminal(folder):
    (folder / "nasty.txt").write_text(NASTY)
    status, sent = on_terminal(folder, "nasty.txt")
    assert status == 0
    assert [raw for raw in RAW if raw in sent] == []
    for word in (b"plain", b"[2Jcleared", b"]0;title", b"bell"):
        assert word in sent


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in ("native", "envelope")])
def test_no_escape_of_a_file_reaches_the_terminal_in_other_dialects(folder, dialect):
    (folder / "nasty.txt").write_text(NASTY)
    status, sent = on_terminal(folder, "read", "nasty.txt", "--dialect", dialect)
    assert status == 0
    assert [raw for raw in RAW if raw in sent] == []
    assert b"[2Jcleared" in sent


@pytest.mark.parametrize("there", [True, False])
def test_no_escape_of_a_name_reaches_the_terminal(folder, there):
    name = "x\x1b[2J\x07\x1b]0;y.txt"
    if there:
        (folder / name).write_text("inside\n")
    status, sent = on_terminal(folder, name)
    assert status == (0 if there else 1)
    assert [raw for raw in RAW if raw in sent] == []


def test_the_terminal_is_coloured_unless_no_color_is_set(folder):
    status, sent = on_terminal(folder, "a.txt")
    assert status == 0
    assert b"\x1b[" in sent
    status, sent = on_terminal(folder, "a.txt", NO_COLOR="1")
    assert (status, b"\x1b" in sent) == (0, False)
    assert hide_revision(sent.decode().replace("\r\n", "\n")) == (
        "[a.txt | lines 1-3 of 3 | utf-8 LF | rev REV]\n1\talpha\n2\tbeta\n3\tgamma\n[end]\n"
    )


def test_without_colour_not_one_escape_is_sent(folder):
    (folder / "nasty.txt").write_text(NASTY)
    status, sent = on_terminal(folder, "nasty.txt", NO_COLOR="1")
    assert (status, b"\x1b" in sent) == (0, False)


def test_an_outline_and_a_block_are_asked_for_by_view(folder):
    (folder / "a.md").write_text("# One\n\ntext\n\n# Two\n")
    status, out, err = run(folder, "a.md", "--view", "outline")
    assert (status, err, out.splitlines()[1:]) == (0, "", ["1-4\tOne", "5-5\tTwo", "[end]"])
    status, out, err = run(folder, "a.md", "--view", "block", "--offset", "3")
    assert (status, err, out.splitlines()[1:]) == (0, "", ["1\t# One", "2\t", "3\ttext", "4\t", "[more: offset=5]"])
