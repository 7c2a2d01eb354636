"""Documents as Markdown files of their own below a folder, with the same manifest."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..corpus import Converted
from .document_rows import escape_source_path, unescape_source_path
from .output_folder import OutputFolder
from .shards import manifest_entry


class MarkdownWriter:
    """Writes each document as it comes, and tells the manifest at once; `targets` are the files by source."""

    def __init__(self, folder: OutputFolder, targets: Mapping[str, str]) -> None:
        self._folder, self._targets = folder, targets

    def add(self, number: int, converted: Converted) -> None:  # noqa: ARG002 - files have no order
        """Writes a document; of one that failed an older file is removed."""
        source, target = escape_source_path(converted.source), self._targets[converted.source]
        if converted.unchanged:
            state = self._folder.entries[source]._replace(stamp=converted.stamp)
        else:
            if converted.error:
                self._folder.remove(target)
            else:
                end = "" if converted.text.endswith("\n") else "\n"
                self._folder.write(target, (converted.text + end).encode())
            state = manifest_entry(converted, escape_source_path(target))
        # The file lasts already: a line that is lost with the machine costs one conversion.
        self._folder.record([(source, state)], is_flushed=False)

    def flush_if_overdue(self) -> None:
        """Does nothing: no document waits."""

    def close(self) -> None:
        """Does nothing, either."""


def forget_missing_files(folder: OutputFolder) -> None:
    """Forgets the documents whose files are gone."""
    for source, entry in list(folder.entries.items()):
        if not entry.code and not os.path.exists(os.path.join(folder.path, unescape_source_path(entry.shard))):
            del folder.entries[source]
