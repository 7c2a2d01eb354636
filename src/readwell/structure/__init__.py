"""What a text is made of: definitions, sections, keys; each with the lines it takes."""

from .calendar import calendar_parts
from .markdown import markdown_parts
from .restructured_text import restructured_parts
from .source_language import NEEDS_AST_GREP, is_commented_json, language_of
from .text_part import Block, OutlineParts, Part, block_at, outline_parts, shortened

__all__ = [
    "NEEDS_AST_GREP",
    "Block",
    "OutlineParts",
    "Part",
    "block_at",
    "calendar_parts",
    "is_commented_json",
    "language_of",
    "markdown_parts",
    "outline_parts",
    "restructured_parts",
    "shortened",
]
