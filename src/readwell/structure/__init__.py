"""What a text is made of: definitions, sections, keys; each with the lines it takes."""

from .language import PARSED_BY_OTHERS, language_of
from .markdown import markdown_parts
from .part import Block, Listed, Part, block_at, listed
from .restructured import restructured_parts

__all__ = [
    "PARSED_BY_OTHERS",
    "Block",
    "Listed",
    "Part",
    "block_at",
    "language_of",
    "listed",
    "markdown_parts",
    "restructured_parts",
]
