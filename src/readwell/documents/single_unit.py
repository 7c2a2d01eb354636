"""A document of a single unit, converted as a whole when it is opened."""


class SingleUnit:
    """A converted document without pages, slides or chapters."""

    unit = ""
    count = 1

    def __init__(self, markdown: str) -> None:
        self._markdown = markdown

    def prepared(self) -> bytes:
        """Returns nothing: opening converts everything."""
        return b""

    def markdown(self, number: int) -> str:  # noqa: ARG002
        """Returns the whole document."""
        return self._markdown
