"""Mail becomes Markdown: who wrote what to whom, the text, and the names of what is attached."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import cast

from ..errors import ConversionFailed
from .contract import Converter
from .html import html_markdown
from .markdown_blocks import escaped
from .message_markdown import message_markdown
from .single_unit import SingleUnit

VERSION = "4"
HEADERS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
ALL_NAMED = ": the message read as text names all"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


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
    headers = [(name, _header(message, name)) for name in HEADERS]
    attached = [_attachment(part) for part in message.walk() if part.get_filename()]
    return message_markdown(_header(message, "Subject"), headers, _body(message), attached, ALL_NAMED)


def _header(message: EmailMessage, name: str) -> str:
    """Returns a header as text; empty where it is missing or cannot be parsed."""
    try:
        return " ".join(str(value) for value in message.get_all(name, [])).replace("\n", " ")
    except (ValueError, IndexError, AttributeError):  # a header that the library's own grammar cannot take
        return ""


def _body(message: EmailMessage) -> str:
    """Returns the text, plain if there is any, else from HTML."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    payload = cast("bytes | None", part.get_payload(decode=True)) or b""
    try:
        text = payload.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        text = payload.decode("utf-8", "replace")
    if part.get_content_subtype() == "html":
        return html_markdown("eml", text)
    return escaped(text).strip()


def _attachment(part: object) -> str:
    """Returns name, type and size of an attachment."""
    message = cast("EmailMessage", part)
    size = len(cast("bytes | None", message.get_payload(decode=True)) or b"")
    return f"{' '.join(str(message.get_filename()).split())} ({message.get_content_type()}, {size:,} bytes)"


MAIL = Converter("eml", VERSION, open_mail)
