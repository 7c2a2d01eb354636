"""Looks at the process that parses, from the process of a worker."""

import os
from glob import glob

from small_documents import pdf, printed

from readwell.corpus import Options, convert


def cage_of_child():
    """Converts, and returns the state of the process that parses, seen while it does: no new privileges, seccomp."""
    from readwell.corpus.process_tools import tool_for

    tool = tool_for(Options(), None).tool
    seen = []

    def look(done, total, what):
        seen.extend(_statuses(os.getpid()))

    tool._on_progress = look
    for number in range(20):
        found = convert(pdf(printed(40, 30 + number)), name="book.pdf")
        assert found.error is None, found.error
        if any(status.get("Seccomp") == "2" for status in seen):
            break
    return [status for status in seen if status.get("Seccomp") == "2"]


def _statuses(parent):
    for process in _descendants(parent):
        try:
            with open(f"/proc/{process}/status") as file:
                yield {name: value.strip() for name, _, value in (line.partition(":") for line in file)}
        except OSError:
            continue


def _descendants(parent):
    """Yields the processes that any thread of a process has started, and theirs."""
    for listed in glob(f"/proc/{parent}/task/*/children"):
        try:
            with open(listed) as file:
                children = file.read().split()
        except OSError:
            continue
        for child in children:
            yield child
            yield from _descendants(child)
