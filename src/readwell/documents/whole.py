"""A document that is one unit: converted as a whole when it is opened."""


class Whole:
    """A converted document without pages, slides or chapters."""

    unit = ""
    count = 1

    def __init__(self, markdown: str) -> None:
        self._markdown = markdown

    def prepared(self) -> bytes:
        """Returns nothing: opening is all there is to do."""
        return b""

    def markdown(self, number: int) -> str:  # noqa: ARG002
        """Returns the whole document."""
        return self._markdown
