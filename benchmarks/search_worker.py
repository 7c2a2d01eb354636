"""Serves searches by the tool of an agent framework over stdin and stdout, one JSON object per line.

One process per framework, in an environment of its own: `python search_worker.py NAME FOLDER`. A reply has the
processor time, that of child processes included, and whether the tool found anything; -1 where it cannot search so.
"""

import json
import re
import resource
import sys
from collections.abc import Callable
from typing import Any

Search = Callable[[dict[str, Any]], str | None]


def langchain(folder: str, use_ripgrep: bool) -> Search:
    from langchain.agents.middleware.file_search import (  # pyright: ignore[reportMissingImports]
        FilesystemFileSearchMiddleware,
    )

    tool = FilesystemFileSearchMiddleware(root_path=folder, use_ripgrep=use_ripgrep).grep_search

    def search(ask: dict[str, Any]) -> str:
        pattern = re.escape(ask["pattern"]) if ask["literal"] else ask["pattern"]
        pattern = f"(?i){pattern}" if ask["ignore_case"] else pattern
        return tool.invoke({"pattern": pattern, "path": f"/{ask['path']}", "output_mode": "content"})

    return search


def agno(folder: str) -> Search:
    from pathlib import Path

    from agno.tools.file import FileTools  # pyright: ignore[reportMissingImports]

    tools = FileTools(base_dir=Path(folder))

    def search(ask: dict[str, Any]) -> str | None:
        if not ask["literal"] and not ask["ignore_case"]:
            return None  # it has no regular expressions
        reply = tools.search_content(ask["pattern"], directory=ask["path"], limit=100)
        return "No matches found" if json.loads(reply).get("matches_found") == 0 else reply

    return search


MAKERS: dict[str, Callable[[str], Search]] = {
    "langchain": lambda folder: langchain(folder, use_ripgrep=False),
    "langchain-rg": lambda folder: langchain(folder, use_ripgrep=True),
    "agno": agno,
}


def used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def answer(**fields: object) -> None:
    print(json.dumps({**fields, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}), flush=True)


def main(name: str, folder: str) -> None:
    search = MAKERS[name](folder)
    answer()
    for line in sys.stdin:
        began = used()
        reply = search(json.loads(line))
        found = -1 if reply is None else int("No matches found" not in reply)
        answer(cpu=used() - began, found=found)


if __name__ == "__main__":
    main(*sys.argv[1:3])
