"""Mail becomes Markdown: who wrote what to whom, the text, the names of what is attached; attached messages, too."""

from __future__ import annotations

from collections.abc import Sequence
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import cast

from ..errors import ConversionFailed
from ..named_tuple import NamedTuple
from .contract import Converter
from .declared_encoding import DecodedText, decoded_as_declared
from .guessed_encoding import load_encodings
from .html import encoding_declared_in, html_markdown
from .markdown_blocks import escape_block_starts
from .message_markdown import message_markdown
from .single_unit import SingleUnit

VERSION = "8"
HEADERS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
ALL_NAMED = ": the message read as text names all"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SHOWN = frozenset(f"text/{kind}" for kind in "plain html markdown x-patch x-diff rfc822-headers".split())
"""Kinds of text that stand in the text of a message unless they are attached; others are attachments anyway."""
MESSAGES = ("message/rfc822", "message/global", "message/news")
REPORTS = frozenset(
    f"message/{prefix}{kind}"
    for kind in "delivery-status disposition-notification headers feedback-report tracking-status".split()
    for prefix in ("", "global-")
)
"""Kinds of parts that are fields like the headers of a message: what became of a message, what its headers were."""
DEEPEST = 3
MAX_MESSAGES = 100


class ShownText(NamedTuple):
    """A part that is shown."""

    text: str
    is_html: bool = False
    notices: Sequence[str] = ()
    """What is told of its encoding."""


class MessageReader:
    """Reads a message and those attached to it, up to a number and a depth."""

    def __init__(self) -> None:
        self._left = MAX_MESSAGES

    def markdown(self, message: EmailMessage, depth: int = 0) -> str:
        """Returns a message and, behind it, those attached."""
        self._left -= 1
        attached: list[EmailMessage] = []
        texts = _collect_texts(message, attached)
        body = "\n\n".join(filter(None, map(_text_markdown, texts)))
        names: list[str] = []
        inside: list[str] = []
        for part in attached:
            inner = _message_in(part)
            if inner is None:
                names.append(_describe_attachment(part))
                continue
            reason = "nested too deep" if depth == DEEPEST else "" if self._left > 0 else "one of too many"
            told = f"message, not shown: it is {reason}" if reason else "message"
            names.append(f"{_file_name(part) or _header(inner, 'Subject') or '(no name)'} ({told})")
            if not reason:
                inside.append(self.markdown(inner, depth + 1))
        headers = [(name, _header(message, name)) for name in HEADERS]
        written = message_markdown(_header(message, "Subject"), headers, body, names, ALL_NAMED)
        return "\n\n".join([written, *inside])


def open_mail(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Opens a message."""
    try:
        return SingleUnit(_markdown(content))
    except RecursionError as error:
        raise ConversionFailed("eml", "its parts are nested too deep") from error


def _markdown(content: bytes) -> str:
    """Returns the whole message; raises ConversionFailed for what has no headers."""
    if content.startswith(UTF_16):
        content = content.decode("utf-16", "replace").encode()
    message = BytesParser(policy=policy.default).parsebytes(content)
    if not message.keys():
        raise ConversionFailed("eml", "it has no headers of a message")
    return MessageReader().markdown(message)


def _collect_texts(part: EmailMessage, attached: list[EmailMessage]) -> list[ShownText]:
    """Returns the texts of a part that a mail program shows, in their order, and adds what else it has."""
    kind = part.get_content_type()
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        inner = [_collect_texts(each, attached) for each in _parts(part)]
        return _best(inner) if kind == "multipart/alternative" else [text for texts in inner for text in texts]
    if kind in REPORTS and part.is_multipart():
        return [ShownText("\n\n".join(map(_headers_and_body, _parts(part))))]
    is_shown = kind in SHOWN or part.get_content_maintype() == "multipart"  # one without parts is a text
    if not is_shown or part.is_attachment():
        attached.append(part)
        return []
    if _file_name(part):
        attached.append(part)
    decoded = _decoded_part(part)
    return [ShownText(decoded.text, kind == "text/html", decoded.notices)]


def _best(alternatives: list[list[ShownText]]) -> list[ShownText]:
    """Returns the texts of the alternative that is shown: plain if there is any, else from HTML; never an empty one."""
    filled = [texts for texts in alternatives if any(text.text.strip() for text in texts)]
    return min(filled, key=lambda texts: min(text.is_html for text in texts)) if filled else []


def _parts(part: EmailMessage) -> list[EmailMessage]:
    """Returns the parts of one that has any."""
    return cast("list[EmailMessage]", part.get_payload())


def _message_in(part: EmailMessage) -> EmailMessage | None:
    """Returns the message that a part is; None for other parts."""
    if part.get_content_type() not in MESSAGES or not part.is_multipart():
        return None
    return next(iter(_parts(part)), None)


def _headers_and_body(part: EmailMessage) -> str:
    """Returns all headers of a part, each as a line, and the body behind them: a report is mostly headers."""
    lines = "\n".join(f"{name}: {_header(part, name)}" for name in dict.fromkeys(part.keys()))
    return f"{lines}\n\n{_decoded_part(part).text}".strip()


def _header(message: EmailMessage, name: str) -> str:
    """Returns a header as text; empty where it is missing or cannot be parsed."""
    try:
        return " ".join(str(value) for value in message.get_all(name, [])).replace("\n", " ")
    except (ValueError, IndexError, AttributeError):  # a header that the library's own grammar cannot take
        return ""


def _decoded_part(part: EmailMessage) -> DecodedText:
    """Returns the text of a part."""
    payload = cast("bytes | None", part.get_payload(decode=True)) or b""
    try:
        declared = part.get_content_charset() or ""
    except (LookupError, ValueError):
        declared = ""
    return decoded_as_declared(payload, declared or encoding_declared_in(payload))


def _text_markdown(text: ShownText) -> str:
    """Returns a text as Markdown."""
    written = html_markdown("eml", text.text) if text.is_html else escape_block_starts(text.text).strip()
    return "\n\n".join([*text.notices, written]) if written else ""


def _file_name(part: EmailMessage) -> str:
    """Returns the name of an attachment; empty where it has none."""
    return " ".join(str(part.get_filename() or "").split())


def _describe_attachment(part: EmailMessage) -> str:
    """Returns name, type and size of an attachment; of one that was parsed as a message, no size."""
    content = cast("bytes | None", part.get_payload(decode=True))
    size = "" if content is None else f", {len(content):,} bytes"
    return f"{_file_name(part) or '(no name)'} ({part.get_content_type()}{size})"


MAIL = Converter("eml", VERSION, open_mail, load_encodings)
