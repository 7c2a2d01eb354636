"""What the server offers and how it answers, told by the SDK's own client."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from base64 import b64decode

import anyio
import pytest
from mcp_serving import (
    ERAS,
    HANG,
    TOKEN,
    data_for_programs,
    environment,
    in_process,
    make_test_server,
    on_stdio,
    server_command,
)

from corpus.pdf_writer import Page, pdf
from every_dialect import require_every_dialect
from readwell import Reader
from readwell.dialects import NAMES, dialect_named
from readwell.dialects.native.brief_data import brief
from readwell.doors.cli import main
from readwell.doors.mcp.executors import create_executors
from readwell.doors.mcp.request_handlers import make_server
from readwell.doors.mcp.server_config import ServerConfig
from readwell.tokens import estimate_tokens, o200k_counter
from readwell.tool import Tool
from readwell.toolspec import is_retryable, tool_spec
from sample_project import PROJECT

MAX_TOKENS = 700


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("alpha\nbeta\ngamma\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "ä b?.md").write_text("# plan\n")
    return tmp_path.resolve()


def talk(work, *words, **more):
    """Runs `work(client)` against a server on stdio and returns what it returns."""

    async def session():
        async with on_stdio(*words, **more) as client:
            return await work(client)

    return anyio.run(session)


def offered(folder, dialect="native", structured=False, **more):
    """A server in this process, for what a program of its own cannot show."""
    spec = tool_spec(Tool(dialect_named(dialect), [str(folder)], cache_dir=None, **more))
    return make_server(
        ServerConfig([spec], spec, [str(folder)], structured), create_executors(small_reads_in_loop=True)
    )


# --- the tools -----------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
def test_a_tool_is_listed_with_its_own_schema_byte_for_byte(folder, era):
    for name in NAMES:
        told = dialect_named(name).tools[0]
        [tool] = in_process(offered(folder, name), lambda client: client.list_tools(), era).tools
        assert (tool.name, tool.description) == (told.name, told.description)
        assert json.dumps(tool.input_schema) == json.dumps(told.schema)
        assert tool.output_schema is None
        assert tool.annotations.model_dump() == {
            "title": None,
            "read_only_hint": True,
            "destructive_hint": False,
            "idempotent_hint": True,
            "open_world_hint": False,
        }


@pytest.mark.parametrize("count", [estimate_tokens, o200k_counter()], ids=["estimated", "exact"])
def test_the_tool_costs_few_tokens(count):
    assert count(json.dumps(dialect_named("native").tools[0].definition("json"), ensure_ascii=False)) <= MAX_TOKENS


def test_several_dialects_are_served_under_their_own_names(folder):
    words = ["--root", folder, "--dialect", "qq", "--dialect", "envelope", "--dialect", "native"]

    async def names(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert in_process(make_test_server(*words), names) == ["read_file", "Read", "read", "search"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("path", ["a.txt", "nowhere"])
@pytest.mark.parametrize("dialect", NAMES)
def test_structured_content_is_sent_when_asked_for_and_never_without_the_text(folder, dialect, path, era):
    [word] = dialect_named(dialect).tools[0].required
    server = offered(folder, dialect, structured=True)

    async def work(client):
        return (await client.list_tools()).tools[0], await client.call_tool(server_tool, {word: path})

    server_tool = dialect_named(dialect).tools[0].name
    tool, result = in_process(server, work, era)
    data = (result.meta or {}).get("readwell/data", {})
    assert tool.output_schema["required"] == ["text"]
    structured = result.structured_content
    if dialect == "envelope":  # its text is the whole envelope, which has a text of its own
        assert structured == json.loads(result.content[0].text)
    else:
        assert structured.pop("text") == result.content[0].text
    assert data_for_programs(dialect, structured) == data
    assert result.is_error is (path == "nowhere")


def test_without_being_asked_there_is_no_structured_content(folder):
    result = in_process(offered(folder), lambda client: client.call_tool("read", {"path": "a.txt"}))
    assert result.structured_content is None
    assert result.meta["readwell/data"] == brief(Reader(folder).reply({"path": "a.txt"}).data)


def test_data_for_programs_leaves_out_nulls_and_what_is_usual(folder):
    (folder / "latin.txt").write_bytes("été".encode("cp1252"))
    plain, odd = (
        in_process(offered(folder), lambda client, path=path: client.call_tool("read", {"path": path})).meta[
            "readwell/data"
        ]
        for path in ("a.txt", "latin.txt")
    )
    assert set(plain) == {"path", "start", "end", "total", "reason", "size", "mtime_ms", "revision", "tokens"}
    assert (odd["final_newline"], len(odd["notices"]) > 0) == (False, True)


@pytest.mark.parametrize("dialect", [name for name in NAMES if name != "native"])
def test_data_of_the_other_dialects_does_not_repeat_the_text(folder, dialect):
    (folder / "long.txt").write_text("".join(f"a line with words of its own {number}\n" for number in range(150)))
    [tool] = dialect_named(dialect).tools
    server = offered(folder, dialect)
    results = [
        in_process(server, lambda client, path=path: client.call_tool(tool.name, {tool.required[0]: path}))
        for path in ("long.txt", "nowhere")
    ]
    told = [(result.meta or {}).get("readwell/data", {}) for result in results]
    assert all("of its own" not in json.dumps(data) and len(json.dumps(data)) < 600 for data in told)
    fields = {"envelope": {"status", "data", "stats", "context"}, "opencode": {"title", "metadata"}, "qq": set()}
    fields = require_every_dialect(fields, but=["native"])
    assert set(told[0]) == fields[dialect]


def test_data_of_many_files_is_smaller_than_their_text(folder):
    for number in range(200):
        (folder / f"small{number}.txt").write_text("some words of it\n" * 3)
    result = in_process(offered(folder), lambda client: client.call_tool("read", {"paths": ["small*.txt"]}))
    data = result.meta["readwell/data"]
    assert set(data["files"][0]) == {"path", "start", "end", "total", "revision"}
    assert len(json.dumps(data)) < 1.2 * len(result.content[0].text)


def test_data_for_programs_can_be_left_out(folder):
    server = make_test_server("--root", str(folder), "--meta", "no")

    async def work(client):
        called = await client.call_tool("read", {"path": "a.txt"})
        [content] = (await client.read_resource((folder / "a.txt").as_uri())).contents
        return called.meta, content.meta

    assert [not meta or "readwell/data" not in meta for meta in in_process(server, work)] == [True, True]


@pytest.mark.parametrize("era", ERAS)
def test_a_mistake_in_an_argument_is_one_sentence_that_says_what_to_send(folder, era):
    result = in_process(
        offered(folder), lambda client: client.call_tool("read", {"path": "a.txt", "limit": "many"}), era
    )
    assert result.is_error
    assert result.content[0].text == "[error INVALID_PARAM] Invalid limit. It must be a whole number."


@pytest.mark.parametrize("era", ERAS)
def test_a_tool_that_is_not_there_is_answered_with_the_one_that_is(folder, era):
    result = in_process(offered(folder), lambda client: client.call_tool("cat", {"path": "a.txt"}), era)
    assert (result.is_error, result.content[0].text) == (True, "There is no tool 'cat'. Use read.")


def test_the_calls_on_the_page_of_the_server_are_answered_as_it_shows():
    page = (PROJECT.parent.parent / "docs" / "mcp.md").read_text()
    shown = re.findall(r"^> tools/call (\w+) (.+)\n((?:(?!> |```).*\n)+)", page, re.M)

    async def work(client):
        return [(await client.call_tool(name, json.loads(params))).content[0].text for name, params, _ in shown]

    assert in_process(make_test_server("--root", PROJECT), work) == [answer.rstrip("\n") for _, _, answer in shown]
    assert len(shown) == 4


def test_which_failures_are_worth_another_try(folder):
    reply = Reader(folder).reply
    assert [is_retryable(reply(params)) for params in ({"path": "a.tx"}, {"path": "a.txt", "limit": 0})] == [True, True]
    assert [is_retryable(reply(params)) for params in ({"path": "../x"}, {"path": "a.txt"})] == [False, False]
    tools = [Tool(dialect_named(name), [str(folder)]) for name in NAMES]
    missing = [tool.reply({tool.dialect_tool.required[0]: "nowhere"}) for tool in tools]
    assert [is_retryable(reply) for reply in missing] == [True] * len(NAMES)


# --- settings and roots --------------------------------------------------------------------------


def test_without_a_root_only_the_current_directory_is_served(folder, monkeypatch):
    monkeypatch.chdir(folder)

    async def work(client):
        paths = ["a.txt", str(folder / "a.txt"), "../x", "/etc/passwd", "~"]
        return [(await client.call_tool("read", {"path": path})).is_error for path in paths]

    assert in_process(make_test_server(), work) == [False, False, True, True, True]


def test_roots_may_come_from_the_environment(folder, monkeypatch):
    monkeypatch.setenv("READWELL_ROOT", str(folder))
    assert not in_process(make_test_server(), lambda client: client.call_tool("read", {"path": "a.txt"})).is_error


def test_a_file_of_a_further_root_is_named_so_that_it_can_be_asked_for_again(tmp_path):
    """Both roots have a file of the same name."""
    first, further = (tmp_path.resolve() / name for name in ("first", "further"))
    for root in (first, further):
        root.mkdir()
        (root / "a.txt").write_text(f"in {root.name}\n")
    asked = str(further / "a.txt")

    async def work(client):
        native = await client.call_tool("read", {"path": asked})
        envelope = await client.call_tool("Read", {"path": asked})
        named = [native.meta["readwell/data"]["path"], envelope.meta["readwell/data"]["context"]["path_resolved"]]
        return [*named, (await client.call_tool("read", {"path": named[1]})).content[0].text.split("\n")[1]]

    server = make_test_server("--root", first, "--root", further, "--dialect", "native", "--dialect", "envelope")
    assert in_process(server, work) == [asked, asked, "1\tin further"]


def test_settings_are_options_of_the_server(folder):
    async def work(client):
        long = await client.call_tool("read", {"path": "a.txt", "limit": 50})
        return (await client.list_tools()).tools[0].description, long

    settings = [
        "--limit",
        "2",
        "--line-length",
        "3",
        "--max-tokens",
        "900",
        "--numbers",
        "no",
        "--count-tokens",
        "o200k",
    ]
    description, result = in_process(make_test_server("--root", folder, *settings), work)
    assert "At most 2 lines, 3 characters a line, 900 tokens." in description
    text, data = result.content[0].text, result.meta["readwell/data"]
    assert "alp …[+2 characters: offset=1 column=4]" in text and "[note: limit 50 lowered to 2]" in text
    assert data["tokens"] == o200k_counter()(text)


@pytest.mark.parametrize(
    "words",
    [
        ["--limit", "0"],
        ["--count-tokens", "guess"],
        ["--dialect", "other"],
        ["--root", "/nowhere"],
        ["--http", "8000"],
        ["--http", "127.0.0.1:99999"],
        ["--http", "0.0.0.0:0"],
        ["--http", "0.0.0.0:0", "--token-env", "TOKEN"],
        ["--http", "0.0.0.0:0", "--allowed-host", "files.example"],
        ["--http", "127.0.0.1:0", "--token-env", "UNSET"],
        ["--http", "127.0.0.1:0", "--token-env", "SHORT"],
        ["--dialect", "native", "--dialect", "opencode"],
        ["extra"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_status_two_and_nothing_on_stdout(folder, words, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOKEN", TOKEN)
    monkeypatch.setenv("SHORT", "too-short")
    with pytest.raises(SystemExit) as left:
        main(["mcp", *words])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert err.splitlines()[-1].startswith("readwell mcp: error: ")


def test_two_tools_of_one_name_are_refused_by_that_name(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main(["mcp", "--dialect", "native", "--dialect", "opencode"])
    assert "error: two tools would be called read: serve them in servers of their own (" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 1
    assert capsys.readouterr() == ("", 'readwell: the MCP server needs an extra: pip install "readwell[mcp]"\n')


def test_without_the_extra_a_configuration_comes_with_a_warning(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["config", "codex"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("[mcp_servers.readwell]") and err.startswith(
        "readwell: warning: the MCP server needs an extra"
    )


@pytest.mark.parametrize("command", [["mcp"], ["read", "a.txt"]])
def test_images_that_are_asked_for_need_their_extra(monkeypatch, capsys, command):
    monkeypatch.setitem(sys.modules, "PIL", None)
    for words, variable in ((["--images", "yes"], ""), ([], "yes")):
        monkeypatch.setenv("READWELL_IMAGES", variable)
        with pytest.raises(SystemExit) as left:
            main([*command, *words])
        assert left.value.code == 2
        assert 'it needs an extra: pip install "readwell[images]"' in capsys.readouterr().err


def test_an_exact_counter_needs_its_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "splintr", None)
    with pytest.raises(SystemExit):
        main(["mcp", "--count-tokens", "o200k"])
    assert 'o200k needs an extra: pip install "readwell[tokens]"' in capsys.readouterr().err


# --- where calls are worked on -------------------------------------------------------------------


@pytest.mark.parametrize("small_reads_in_loop", [True, False])
def test_small_files_large_ones_and_documents_are_worked_on_apart(folder, small_reads_in_loop):
    (folder / "large.txt").write_bytes(b"line\n" * 100_000)
    (folder / "not really.txt").write_bytes(b"%PDF-1.4\nstartxref\n0\n%%EOF\n")
    seen = {}

    def noted(what):
        seen[what] = threading.current_thread().name.partition("_")[0]
        return 0.0

    def convert(_data, name):
        noted("document")
        return name

    async def work(client):
        for path in ("a.txt", "large.txt", "not really.txt"):
            seen["clock"] = path
            assert not (await client.call_tool("read_file", {"path": path})).is_error

    tool = Tool(
        dialect_named("qq"), [str(folder)], document_reader=convert, clock=lambda: noted(seen["clock"]), cache_dir=None
    )
    spec = tool_spec(tool)
    in_process(make_server(ServerConfig([spec], spec, [str(folder)]), create_executors(small_reads_in_loop)), work)
    here = threading.current_thread().name
    assert seen["a.txt"] == (here if small_reads_in_loop else "read")
    assert (seen["large.txt"], seen["document"]) == ("read", "convert")


# --- resources -----------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
def test_files_are_resources_by_their_address(folder, era):
    address = (folder / "docs" / "ä b?.md").as_uri()

    async def work(client):
        [root] = (await client.list_resources()).resources
        [template] = (await client.list_resource_templates()).resource_templates
        return root, template, [(await client.read_resource(uri)).contents[0] for uri in (root.uri, address, window)]

    window = (folder / "a.txt").as_uri() + "?offset=2&limit=1"
    root, template, contents = in_process(offered(folder), work, era)
    reply = Reader(folder).reply
    expected = [
        reply({"path": "."}),
        reply({"path": "docs/ä b?.md"}),
        reply({"path": "a.txt", "offset": 2, "limit": 1}),
    ]
    assert (root.uri, template.uri_template) == (folder.as_uri(), "file://{+path}{?offset,limit}")
    assert [content.text for content in contents] == [each.text for each in expected]
    assert [content.meta["readwell/data"] for content in contents] == [brief(each.data) for each in expected]


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_root_may_have_any_name(tmp_path, era):
    root = os.fsencode(tmp_path.resolve()) + b"/odd \xff\x1b[1m %41?"
    os.mkdir(root)
    with open(root + b"/a.txt", "w") as file:
        file.write("alpha\n")

    async def work(client):
        [found] = (await client.list_resources()).resources
        return found, client.instructions, (await client.read_resource(found.uri)).contents[0].text

    found, told, listing = in_process(offered(os.fsdecode(root)), work, era)
    assert found.name.endswith("/odd \\udcff\\x1b[1m %41?") and found.name in told
    assert "a.txt\t6" in listing


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_instructions_name_the_roots_and_in_two_sentences_both_tools(folder, era):
    async def told(client):
        return client.instructions

    def sentences_of(*words):
        return re.split(r"(?<=\.) (?=[A-Z])", in_process(make_test_server("--root", folder, *words), told, era))

    where = [f"Reads files below {folder}.", f"Relative paths start at {folder}."]
    assert sentences_of("--search", "no") == where
    first, second, *of_tools = sentences_of()
    assert [first, second] == where and len(of_tools) == 2
    assert re.search(r"\bsearch\b.*\bread\b", of_tools[0])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("uri", ["file:///etc/passwd", "file:///nowhere", "http://a.example/b", "nowhere"])
def test_a_resource_that_may_not_be_read_is_an_error_with_its_code(folder, uri, era):
    error = in_process(offered(folder), lambda client: client.read_resource(uri), era)
    assert error.code == -32602
    assert error.message.startswith("[error ") and error.data["uri"] == uri


# --- the streams ---------------------------------------------------------------------------------


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def started(*words, **more):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(server_command(*words), env=environment(), **pipes, **more)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_signal_ends_the_server_without_a_word(folder, number):
    server = started("--root", folder)
    server.stdin.write(json.dumps(HELLO).encode() + b"\n")
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["result"]["serverInfo"]["name"] == "readwell"
    server.send_signal(number)
    rest, said = server.stdout.read(), server.stderr.read()
    assert (server.wait(HANG), rest, said) == (0, b"", b"")
    server.stdin.close()
    server.stdout.close()
    server.stderr.close()


@pytest.mark.slow
def test_the_account_of_a_locked_server_can_be_rotated_and_a_hangup_does_not_end_it(folder, tmp_path_factory):
    logs = tmp_path_factory.mktemp("logs")
    log = logs / "audit.jsonl"
    server = started("--root", folder, "--dialect", "native", "--dialect", "qq", "--audit", log)

    def ask(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, **message}).encode() + b"\n")
        server.stdin.flush()
        return json.loads(server.stdout.readline())["result"]

    ask(HELLO)
    for number, name in enumerate(("read", "read_file", "read")):
        assert not ask({"method": "tools/call", "params": {"name": name, "arguments": {"path": "a.txt"}}})["isError"]
        log.rename(logs / f"audit.{number}")
        server.send_signal(signal.SIGHUP)
        time.sleep(0.3)  # a rotation is noticed after 0.2 s
    assert (*server.communicate(timeout=HANG), server.returncode) == (b"", b"", 0)
    told = [json.loads((logs / f"audit.{number}").read_text())["dialect"] for number in range(3)]
    assert told == ["native", "qq", "native"]


@pytest.mark.slow
@pytest.mark.parametrize("closing, name", [("<&-", "input"), (">&-", "output")])
def test_a_closed_stream_is_one_line(folder, closing, name):
    words = ["sh", "-c", f'"$@" {closing}', "sh", *server_command("--root", folder)]
    done = subprocess.run(words, env=environment(), stderr=subprocess.PIPE, text=True, timeout=HANG)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"error: standard {name} is closed: let a client start the server, or use --http" in done.stderr


@pytest.mark.slow
def test_a_server_without_stderr_still_has_its_root(folder):
    """The root must not become descriptor 2, which leads nowhere in a server."""
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call["params"] = {"name": "read", "arguments": {"path": "a.txt"}}
    words = ["sh", "-c", '"$@" 2>&-', "sh", *server_command("--root", folder)]
    sent = "\n".join(map(json.dumps, (HELLO, call)))
    done = subprocess.run(words, env=environment(), input=sent, stdout=subprocess.PIPE, text=True, timeout=HANG)
    assert (done.returncode, json.loads(done.stdout.splitlines()[-1])["result"]["isError"]) == (0, False)


@pytest.mark.parametrize("command", ["mcp", "config codex"])
def test_a_current_directory_that_was_removed_is_one_line(tmp_path, command):
    here = tmp_path / "here"
    here.mkdir()
    script = f'cd "{here}"; rmdir "{here}"; exec {sys.executable} -m readwell {command}'
    done = subprocess.run(["sh", "-c", script], env=environment(), capture_output=True, text=True, timeout=HANG)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "error: the current directory was removed: name a --root by its full path" in done.stderr


@pytest.mark.slow
def test_the_end_of_input_ends_the_server(folder):
    server = started("--root", folder)
    assert (*server.communicate(timeout=HANG), server.returncode) == (b"", b"", 0)


@pytest.mark.slow
def test_a_client_that_reads_no_more_ends_the_server(folder):
    server = started("--root", folder)
    server.stdout.close()
    server.stdin.write(json.dumps(HELLO).encode() + b"\n")
    server.stdin.flush()
    assert (server.wait(HANG), server.stderr.read()) == (0, b"")
    server.stdin.close()
    server.stderr.close()


@pytest.mark.slow
def test_a_client_that_reads_slowly_gets_everything(folder):
    """Answers of a megabyte and more: the pipe takes some, a thread writes the rest, and the next ones wait."""
    (folder / "wide.txt").write_text(("w" * 79 + "\n") * 2500)
    words = ["--root", folder, "--limit", "9999", "--max-bytes", "999999", "--max-tokens", "999999"]
    server = started(*words)
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "read", "arguments": {"path": "wide.txt"}}}
    server.stdin.write(json.dumps(HELLO).encode() + b"\n")
    server.stdin.write(b"".join(json.dumps({**call, "id": number}).encode() + b"\n" for number in range(2, 8)))
    server.stdin.flush()
    time.sleep(1)
    answers = [json.loads(server.stdout.readline()) for _ in range(7)]
    assert sorted(answer["id"] for answer in answers) == [1, 2, 3, 4, 5, 6, 7]
    texts = {answer["result"]["content"][0]["text"] for answer in answers if answer["id"] > 1}
    assert len(texts) == 1 and texts.pop().count("\n") == 2501
    assert server.communicate(timeout=HANG) == (b"", b"") and server.returncode == 0


# --- several files, images -----------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
def test_several_files_come_in_one_result(folder, era):
    params = {"paths": ["a.txt", "docs/*.md", "nowhere"]}
    result = in_process(offered(folder), lambda client: client.call_tool("read", params), era)
    reply = Reader(folder).reply(params)
    assert [content.text for content in result.content] == [reply.text]
    assert (result.is_error, result.meta["readwell/data"]) == (False, brief(reply.data))


@pytest.mark.parametrize("era", ERAS)
def test_a_thousand_files_come_in_one_result(folder, era):
    (folder / "many").mkdir()
    for number in range(1000):
        (folder / f"many/{number:04d}.txt").write_text("some words\n" * 50)
    params = {"paths": ["nowhere", *(f"many/{number:04d}.txt" for number in range(999))], "max_tokens": 12_000}
    result = in_process(offered(folder), lambda client: client.call_tool("read", params), era)
    data = result.meta["readwell/data"]
    reply = Reader(folder).reply(params)
    assert ([content.text for content in result.content], data) == ([reply.text], brief(reply.data))
    assert [file["path"] for file in data["files"]] + data["not_read"] == params["paths"]


@pytest.mark.parametrize("era", ERAS)
def test_an_image_comes_beside_its_text_and_as_a_resource(folder, era):
    image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    image.new("RGB", (3000, 30), "red").save(folder / "red.gif")
    image.new("RGB", (30, 30), "red").save(folder / "red.webp")

    async def work(client):
        called = await client.call_tool("read", {"path": "red.gif"})
        return called, await client.read_resource((folder / "red.webp").as_uri())

    called, resource = in_process(make_test_server("--root", folder), work, era)
    with Reader(folder, images=True) as reader:
        large, small = (reader.reply({"path": name}) for name in ("red.gif", "red.webp"))
    text, shown = called.content
    assert (text.text, called.is_error) == (large.text, False)
    assert (shown.type, shown.mime_type, b64decode(shown.data)) == ("image", "image/png", large.picture.content)
    text, blob = resource.contents
    assert (text.text, b64decode(blob.blob), blob.mime_type) == (small.text, small.picture.content, "image/png")


def test_a_client_looks_at_a_page_and_then_at_a_region_of_it(folder):
    pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    (folder / "pages.pdf").write_bytes(pdf(*[Page().text(72, 700, f"Page {number}") for number in (1, 2, 3)]))
    page = {"path": "pages.pdf", "view": "image", "pages": "2"}
    asked = [page, {**page, "region": "0,0,500,250"}, {**page, "pages": "1-3"}]

    async def work(client):
        return [await client.call_tool("read", params) for params in asked]

    answers = in_process(make_test_server("--root", folder), work)
    with Reader(folder) as reader:
        replies = [reader.reply(params) for params in asked]
    assert [answer.content[0].text for answer in answers] == [reply.text for reply in replies]
    shown = [[b64decode(image.data) for image in answer.content[1:]] for answer in answers]
    assert shown == [[picture.content for picture in reply.pictures] for reply in replies]
    assert [len(images) for images in shown] == [1, 1, 3]
    server = make_test_server("--root", folder, "--images", "no")
    [content] = in_process(server, lambda client: client.call_tool("read", page)).content
    assert content.text == "[error INVALID_PARAM] Invalid view. It must be left out: images are not carried here."


def test_images_can_be_turned_off(folder):
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    server = make_test_server("--root", folder, "--images", "no")
    [content] = in_process(server, lambda client: client.call_tool("read", {"path": "logo.png"})).content
    assert (
        content.text
        == "[error BINARY_FILE] 'logo.png' is a PNG image, 48 bytes. Look at it with view=\"image\", if your client shows images."
    )
