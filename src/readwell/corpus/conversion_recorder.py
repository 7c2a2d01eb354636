"""The record of a conversion: one for each document, by the name that it has in its row."""

from __future__ import annotations

from time import monotonic

from ..audit import Audit, Record, Recorder
from ..errors import ReadError
from ..model import ReadResult, Reply
from ..tool import Tool


class ConversionRecorder:
    """Gives `audit` the record of one conversion, however often the document is read for it.

    `opened` is the real path or the address of what was opened; None: nothing yet, or a content that the caller has.
    """

    def __init__(self, audit: Audit, tool: Tool, shown: str) -> None:
        self._audit = audit
        self._recorder = Recorder(self._audit_with_opened, tool.dialect.name, monotonic)
        self._call = (tool.dialect_tool.name, None, monotonic(), shown)
        self.opened: str | None = None

    def record_answer(self, result: ReadResult) -> None:
        """Records that the document was converted."""
        self._recorder.record_answer(self._call, Reply("", {}), result)

    def record_failure(self, error: ReadError) -> None:
        """Records why it was not."""
        self._recorder.record_failure(self._call, error)

    def _audit_with_opened(self, record: Record) -> None:
        self._audit(record._replace(opened=None if record.verdict == "denied" else self.opened))
