"""`convert`: one document in, one value out, whatever happens."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from time import monotonic
from typing import cast

from .. import __version__
from ..deadline import Deadline
from ..dialects.params import check_path
from ..errors import ChangedWhileReading, InvalidRequest, IsDirectory, NotFound, ReadError, TooLarge
from ..model import Call, ReadResult
from ..named_tuple import NamedTuple
from ..path_names import has_escape, without_user_info
from ..source import Opener, Source, content_hash
from ..source.version_stamp import stamp_of
from ..tool import Tool
from .conversion_options import Options
from .conversion_recorder import ConversionRecorder
from .converted import Converted, Failure, document_id
from .process_tools import MAX_BYTES, WILDCARDS, deadline_after, opener_for, pieces_of, tool_for

Content = bytes | bytearray | memoryview
DEFAULTS = Options()
PACKED_FOLDER = "is an archive, or a folder in one. Name its files, such as '{}/NAME', or unpack it."


class KnownVersion(NamedTuple):
    """What is known of a document that was converted before."""

    sha256: str
    stamp: str = ""


class StoredVersion(NamedTuple):
    """A file as it is stored: what identifies it."""

    sha256: str = ""
    stamp: str = ""
    size: int = 0


def convert(
    source: str | os.PathLike[str] | Content, *, name: str | None = None, options: Options = DEFAULTS
) -> Converted:
    """Returns a document as text; a failure is told in `error`, never raised.

    Args:
        source: A path, an address such as `s3://bucket/report.pdf`, or the content itself.
        name: The name of a content; its extension may decide how it is read. Of a path: the source in the result.
            A user and a password in an address are left out of the result; such an address is not read.
        options: How to convert. ValueError is raised for invalid ones.
    """
    return convert_unless_known(source, name, options, None)


def convert_unless_known(
    source: str | os.PathLike[str] | Content, name: str | None, options: Options, known: KnownVersion | None
) -> Converted:
    """Like `convert`; a content that is known is not converted, and the result says `unchanged`."""
    path = name or "content" if isinstance(source, Content) else os.fspath(source)
    work = _Conversion(path, name or path, options, known)
    return work.convert_content([bytes(source)]) if isinstance(source, Content) else work.convert_path()


class _Conversion:
    """The conversion of one document, and what is known of it so far, for the result or for the failure."""

    def __init__(self, path: str, shown: str, options: Options, known: KnownVersion | None) -> None:
        self._path, self._shown, self._options, self._known = path, without_user_info(shown), options, known
        self._tools = tool_for(options, options.password_of(path) or options.password_of(shown))
        audit, tool = self._tools.audit, self._tools.tool
        self._recorder = ConversionRecorder(audit, tool, self._shown) if audit else None
        self._read_result: ReadResult | None = None
        self._stored = StoredVersion()
        self._is_packed = False
        """Whether it is a member of an archive."""
        self._began = monotonic()

    def convert_content(self, pieces: Iterable[bytes]) -> Converted:
        """Converts a content that is held in memory."""
        return self._convert_and_record(lambda: self._convert_held(pieces))

    def convert_path(self) -> Converted:
        """Converts a file or an object; one that changes meanwhile is tried a second time."""

        def convert_with_retry() -> Converted:
            try:
                return self._convert_opened()
            except ChangedWhileReading:
                return self._convert_opened()

        return self._convert_and_record(convert_with_retry)

    def _convert_and_record(self, convert: Callable[[], Converted]) -> Converted:
        """Returns the result or the failure, and records it."""
        try:
            result = convert()
        except ReadError as error:
            if self._recorder:
                self._recorder.record_failure(error)
            return self._converted_from_error(error)
        if self._recorder and self._read_result:
            self._recorder.record_answer(self._read_result)
        return result

    def _convert_opened(self) -> Converted:
        deadline = deadline_after(self._options.deadline_s)
        opener, source = self._open(deadline)
        with source:
            if self._recorder:
                self._recorder.opened = source.real_path()
            if source.is_directory:
                raise IsDirectory
            stamp = stamp_of(source)
            if self._known and stamp and stamp == self._known.stamp:
                self._stored = StoredVersion(self._known.sha256, stamp, source.size)
                return self._converted_from_result(unchanged=True)
            self._stored = StoredVersion(stamp=stamp, size=source.size)
            if source.address:
                return self._convert_held(pieces_of(source, deadline))
            if has_escape(self._path):
                # By its path it may be refused: a listing shows another file by this name.
                result = self._convert_held(pieces_of(source, deadline))
            else:
                self._stored = self._stored._replace(sha256=content_hash(source, deadline.check).hex())
                result = self._convert_unless_known(self._path)
            if source.change_since_opened() == "changed" or not _is_still_at(opener, self._path, source, deadline):
                raise ChangedWhileReading
            return result

    def _open(self, deadline: Deadline) -> tuple[Opener, Source]:
        """Opens a file as it is, or a member of an archive; returns what has opened it, too."""
        opener = self._opener()
        located = opener.locate(check_path(self._path))
        try:
            return opener, opener.open(located, deadline)
        except NotFound as error:
            if not error.through_file:
                raise
        opener = self._tools.tool.opener
        self._is_packed = True
        return opener, opener.open(located, deadline)

    def _opener(self) -> Opener:
        try:
            return opener_for(self._path, self._options)
        except ValueError as error:
            raise InvalidRequest("path", self._shown, f"an address that can be read ({error})") from None

    def _convert_held(self, pieces: Iterable[bytes]) -> Converted:
        digest = sha256()
        size = 0

        def hashed() -> Iterator[bytes]:
            nonlocal size
            for piece in pieces:
                digest.update(piece)
                size += len(piece)
                yield piece

        with self._tools.held.holding(hashed(), self._path) as path:
            self._stored = StoredVersion(digest.hexdigest(), self._stored.stamp, size)
            return self._convert_unless_known(path)

    def _convert_unless_known(self, path: str) -> Converted:
        """Converts what a path opens, unless its content is known."""
        if self._known and self._known.sha256 == self._stored.sha256:
            return self._converted_from_result(unchanged=True)
        tool = self._tools.tool
        try:
            result = tool.read({"path": path, "view": "markdown"})
        except InvalidRequest as error:
            if error.param != "view":
                raise
            if self._stored.size > MAX_BYTES:
                raise TooLarge(MAX_BYTES) from None
            result = tool.read({"path": path})
        self._read_result = result
        return self._converted_from_result(result)

    def _converted_from_result(self, result: ReadResult | None = None, unchanged: bool = False) -> Converted:
        part = result.part if result else None
        first_lines = _anchor_line_numbers(result.lines, part.unit, part.units) if result and part and part.unit else ()
        return self._converted(
            format=part.format if part else "text" if result else "",
            unit=part.unit if part else "",
            first_lines=first_lines,
            text=_whole_text(result) if result else "",
            unchanged=unchanged,
        )

    def _converted_from_error(self, error: ReadError) -> Converted:
        is_packed = self._is_packed or bool(self._stored.sha256)
        return self._converted(error=_failure(self._tools.tool, error, self._shown, is_packed))

    def _converted(
        self,
        format: str = "",  # noqa: A002
        unit: str = "",
        first_lines: tuple[int, ...] = (),
        text: str = "",
        error: Failure | None = None,
        unchanged: bool = False,
    ) -> Converted:
        stored = self._stored
        return Converted(
            id=document_id(self._shown, stored.sha256),
            source=self._shown,
            sha256=stored.sha256,
            format=format,
            unit=unit,
            first_lines=first_lines,
            text=text,
            error=error,
            ms=round((monotonic() - self._began) * 1000),
            version=__version__,
            size=stored.size,
            stamp=stored.stamp,
            unchanged=unchanged,
        )


def lost_document(source: str, reason: str) -> Converted:
    """Returns the result for a document whose process ended before it answered."""
    source = without_user_info(source)
    message = f"'{source}' was not converted: {reason}. Convert it again."
    return Converted(
        id=document_id(source, ""),
        source=source,
        sha256="",
        format="",
        unit="",
        first_lines=(),
        text="",
        error=Failure("WORKER_LOST", message, retryable=True),
        ms=0,
        version=__version__,
    )


def _is_still_at(opener: Opener, path: str, source: Source, deadline: Deadline) -> bool:
    """Says whether a path leads to the file that was opened; another may have taken its place."""
    with opener.open(opener.locate(path), deadline) as now:
        return now.identity[:2] == source.identity[:2]


def _anchor_line_numbers(lines: list[str], unit: str, units: int) -> tuple[int, ...]:
    """Returns the lines of the anchors, which nothing but a converter writes."""
    numbers: list[int] = []
    for number, line in enumerate(lines, 1):
        if line == f"<!-- {unit} {len(numbers) + 1} -->":
            numbers.append(number)
    return tuple(numbers[:units])


def _whole_text(result: ReadResult) -> str:
    """Returns the lines as one text: of a file with the line feed at its end, if it has one."""
    text = result.text
    if result.kind == "file" and result.traits.final_newline:
        text += "\n"
    return text if text.isascii() else text.encode(errors="replace").decode()


def _failure(tool: Tool, error: ReadError, shown: str, is_packed: bool) -> Failure:
    if isinstance(error, IsDirectory):
        is_what = PACKED_FOLDER.format(shown) if is_packed else "is a directory. Name it as a source of its own."
        return Failure("IS_DIRECTORY", f"'{shown}' {is_what}")
    if isinstance(error, NotFound) and re.search(WILDCARDS, shown):
        error = NotFound(unmatched=True)
    told = tool.dialect_tool.render_error(error, Call({"path": shown}, 0, "", (), str)).data["error"]
    facts = cast("dict[str, str]", told)
    message = f"{facts['message']} {facts['hint']}"
    return Failure(facts["code"], message, error.retryable)
