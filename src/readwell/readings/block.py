"""The view `block`: the innermost definition, section, list, table or value around a line."""

from ..documents.structure_converter import structure_of
from ..errors import InvalidRequest, IsDirectory, StartPastEnd
from ..model import Budget
from ..structure import Block, markdown_parts
from ..text import open_as_text
from ..window import Text
from .document import read_document
from .file_structure import WHOLE, structure_of_file
from .reading import ReadContent, ReadContext, plain_read_context

NEAR = 100
"""The most lines of a paragraph before and after the line: of a log without blank lines, too, the line is shown."""
SHORT = Budget(longest=8, characters=1 << 30)
"""Enough of a line to see whether it is blank."""


def block_content(context: ReadContext) -> ReadContent:
    """Returns the lines of the block around the line asked for."""
    if context.source.is_directory:
        raise IsDirectory
    if context.request.pages is not None or context.request.column > 1:
        raise InvalidRequest("view", "block", 'left out with pages and column: "block" takes offset=N')
    plain = plain_read_context(context)
    content = read_document(plain) or _file_as_text(plain)
    text = content.text
    assert text is not None  # noqa: S101 - what has lines
    if text.total() == 0:
        return content
    line = _asked_line(context, text)
    block = _find_block(plain, content, text, line)
    limits = context.request.limits
    request = context.request._replace(
        start=block.start, last_lines=None, limits=limits._replace(lines=min(limits.lines, block.end - block.start + 1))
    )
    return content._replace(request=request, block=block.title, block_end=block.end)


def _file_as_text(context: ReadContext) -> ReadContent:
    """Returns the file as text, line by line."""
    text = open_as_text(
        context.source, context.rules, context.request.encoding, context.resources.index_cache, context.deadline
    )
    return ReadContent("file", text, context.request)


def _asked_line(context: ReadContext, text: Text) -> int:
    """Returns the number of the line asked for; raises StartPastEnd if it does not exist."""
    request, total = context.request, text.total()
    line = request.start if request.last_lines is None else max(1, total - request.last_lines + 1)
    if not 1 <= line <= total:
        raise StartPastEnd(line, total)
    return line


def _find_block(context: ReadContext, content: ReadContent, text: Text, line: int) -> Block:
    """Returns the innermost block around a line, or its paragraph."""
    if content.kind == "document":
        lines = text.take(1, text.total(), 1, WHOLE).strings
        block = structure_of(iter(markdown_parts(lines)), len(lines), line).block
    else:
        block = structure_of_file(context, text, line).structure.block
    total = text.total()
    block = block or Block(1, total, "")
    if block.title and block.start <= line <= block.end:
        return block._replace(end=min(block.end, total))
    return _find_paragraph(text, line, max(1, min(block.start, line)), min(max(block.end, line), total))


def _find_paragraph(text: Text, line: int, low: int, high: int) -> Block:
    """Returns the paragraph around a line, within bounds; of one that goes further, what is near."""
    low, high = max(low, line - NEAR - 1), min(high, line + NEAR + 1)
    lines = text.take(low, high - low + 1, 1, SHORT).strings
    at = line - low
    if at >= len(lines) or not lines[at].strip():
        return Block(line, line, "blank line")
    first = next((number for number in range(at, -1, -1) if not lines[number].strip()), -1) + 1
    last = next((number for number in range(at, len(lines)) if not lines[number].strip()), len(lines)) - 1
    start, end = max(low + first, line - NEAR), min(low + last, line + NEAR)
    whole = (start, end) == (low + first, low + last)
    return Block(start, end, "paragraph" if whole else "part of a paragraph")
