"""A dialect of one's own: the words of a call, the ceilings of a window, the words of a reply."""

import tempfile
from pathlib import Path

from readwell.adapters.openai import tools
from readwell.dialects.dialect import Dialect, DialectTool
from readwell.errors import InvalidRequest, NotFound, ReadError
from readwell.model import Call, Limits, ReadRequest, ReadResult, Reply, Rules
from readwell.tool import Tool


def parse(params: object) -> ReadRequest:
    """Takes `file` and `from`."""
    if not isinstance(params, dict) or not isinstance(params.get("file"), str):
        raise InvalidRequest("file", params, "a path")
    start = params.get("from", 1)
    if not isinstance(start, int):
        raise InvalidRequest("from", start, "a line number")
    return ReadRequest(params["file"], Limits(lines=3, bytes=10_000), start)


def render(result: ReadResult, call: Call) -> Reply:
    more = f"\n-- next: from={result.next.line}" if result.next else "\n-- that is all"
    shown = "\n".join(f"{number}: {line}" for number, line in enumerate(result.lines, result.window.start))
    return Reply(shown + more, {"lines": result.lines})


def render_error(error: ReadError, call: Call) -> Reply:
    near = f"; perhaps {error.lookalikes[0]}" if isinstance(error, NotFound) and error.lookalikes else ""
    text = f"!! {type(error).__name__}{near}"
    return Reply(text, {"error": text}, is_error=True)


SHOW = DialectTool(
    name="show",
    template="Shows three lines of a file, from the line you give.",
    properties={"file": {"type": "string"}, "from": {"type": "integer"}},
    required=("file",),
    rules=Rules(),
    parse=parse,
    render=render,
    render_error=render_error,
)
TERSE = Dialect("terse", "Three lines at a time.", (SHOW,))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "notes.txt").write_text("one\ntwo\nthree\nfour\n")
        tool = Tool(TERSE, [folder])
        print(tools(tool)[0]["function"]["description"])
        for params in ({"file": "notes.txt"}, {"file": "notes.txt", "from": 4}, {"file": "note.txt"}, {"file": "/etc"}):
            print(tool.reply(params).text)
        tool.close()
