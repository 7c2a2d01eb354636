"""Every way a read can fail, as types that carry facts and no sentences.

ReadError                     .retryable .opened .in_directory .told
├── InvalidRequest            .param .value .wants
│   ├── StartPastEnd          .start .total
│   └── ColumnPastEnd         .line .column .length
├── AccessDenied              .rule          never says whether the path exists
├── NotFound                  .lookalikes .nearest .through_file .unmatched .unlisted
├── WrongKind
│   ├── IsDirectory
│   ├── NotRegularFile        pipe, socket, device
│   └── BinaryFile            .looks_like .size .otherwise
├── ConversionFailed          .converter .reason
│   ├── ConverterMissing      .install
│   ├── DocumentLocked        needs a password
│   └── DocumentEmpty         .pages .blank .with_ocr  no text layer
├── TooLarge                  .limit
├── ChangedWhileReading
├── DeadlineExceeded          .seconds
├── TooManyCalls              .limit .seconds
└── Unreadable                .errno .reason .no_permission
"""

from __future__ import annotations

from errno import EACCES, EPERM

__all__ = [
    "AccessDenied",
    "BinaryFile",
    "ChangedWhileReading",
    "ColumnPastEnd",
    "ConversionFailed",
    "ConverterMissing",
    "DeadlineExceeded",
    "DocumentEmpty",
    "DocumentLocked",
    "InvalidRequest",
    "IsDirectory",
    "NotFound",
    "NotRegularFile",
    "ReadError",
    "StartPastEnd",
    "TooLarge",
    "TooManyCalls",
    "Unreadable",
    "WrongKind",
]


class ReadError(Exception):
    """A read that could not be done; the root of the tree above.

    `opened` is the real path of what was open when it happened, if anything was, and
    `in_directory` says that this was a directory.
    `told` is the message of the dialect that answered, if one has.
    `retryable` says whether another call may succeed: with a better argument, another name, or at a second try.
    """

    retryable = False
    opened: str | None = None
    in_directory: bool = False
    told: str | None = None
    asked: str | None = None
    """The path that it is about, where the caller named several."""

    def __str__(self) -> str:
        if self.told is not None:
            return self.told
        return ", ".join(map(repr, self.args)) or type(self).__name__


class InvalidRequest(ReadError):
    """A parameter with an invalid value; `wants` says what would be valid.

    `value` is what was sent, or the name of its type where that is neither text nor a number.
    """

    retryable = True

    def __init__(self, param: str, value: object = None, wants: str = "") -> None:
        if value is not None and not isinstance(value, (str, int, float)):
            value = type(value).__name__
        super().__init__(param, value, wants)
        self.param, self.value, self.wants = param, value, wants


class StartPastEnd(InvalidRequest):
    """The first line asked for is not one of the text's `total` lines."""

    in_outline = False
    """Whether rows of an outline are meant."""
    remarks: tuple[str, ...] = ()
    """What is to be told of the file: that it is cut off, so that the line may have been behind its end."""

    def __init__(self, start: int, total: int) -> None:
        super().__init__("start", start)
        self.args = (start, total)
        self.start, self.total = start, total


class ColumnPastEnd(InvalidRequest):
    """The column asked for lies behind the end of its line."""

    def __init__(self, line: int, column: int, length: int) -> None:
        super().__init__("column", column, f"at most {max(1, length)}")
        self.args = (line, column, length)
        self.line, self.column, self.length = line, column, length


class AccessDenied(ReadError):
    """The policy refuses; `rule` is `"root"` or the rule that matched."""

    def __init__(self, rule: str = "root") -> None:
        super().__init__(rule)
        self.rule = rule


class NotFound(ReadError):
    """The path does not exist; `lookalikes` are similar names in its directory.

    `nearest` is the longest part of the path that exists, where its directory does not; `through_file`: it is a file.
    `unmatched`: the path is a pattern that no file matches. `unlisted`: no directory of its root can be listed.
    """

    retryable = True

    def __init__(
        self,
        lookalikes: tuple[str, ...] = (),
        nearest: str = "",
        through_file: bool = False,
        unmatched: bool = False,
        unlisted: bool = False,
    ) -> None:
        super().__init__(lookalikes, nearest, through_file, unmatched, unlisted)
        self.lookalikes, self.nearest, self.through_file = lookalikes, nearest, through_file
        self.unmatched, self.unlisted = unmatched, unlisted


class WrongKind(ReadError):
    """The path exists, but this read cannot show what it is."""


class IsDirectory(WrongKind):
    """A directory, where only files are read."""

    retryable = True


class NotRegularFile(WrongKind):
    """A pipe, a socket or a device; a file that the kernel makes up; or a link in an archive, which leads nowhere."""

    def __init__(self, is_link: bool = False, made_up: bool = False) -> None:
        super().__init__(is_link, made_up)
        self.is_link, self.made_up = is_link, made_up


class BinaryFile(WrongKind):
    """A file that is not text; `looks_like` is its type, as far as known.

    `otherwise` is the view that it can be read in where its source was asked for: `markdown`, `image`; else empty.
    """

    def __init__(self, looks_like: str, size: int, otherwise: str = "") -> None:
        super().__init__(looks_like, size, otherwise)
        self.looks_like, self.size, self.otherwise = looks_like, size, otherwise


class ConversionFailed(ReadError):
    """A document that did not become text."""

    from_outside = False
    """Whether the parser was ended by something else than the document."""

    @classmethod
    def by_machine(cls, converter: str, reason: str) -> ConversionFailed:
        """Returns a failure that was not caused by the document: another try may succeed."""
        failed = cls(converter, reason)
        failed.from_outside = failed.retryable = True
        return failed

    def __init__(self, converter: str, reason: str) -> None:
        super().__init__(converter, reason)
        self.converter, self.reason = converter, reason


class ConverterMissing(ConversionFailed):
    """The converter is not installed; `install` is the command that helps."""

    def __init__(self, converter: str, install: str) -> None:
        super().__init__(converter, "the converter is not installed")
        self.args = (converter, install)
        self.install = install


class DocumentLocked(ConversionFailed):
    """The document needs a password."""

    def __init__(self, converter: str) -> None:
        super().__init__(converter, "a password is needed")
        self.args = (converter,)


class DocumentEmpty(ConversionFailed):
    """The document holds no text: of `pages` pages `blank` have nothing on them, the others are images.

    `with_ocr`: 1 where an engine that recognises scans was there, and saw none.
    """

    def __init__(self, converter: str, pages: int, blank: int = 0, with_ocr: int = 0) -> None:
        super().__init__(converter, "it holds no text" if blank == pages else "no text layer")
        facts = (converter, pages, blank, with_ocr)
        self.args = facts if with_ocr else facts[:3] if blank else facts[:2]
        self.pages, self.blank, self.with_ocr = pages, blank, with_ocr

    @property
    def holds_nothing(self) -> bool:
        """Whether there is nothing in which words could be."""
        return self.blank == self.pages


class TooLarge(ReadError):
    """More than `limit` bytes, where a bound protects the reader."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class ChangedWhileReading(ReadError):
    """The file changed under the read, twice in a row."""

    retryable = True


class DeadlineExceeded(ReadError):
    """The read took longer than `seconds`."""

    retryable = True

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class TooManyCalls(ReadError):
    """The caller is over a limit of a server; in `seconds` there may be room. `limit` says of what there are too many.

    `limit` is `calls in flight`, `calls a minute` or `conversions in flight`.
    """

    retryable = True

    def __init__(self, limit: str, seconds: int) -> None:
        super().__init__(limit, seconds)
        self.limit, self.seconds = limit, seconds


class Unreadable(ReadError):
    """The operating system refused: its `errno` and its words."""

    def __init__(self, errno: int, reason: str) -> None:
        super().__init__(errno, reason)
        self.errno, self.reason = errno, reason

    @property
    def no_permission(self) -> bool:
        """Whether the permissions of the file were the reason."""
        return self.errno in (EACCES, EPERM)
