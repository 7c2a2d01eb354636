"""What the `envelope` dialect must answer, as whole replies."""

import copy
import json
import os
import re

from readwell.envelope import ReadTool

# fmt: off

DENIED = "Access denied. Path must be within project root."
ABSENT, ANY = object(), object()


def run(tool, params):
    """The reply, after the checks that hold for every reply."""
    reply = tool.run(params)
    json.dumps(reply, ensure_ascii=False, allow_nan=False).encode("utf-8")
    assert type(reply["stats"]["time_ms"]) is int and reply["stats"]["time_ms"] >= 0
    return reply


def good(root, params, rel, lines, first=1, total=None, *, tool=None, clipped=None, replaced=False, **context):
    """Runs and compares the whole reply. `lines`: the file text shown; `clipped`: how many characters of lines[0]."""
    before = copy.deepcopy(params)
    reply = run(tool or ReadTool(str(root)), params)
    assert params == before
    ms, about = reply["stats"]["time_ms"], os.stat(root / rel)
    shown = context.pop("path_resolved", rel)
    last = first + len(lines) - 1
    total = last if total is None else total
    marks = [f" … [line clipped: first {clipped} characters shown]" if clipped else ""] + [""] * len(lines)
    text = [f"Read {len(lines)} lines from '{shown}' (Lines {first}-{last}).", f"(Took {ms}ms)"]
    if last < total:
        text.append(f"[Truncated: Showing first {len(lines)} of {total} lines. Use start_line={last + 1} to continue.]")
    if clipped:
        text.append(f"[Warning: line {first} clipped: first {clipped} characters shown; this is a partial rendering.]")
    data = {
        "content": "".join("%4d | %s\n" % (n, x + m) for n, (x, m) in enumerate(zip(lines, marks), first)),
        "truncated": last < total,
    }
    if replaced:
        text.append("[Warning: Encoding fallback: some bytes are not valid UTF-8 and were replaced; this is a partial rendering.]")
        data["fallback_encoding"] = "replace"
    assert reply == {
        "status": "partial" if last < total or clipped or replaced else "success",
        "data": data,
        "text": "\n".join(text) if lines else f"Read 0 lines from '{shown}' (file is empty).",
        "stats": {
            "time_ms": ms, "lines_read": len(lines), "chars_read": sum(len(x) + 1 for x in lines), "total_lines": total,
            "file_size_bytes": about.st_size, "file_mtime_ms": about.st_mtime_ns // 1_000_000,
            "encoding": "utf-8 (replace)" if replaced else "utf-8",
        },
        "context": {"cwd": ".", "params_input": before, "path_resolved": shown} | context,
    }
    assert type(reply["data"]["truncated"]) is bool
    assert {type(value) for key, value in reply["stats"].items() if key != "encoding"} == {int}
    return reply


def bad(tool, params, code, message, resolved, **context):
    """Runs and compares the whole reply; gives the guidance sentence."""
    before = copy.deepcopy(params)
    reply = run(tool, params)
    if isinstance(message, re.Pattern):
        assert message.fullmatch(reply["error"]["message"])
        message = reply["error"]["message"]
    expected = {"cwd": ".", "params_input": before} | context
    if resolved is ANY:
        resolved = reply["context"].get("path_resolved", ABSENT)
    if resolved is not ABSENT:
        expected["path_resolved"] = resolved
    assert reply == {
        "status": "error", "data": {}, "text": reply["text"], "error": {"code": code, "message": message},
        "stats": {"time_ms": reply["stats"]["time_ms"]}, "context": expected,
    }
    assert reply["text"].startswith(message + " ")
    guidance = reply["text"][len(message) + 1 :]
    assert re.search(r"\b(Try|Check|Use)\b", guidance) and "\n" not in guidance
    return guidance
