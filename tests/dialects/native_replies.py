"""Asking `readwell.Reader`, and what its replies say."""

import re

import readwell

RETRYABLE = {"INVALID_PARAM", "OUT_OF_RANGE", "NOT_FOUND"}
ABC = b"alpha\nbeta\ngamma\n"


def put(folder, name, data):
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data.encode() if isinstance(data, str) else data)
    return target


def numbered(count, word="line"):
    return "".join(f"{word} {n}\n" for n in range(1, count + 1))


def ask(folder, path="a.txt", settings=None, **params):
    with readwell.Reader(**{"root": str(folder), **(settings or {})}) as reader:
        return reader.reply({"path": path, **params})


def shown(reply):
    """The reply text with its revision and the wording of its notices blanked out."""
    text = re.sub(r"\A(\[[^\n]*\| rev )[0-9a-f]{12}(?=\])", r"\1REV", reply.text)
    return re.sub(r"(?m)^\[note: [^\n]+\]$", "[note]", text)


def without_notes(reply):
    return shown(reply).replace("\n[note]", "")


def code_of(reply):
    assert reply.is_error is True, reply.text
    assert set(reply.data) == {"error"}
    assert set(reply.data["error"]) == {"code", "message", "hint", "retryable"}
    code = reply.data["error"]["code"]
    assert reply.data["error"]["retryable"] is (code in RETRYABLE)
    assert reply.text.startswith(f"[error {code}] ")
    assert "\n" not in reply.text
    return code
