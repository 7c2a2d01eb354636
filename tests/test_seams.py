"""Each seam in use: a store that is no disk, and a reading, a tool and a dialect that come from outside."""

import json
import sys
from contextlib import closing
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from memory_source import route_to, write_files
from readwell import dialects
from readwell.adapters import openai
from readwell.dialects import NAMES, Dialect, DialectTool, Setting, dialect_named
from readwell.doors import argument_parsers, call_options, cli
from readwell.engine import HANDLERS, read
from readwell.errors import InvalidRequest, NotFound, ReadError
from readwell.model import ReadRequest, Reply, Rules, Traits
from readwell.readings import READINGS, unpaged_content
from readwell.text import InMemoryText
from readwell.tool import Tool
from readwell.toolspec import tool_specs

FILES = {
    "notes.txt": b"one\ntwo\nthree\n",
    "src/app.py": b"print('x')\n" * 300,
    "src/lib/part.py": b"pass\n",
    "table.csv": b"name,size\na,1\nb,2\n",
    "latin.txt": "Fläche, Größe, Maß\n".encode("latin-1") * 20,
    "logo.png": b"\x89PNG\r\n\x1a\n" + bytes(64),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files on the disk."""
    place = tmp_path_factory.mktemp("seams")
    write_files(FILES, place)
    return str(place)


def routed(folder, name="native", files=FILES):
    return Tool(dialect_named(name), [folder], routes=[route_to(files)], cache_dir=None)


# --- sources --------------------------------------------------------------------------------------


def outcome(tool, path, params):
    """What a read finds or how it fails, but for what differs between two stores: paths, times, lookalikes."""
    try:
        result = tool.read({tool.dialect_tool.required[0]: path, **params})
    except ReadError as error:
        return type(error), None if isinstance(error, NotFound) else error.args
    size = None if result.kind == "directory" else result.size
    return result.kind, size, result.window, result.traits, result.part, result.hidden, result.revision


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("name", [*FILES, "src", "", "nowhere.txt"])
def test_a_store_in_memory_is_read_as_the_same_files_on_disk(folder, dialect, name):
    tool = routed(folder, dialect)
    assert outcome(tool, f"mem://{name}", {}) == outcome(tool, name or ".", {})
    tool.close()


@settings(max_examples=examples(50), deadline=None)
@given(
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode), st.just(b"line\n" * 30_000)),
    st.integers(-50, 50),
    st.integers(1, 40),
    st.sampled_from([None, "latin-1", "utf-16"]),
)
@example(b"", 1, 1, None)
def test_any_bytes_in_memory_are_read_as_those_on_disk(tmp_path_factory, content, offset, limit, encoding):
    folder = tmp_path_factory.mktemp("bytes")
    write_files({"file.txt": content}, folder)
    tool = routed(str(folder), files={"file.txt": content})
    params = {"offset": offset, "limit": limit, "encoding": encoding}
    assert outcome(tool, "mem://file.txt", params) == outcome(tool, "file.txt", params)
    tool.close()


def test_a_document_in_memory_goes_into_the_cage_as_a_file_without_a_name(folder):
    tool = routed(folder)
    found = tool.read({"path": "mem://table.csv", "view": "markdown"})
    assert (found.kind, found.lines) == ("document", ["| name | size |", "| --- | --- |", "| a | 1 |", "| b | 2 |"])
    tool.close()


def test_patterns_and_batches_go_through_routes(folder):
    tool = routed(folder)
    reply = tool.reply({"paths": ["mem://src/**/*.py", "notes.txt"]})
    assert [file["path"] for file in reply.data["files"]] == ["mem://src/app.py", "mem://src/lib/part.py", "notes.txt"]
    tool.close()


def test_a_route_keeps_what_its_opener_denies_and_is_closed_with_the_tool(folder):
    route = route_to(FILES)
    tool = Tool(dialect_named("native"), [folder], routes=[route], cache_dir=None)
    assert tool.reply({"path": "mem://../notes.txt"}).data["error"]["code"] == "ACCESS_DENIED"
    assert tool.reply({"path": "s3://notes.txt"}).data["error"]["code"] == "NOT_FOUND"
    tool.close()
    assert route.opener.closed


# --- readings -------------------------------------------------------------------------------------


def read_reversed(context):
    """Shows the lines of `.back` files from the last to the first."""
    if not context.source.name.endswith(".back"):
        return None
    lines = context.source.read_at(0, context.source.size).decode().splitlines()[::-1]
    return unpaged_content("document", InMemoryText(lines, Traits(encoding="utf-8", newline="lf")), context.request)


def test_a_reading_is_added_as_a_row(tmp_path):
    (tmp_path / "a.back").write_text("one\ntwo\nthree\n")
    (tmp_path / "a.txt").write_text("one\n")
    handlers = {
        **HANDLERS,
        ReadRequest: partial(read, readings={view: (read_reversed, *rows) for view, rows in READINGS.items()}),
    }
    tool = Tool(dialect_named("native"), [str(tmp_path)], handlers=handlers, cache_dir=None)
    first = tool.read({"path": "a.back", "limit": 2})
    assert (first.kind, first.lines, first.next.line) == ("document", ["three", "two"], 3)
    assert tool.read({"path": "a.txt"}).lines == ["one"]
    tool.close()


# --- tools ----------------------------------------------------------------------------------------


class CountRequest(NamedTuple):
    """How often does a letter stand in a file?"""

    path: str
    letter: str


def count(request, rules, resources, deadline):
    """Takes a request to its result, beside a read: over the same opener, within the same time."""
    deadline.check()
    with resources.opener.open(resources.opener.locate(request.path), deadline) as source:
        return source.read_at(0, source.size).decode().count(request.letter)


def failed(error, call):
    return Reply(type(error).__name__, {"failed": True}, is_error=True)


COUNT = DialectTool(
    name="count",
    template="Counts a letter in a file.",
    properties={
        "letter": {"type": "string", "description": "The letter."},
        "path": {"type": "string", "description": "Where to count."},
    },
    rules=Rules(),
    parse=lambda params: CountRequest(params["path"], params["letter"]),
    render=lambda found, call: Reply(f"{call.params['letter']}: {found}", {"count": found}),
    render_error=failed,
    required=("letter", "path"),
)
SHOW = DialectTool(
    name="show",
    template="Shows a file.",
    properties={"path": {"type": "string", "description": "The file."}},
    rules=Rules(),
    parse=lambda params: dialect_named("qq").tools[0].parse(params),
    render=lambda result, call: Reply(result.text, {"lines": result.lines}),
    render_error=failed,
)


def two_tools(mood="calm"):
    loud = SHOW._replace(render=lambda result, call: Reply(result.text.upper(), {}))
    moods = Setting("mood", ("calm", "wild"), "calm or wild")
    return Dialect("two-tools", "Shows and counts.", (loud if mood == "wild" else SHOW, COUNT), (moods,), two_tools)


@pytest.fixture
def counting(folder):
    """A tool of a dialect that has two."""
    tool = Tool(
        two_tools(), [folder], handlers={**HANDLERS, CountRequest: count}, routes=[route_to(FILES)], cache_dir=None
    )
    yield tool
    tool.close()


def test_a_dialect_has_several_tools_over_one_opener(counting):
    show, counter = counting.all()
    assert show.reply({"path": "notes.txt"}).text == counting.reply({"path": "notes.txt"}).text == "one\ntwo\nthree"
    assert counter.reply({"path": "notes.txt", "letter": "e"}).text == "e: 3"
    assert counter.reply({"path": "mem://notes.txt", "letter": "o"}).data == {"count": 2}
    assert counter.reply({"path": "../notes.txt", "letter": "o"}).text == "AccessDenied"
    assert counter.read({"path": "notes.txt", "letter": "t"}) == 2


def test_a_call_that_is_refused_is_on_record_with_its_path_whatever_the_dialect_calls_it(folder):
    def refused(params):
        raise InvalidRequest("from", params["from"], "a line number")

    records = []
    own = SHOW._replace(required=("file",), properties={"file": {"type": "string"}, "from": {}}, parse=refused)
    with closing(Tool(Dialect("own", "Refuses.", (own,)), [folder], audit=records.append, cache_dir=None)) as tool:
        tool.reply({"file": "notes.txt", "from": "x"})
    assert [(each.path, each.verdict) for each in records] == [("notes.txt", "InvalidRequest")]


def test_a_second_tool_is_on_record(folder):
    records = []
    tool = Tool(two_tools(), [folder], handlers={**HANDLERS, CountRequest: count}, audit=records.append, cache_dir=None)
    tool.all()[1].reply({"path": "notes.txt", "letter": "e"})
    tool.all()[1].reply({"path": "nowhere.txt", "letter": "e"})
    assert [(each.dialect, each.path, each.verdict) for each in records] == [
        ("two-tools", "notes.txt", "read"),
        ("two-tools", "nowhere.txt", "NotFound"),
    ]
    tool.close()


def test_an_adapter_offers_every_tool_of_a_dialect(counting):
    assert [tool["function"]["name"] for tool in openai.tools(counting)] == ["show", "count"]
    assert openai.response_tools(counting)[1]["parameters"]["required"] == ["letter", "path"]
    asked = SimpleNamespace(name="count", arguments=json.dumps({"path": "notes.txt", "letter": "n"}))
    chat = openai.call(counting, SimpleNamespace(id="1", function=asked))
    assert chat == {"role": "tool", "tool_call_id": "1", "content": "n: 1"}
    assert openai.call(counting, SimpleNamespace(call_id="2", **vars(asked)))["output"] == "n: 1"


def test_the_server_offers_every_tool_of_a_dialect(counting, folder):
    anyio = pytest.importorskip("anyio", reason="NOT TESTED: the extra `mcp` is not installed")
    from mcp import Client

    from readwell.doors.mcp.executors import create_executors
    from readwell.doors.mcp.request_handlers import make_server
    from readwell.doors.mcp.server_config import ServerConfig

    specs = tool_specs(counting)
    server = make_server(ServerConfig(specs, specs[0], [folder]), create_executors(small_reads_in_loop=True))

    async def session():
        async with Client(server) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            called = await client.call_tool("count", {"path": "notes.txt", "letter": "w"})
            return listed, called.content[0].text

    assert anyio.run(session) == (["show", "count"], "w: 1")


# --- dialects -------------------------------------------------------------------------------------


@pytest.fixture
def with_hyphen(monkeypatch, folder):
    """A dialect `two-tools` among those of the command line, run in the folder."""
    module = ModuleType("readwell.dialects.two_tools")
    module.dialect = two_tools
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for place in (dialects, call_options, cli, argument_parsers):
        monkeypatch.setattr(place, "NAMES", (*NAMES, "two-tools"))
    monkeypatch.chdir(folder)


@pytest.mark.usefixtures("with_hyphen")
def test_a_dialect_with_a_hyphen_in_its_name_is_spoken_by_the_command_line(capsys):
    assert dialect_named("two-tools").name == "two-tools"
    assert cli.main(["notes.txt", "--dialect", "two-tools"]) == 0
    assert capsys.readouterr().out == "one\ntwo\nthree\n"
    assert cli.main(["notes.txt", "--dialect=two-tools", "--mood", "wild"]) == 0
    assert capsys.readouterr().out == "ONE\nTWO\nTHREE\n"
    assert cli.main(["dialects"]) == 0
    assert capsys.readouterr().out.endswith("\ntwo-tools Shows and counts.\n")


@pytest.mark.usefixtures("with_hyphen")
def test_every_tool_of_a_dialect_is_a_command_and_in_the_schema(capsys, monkeypatch):
    monkeypatch.setitem(HANDLERS, CountRequest, count)
    assert cli.main(["count", "e", "--path", "notes.txt", "--dialect", "two-tools"]) == 0
    assert capsys.readouterr().out == "e: 3\n"
    for wanted, name in (([], "show"), (["--tool", "count"], "count")):
        assert cli.main(["schema", "--dialect", "two-tools", *wanted]) == 0
        assert json.loads(capsys.readouterr().out)["name"] == name
    assert cli.main(["./count", "--dialect", "two-tools"]) == 1
    assert capsys.readouterr().out == "NotFound\n"
