"""A program of `examples/` as a page of the guide: its name, and all of it."""

from typing import ClassVar

from docutils import nodes
from docutils.parsers import Parser


class ProgramParser(Parser):
    """Makes a page of a Python file."""

    supported: ClassVar = ("program",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Writes the file under its name."""
        self.setup_parse(inputstring, document)
        name = document.current_source.partition("/examples/")[2]
        page = nodes.section(ids=["program"])
        page += nodes.title(text=name)
        page += nodes.literal_block(inputstring, inputstring, language="python")
        document += page
        self.finish_parse()
