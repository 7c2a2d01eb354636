"""The tool `search` through the doors: the command line, a real MCP client, an adapter."""

import json
import re
import subprocess
import sys

import anyio
import pytest

pytest.importorskip("mcp")

from mcp_serving import in_process, make_test_server, on_stdio

import readwell
from readwell.adapters import openai
from readwell.toolspec import tool_specs


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("import os\nretry = 3\n")
    (tmp_path / ".env").write_text("retry=secret\n")
    return tmp_path


def run(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "readwell", "search", *words], cwd=folder, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_the_exit_status_is_that_of_grep(folder):
    status, out, err = run(folder, "retry", "src")
    assert (status, err) == (0, "") and "2\tretry = 3" in out
    assert run(folder, "absent")[0] == 1
    status, out, err = run(folder, "a(")
    assert (status, out) == (2, "") and "INVALID_PARAM" in err
    assert run(folder)[0] == 2 and run(folder, "x", "--around", "many")[0] == 2
    status, out, err = run(folder, "retry", "src", "scr")
    assert (status, err) == (2, "") and "2\tretry = 3" in out and "[note: File 'scr' does not exist." in out


def test_the_options_of_the_command_are_the_parameters_of_the_tool(folder):
    assert run(folder, "RETRY", "--ignore-case", "--files", "--everything", "--deny", "*.nothing")[1] == (
        '[search "RETRY" in ./ | matches 1-2 of 2 in 2 files]\n1\t.env\n1\tsrc/app.py\n[end]\n'
    )
    status, out, _ = run(folder, "--literal", "retry = ", "src/app.py", "--json")
    assert status == 0 and json.loads(out)["matches"] == [
        {"path": "src/app.py", "line": 2, "column": 1, "text": "retry = 3"}
    ]
    assert "exit status" in run(folder, "--help")[1]


def test_search_and_read_work_together_in_one_session(folder):
    async def work(client):
        told = await client.list_tools()
        found = await client.call_tool("search", {"pattern": "retry", "around": 0})
        line = found.content[0].text.split("\n")[2].split("\t")[0]
        read = await client.call_tool("read", {"path": "src/app.py", "offset": int(line), "limit": 1})
        return [tool.name for tool in told.tools], found, read

    async def session():
        async with on_stdio("--root", str(folder)) as client:
            return await work(client)

    names, found, read = anyio.run(session)
    assert names == ["read", "search"]
    assert "[src/app.py | 1 match" in found.content[0].text and "secret" not in found.content[0].text
    assert "1 denied" in found.content[0].text
    assert found.meta["readwell/data"]["matches"] == [{"path": "src/app.py", "line": 2, "column": 1}]
    assert "2\tretry = 3" in read.content[0].text


def test_a_client_searches_outlines_and_reads_a_block_in_one_session(folder):
    pytest.importorskip("ast_grep_py", reason="the extra `code` is not installed")
    source = "import os\n\n\nclass Pump:\n    def start(self):\n        retry = 3\n        return retry\n\n    def stop(self): pass\n"
    (folder / "src/pump.py").write_text(source)

    async def work(client):
        found = (await client.call_tool("search", {"pattern": "return retry"})).content[0].text
        path, line = re.search(r"^\[(\S+) \| 1 match.*\n(\d+)\t", found, re.M).groups()
        outline = await client.call_tool("read", {"path": path, "view": "outline"})
        block = await client.call_tool("read", {"path": path, "view": "block", "offset": int(line)})
        return found, outline.content[0].text, block.content[0].text

    found, outline, block = in_process(make_test_server("--root", folder), work)
    assert found.splitlines()[2] == "7\t        return retry"
    assert outline.splitlines()[1:] == [
        "4-9\tclass Pump",
        "5-7\t  def start(self)",
        "9-9\t  def stop(self)",
        "[end]",
    ]
    assert block.splitlines()[0].startswith("[src/pump.py | lines 5-7 of 9 (def start in class Pump) | ")
    assert block.splitlines()[1:] == [
        "5\t    def start(self):",
        "6\t        retry = 3",
        "7\t        return retry",
        "[more: offset=8]",
    ]


@pytest.mark.parametrize(
    "words, names",
    [
        (["--dialect", "envelope"], ["Read"]),
        (["--dialect", "envelope", "--search", "yes"], ["Read", "search"]),
        (["--search", "no"], ["read"]),
    ],
)
def test_a_server_offers_it_as_it_is_told(folder, words, names):
    async def listed(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert in_process(make_test_server("--root", folder, *words), listed) == names


def test_an_adapter_offers_both_tools(folder):
    with readwell.Reader(folder, cache_dir=None) as reader:
        assert [tool["function"]["name"] for tool in openai.tools(reader)] == ["read", "search"]
        search = tool_specs(reader)[1]
        assert "2\tretry = 3" in search.call({"pattern": "retry ="}).text


def test_the_account_of_calls_does_not_hold_what_was_searched_for(folder):
    records = []
    with readwell.Reader(folder, cache_dir=None, audit=records.append) as reader:
        reader.search("retry =")
    (record,) = records
    assert (record.path, record.verdict, record.bytes) == (".", "searched", len("retry = 3"))
    assert not any("retry" in str(field) for field in record)
