"""The reading tools of a process that converts a corpus, made once for each set of options, and their contents."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from time import monotonic

from ..audit import Audit, AuditFile
from ..deadline import Deadline, new_deadline
from ..dialects.native import Settings, dialect
from ..errors import TooLarge
from ..named_tuple import NamedTuple
from ..path_names import is_remote_root
from ..source import Opener, Source, opener_without_unpacking
from ..source.held_contents import HeldContents
from ..source.routes import Route
from ..tool import Tool
from .conversion_options import Options

MAX_BYTES = 256 << 20
"""A text or an object that is longer is a row with an error."""
PIECE = 4 << 20
WILDCARDS = r"[*?[]"
"""What makes a path a pattern."""
MAX_TOOLS = 16
"""Tools that a process keeps: one, and one for each password and each bucket or server."""


class DocumentTool(NamedTuple):
    """A tool that returns documents whole, the contents that it can be given, and what records conversions."""

    tool: Tool
    held: HeldContents
    audit: Audit | None


@lru_cache(MAX_TOOLS)
def tool_for(options: Options, password: str | None) -> DocumentTool:
    """Returns the tool of this process for these options; raises ValueError for invalid ones."""
    unlimited = Settings(
        limit=sys.maxsize,
        max_tokens=sys.maxsize,
        max_bytes=sys.maxsize,
        line_length=sys.maxsize,
        total="exact",
        documents=options.documents,
        count_tokens=_count_no_tokens,
    )
    held = HeldContents()
    tool = Tool(
        dialect(unlimited),
        options.roots,
        deadline_s=options.deadline_s,
        password=password,
        pdf_lines=options.pdf_lines,
        ocr=options.ocr,
        ocr_languages=options.ocr_languages,
        cache_dir=options.cache_dir,
        denials=options.denials,
        routes=[Route(held.matches, held)],
    )
    return DocumentTool(tool, held, _audit_file(options.audit, options.caller) if options.audit else None)


@lru_cache(MAX_TOOLS)
def _audit_file(path: str, caller: str | None) -> AuditFile:
    return AuditFile(path, caller=caller)


def opener_for(path: str, options: Options) -> Opener:
    """Returns what opens a path as it is, packed or not; an address outside of all roots only where there are none."""
    if not options.roots and is_remote_root(path):
        scheme, _, rest = path.partition("://")
        options = replace(options, roots=(f"{scheme}://{rest.partition('/')[0]}",), audit=None)
    return opener_without_unpacking(tool_for(options, None).tool.opener)


def is_folder_on_disk(tool: Tool, folder: str, seconds: float) -> bool:
    """Says whether a folder is one on the disk, and not an archive or in one."""
    opener = opener_without_unpacking(tool.opener)
    target = opener.target_of(opener.locate(folder), deadline_after(seconds))
    return target is not None and target.kind == "directory"


def deadline_after(seconds: float) -> Deadline:
    """Returns a deadline that ends after so many seconds."""
    return new_deadline(clock=monotonic, expires=monotonic() + seconds, seconds=seconds, computed={})


def pieces_of(source: Source, deadline: Deadline) -> Iterator[bytes]:
    """Yields the content of a source; raises TooLarge beyond 256 MiB."""
    if source.size > MAX_BYTES:
        raise TooLarge(MAX_BYTES)
    for at in range(0, source.size, PIECE):
        deadline.check()
        yield source.read_at(at, PIECE)


def _count_no_tokens(_: str) -> int:
    """Counts no tokens: whole documents have no budget."""
    return 0
