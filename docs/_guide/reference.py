"""The public names of Python, whose docstrings become the page `docs/api`."""

import re
from typing import Any

NAMES = {
    "Reader": ["readwell.Reader"],
    "Results": ["readwell.Reply", "readwell.ReadResult", "readwell.model.Window", "readwell.model.Position"],
    "Classes of the other dialects": [
        "readwell.qq.FileManager",
        "readwell.envelope.ReadTool",
        "readwell.opencode.ReadTool",
    ],
    "Tools for agents": [
        "readwell.toolspec.ToolSpec",
        "readwell.toolspec.tool_specs",
        "readwell.toolspec.is_retryable",
    ],
    "Tokens": ["readwell.tokens.estimate_tokens", "readwell.tokens.o200k_counter"],
    "Writing a converter": ["readwell.documents.contract.Converter", "readwell.documents.contract.Document"],
    "Writing a dialect": [
        "readwell.dialects.dialect.Dialect",
        "readwell.dialects.dialect.DialectTool",
        "readwell.dialects.dialect.Setting",
        "readwell.model.ReadRequest",
        "readwell.model.Limits",
        "readwell.model.Rules",
        "readwell.model.Call",
        "readwell.tool.Tool",
    ],
}


def reference() -> str:
    """Returns the sections of the page, each with the directives that read the docstrings."""
    return "".join(f"\n## {heading}\n\n" + "".join(map(directive, names)) for heading, names in NAMES.items())


def directive(name: str) -> str:
    """Returns the directive for a class or a function."""
    kind = "class" if name.rpartition(".")[2][0].isupper() else "function"
    options = "   :members:\n   :undoc-members:\n" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {name}\n{options}```\n\n"


def plain_docstring(_app: Any, _kind: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Takes out what Python itself says of the fields of a named tuple."""
    lines[:] = [line for line in lines if not line.startswith("Alias for field number")]


def plain_signature(
    _app: Any, _kind: str, _name: str, thing: Any, _options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Leaves out the signature of a named tuple, whose fields follow; names functions as one writes them."""
    if isinstance(thing, type) and issubclass(thing, tuple):
        return "", None
    return re.sub(r"<(?:function|class) '?([\w.]+)'?>", r"\1", signature or "") or signature, returns
