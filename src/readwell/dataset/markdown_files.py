"""Documents as Markdown files of their own below a folder, with the same manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import monotonic

from ..corpus import Converted
from .folder import OutFolder
from .manifest import SourceState
from .rows import encodable
from .shards import entry_of

MAX_SECONDS = 1.0
"""How long a file may be there before the manifest tells of it."""


class MarkdownWriter:
    """Writes each document as it comes; `targets` are the files by source."""

    def __init__(self, folder: OutFolder, targets: Mapping[str, str]) -> None:
        self._folder, self._targets = folder, targets
        self._entries: list[tuple[str, SourceState]] = []
        self._oldest = 0.0

    def add(self, number: int, converted: Converted) -> None:  # noqa: ARG002 - files have no order
        """Writes a document; of one that failed an older file is removed."""
        source, target = encodable(converted.source), self._targets[converted.source]
        if not self._entries:
            self._oldest = monotonic()
        if converted.unchanged:
            self._entries.append((source, self._folder.entries[source]._replace(stamp=converted.stamp)))
        else:
            if converted.error:
                self._folder.remove(target)
            else:
                end = "" if converted.text.endswith("\n") else "\n"
                self._folder.write(target, (converted.text + end).encode())
            self._entries.append((source, entry_of(converted, target)))
        self.tick()

    def tick(self) -> None:
        """Tells the manifest if it is time."""
        if self._entries and monotonic() - self._oldest >= MAX_SECONDS:
            self.close()

    def close(self) -> None:
        """Tells the manifest of all files."""
        self._folder.record(self._entries)
        self._entries = []


def forget_missing_files(folder: OutFolder) -> None:
    """Forgets the documents whose files are gone."""
    for source, entry in list(folder.entries.items()):
        if not entry.code and not os.path.exists(os.path.join(folder.path, entry.shard)):
            del folder.entries[source]
