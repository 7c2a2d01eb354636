"""What a client gets over MCP is what the Python faces answer, to the byte, on every transport and in both eras."""

import json
import re

import anyio
import pytest
from mcp_serving import ERAS, data_for_programs, http_server, on_stdio, over_http

import readwell
from every_dialect import PARAMS, require_every_dialect
from readwell.dialects import NAMES, dialect_named
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager

TOGETHER = [name for name in NAMES if name != "opencode"]
"""What one server can offer: `native` and `opencode` both have a tool `read`."""
TOOLS = {name: dialect_named(name).tools[0].name for name in NAMES}
FILES = {
    "app.py": b"import os\nimport json\n\n\ndef main():\n    return os.getcwd()\n",
    "empty.txt": b"",
    "crlf.txt": b"one\r\ntwo\r\nthree",
    "mixed.txt": b"one\r\ntwo\nthree\rfour",
    "utf16.txt": "\ufeffgrün\nзелёный\n".encode("utf-16-le"),
    "latin.txt": "Äpfel und Öl\n".encode("latin-1"),
    "emoji.md": "# 🚀 tools\n\nمرحبا \u202eabc\u202c\n日本語\n".encode(),
    "long.txt": b"x" * 5000 + b"\nshort\n",
    "many.txt": b"".join(b"line %d\n" % number for number in range(1, 2701)),
    "wide.txt": b"".join(b"%d " % number + b"w" * 90 + b"\n" for number in range(1, 1300)),
    "escape.txt": b"\x1b[31mred\x1b[0m\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0" * 40,
    "report.pdf": b"%PDF-1.4\n1 0 obj\nstartxref\n0\n%%EOF\n",
    "[odd] name.txt": b"odd\n",
}
WINDOWS = [{}, {"start": 2}, {"start": 2, "count": 2}, {"start": 999_999}, {"start": 0}, {"count": 0}, {"start": "2"}]
MORE = require_every_dialect(
    {
        "native": [
            {"path": "many.txt", "offset": -3},
            {"path": "long.txt", "column": 2001},
            {"path": "many.txt", "max_tokens": 300},
            {"path": "app.py", "unheard_of": 1},
            {"file_path": "app.py", "n_lines": 1},
            {"path": "latin.txt", "encoding": "cp1252"},
            {"path": "app.py", "encoding": "rot13"},
            {"path": "many.txt", "total": "lazy"},
            {"paths": ["many.txt", "app.py", "nowhere", "*.md"], "max_tokens": 900},
            {"paths": ["app.py"], "offset": 2},
            {},
            {"path": 7},
        ],
        "qq": [{}, {"path": "app.py", "num_lines": True}],
        "envelope": [{}, {"path": "app.py", "limit": 2.5}, {"path": "app.py", "note": {"a": [1, None]}}],
        "opencode": [{}, {"filePath": "app.py", "offset": "x"}],
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("golden").resolve()
    for name, content in FILES.items():
        (root / name).write_bytes(content)
    (root / "docs").mkdir()
    (root / "docs" / "plan.md").write_text("plan\n")
    (root / "out").symlink_to("/etc/passwd")
    return root


def cases(dialect):
    path, start, count = PARAMS[dialect]
    asked = [*FILES, ".", "docs", "out", "../x", "ap.py", "docs/plan.md", "a\0b"]
    for name in asked:
        for window in WINDOWS if name in ("app.py", "many.txt", "empty.txt") else WINDOWS[:1]:
            renamed = {"start": start, "count": count}
            yield {path: name, **{renamed[word]: value for word, value in window.items()}}
    yield from MORE[dialect]


def face(dialect, folder):
    """Returns params -> (text, data, failed) by the public face of a dialect."""
    if dialect == "native":
        return readwell.Reader(folder, images=True).reply
    if dialect == "opencode":
        return OpencodeTool(root=folder)._tool.reply
    return {"envelope": EnvelopeTool, "qq": FileManager}[dialect](folder)._tool.reply


def timeless(value):
    """The same without how long it took."""
    words = json.dumps(value, ensure_ascii=False)
    return re.sub(r'(\(Took |time_ms\\?": )\d+', r"\1N", words)


def received(result):
    [block] = result.content
    return timeless([block.text, (result.meta or {}).get("readwell/data", {}), bool(result.is_error)])


def expected(reply, dialect):
    return timeless([reply.text, data_for_programs(dialect, reply.data), reply.is_error])


async def check(client, dialects, folder):
    for dialect in dialects:
        answer = face(dialect, folder)
        asked = list(cases(dialect))
        got = [received(await client.call_tool(TOOLS[dialect], params)) for params in asked]
        assert got == [expected(answer(params), dialect) for params in asked]


def served(dialects, folder):
    return ["--root", folder, *(word for name in dialects for word in ("--dialect", name))]


OLD, NEW = ERAS


def in_full(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


def told_apart(value):
    return "+".join(value) if isinstance(value, list) else value


@pytest.mark.parametrize(
    "dialects, era",
    [in_full(TOGETHER, OLD), in_full(TOGETHER, NEW), in_full(["opencode"], OLD), (["opencode"], NEW)],
    ids=told_apart,
)
def test_stdio_gives_what_the_faces_answer(folder, dialects, era):
    async def talk():
        async with on_stdio(*served(dialects, folder), era=era) as client:
            await check(client, dialects, folder)

    anyio.run(talk)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialects, era",
    [in_full(TOGETHER, OLD), (TOGETHER, NEW), in_full(["opencode"], OLD), in_full(["opencode"], NEW)],
    ids=told_apart,
)
def test_http_gives_what_the_faces_answer(folder, dialects, era):
    async def talk(url):
        async with over_http(url, era) as client:
            await check(client, dialects, folder)

    with http_server(*served(dialects, folder)) as (_, url):
        anyio.run(talk, url)


@pytest.mark.parametrize("dialect", NAMES)
def test_the_faces_raise_and_return_what_these_replies_hold(folder, dialect):
    """The replies compared above are those of the tool behind each face; here the faces themselves speak."""
    assert dialect in ("native", "qq", "envelope", "opencode"), "say below what its face returns"
    path = str(folder / "app.py")
    if dialect == "native":
        assert readwell.Reader(folder).reply({"path": path}).text.startswith("[app.py | lines 1-6 of 6")
    if dialect == "qq":
        assert FileManager(folder).read_file(path) == face("qq", folder)({"path": path}).text
    if dialect == "envelope":
        assert timeless(EnvelopeTool(folder).run({"path": "app.py"})) == timeless(
            face("envelope", folder)({"path": "app.py"}).data
        )
    if dialect == "opencode":
        tool = OpencodeTool(root=folder)
        assert tool.execute_sync({"filePath": path}) == face("opencode", folder)({"filePath": path}).data
        with pytest.raises(FileNotFoundError) as raised:
            tool.execute_sync({"filePath": "nowhere"})
        assert str(raised.value) == face("opencode", folder)({"filePath": "nowhere"}).text
