"""What a dialect is: words to parse, numbers and switches to obey, sentences to render."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import ReadError
from ..model import Call, Notice, ReadRequest, ReadResult, Reply, Rules


class Share(NamedTuple):
    """What one reply may hold, or does hold."""

    tokens: int
    bytes: int
    lines: int


class Batch(NamedTuple):
    """Several files as a caller asks for them in one call."""

    entries: tuple[tuple[str, bool], ...]
    """Paths in their order, each with whether it may be a pattern."""
    params: dict[str, object]
    """What holds for each of the files."""
    budget: Share
    """What all of them share."""
    notices: tuple[Notice, ...] = ()


class Selection(NamedTuple):
    """The files that a batch means, and what is to be known of the search for them."""

    paths: list[str]
    meant: int
    """How many there are, of which `paths` are the first."""
    cut: bool = False
    """A pattern means more files than were looked for."""
    unsearched: int = 0
    """Directories that could not be listed."""


class Piece(NamedTuple):
    """One file's part of a reply to a batch."""

    path: str
    text: str
    reply: Reply
    used: Share
    more: bool
    """The file goes on."""


class Batching(NamedTuple):
    """How a dialect answers for several files in one call."""

    parse: Callable[[object], Batch | None]
    """None: one file is meant."""
    least: Share
    """What a file's part may take at any rate."""
    set_aside: int
    """Tokens of a ceiling that a reply keeps for remarks, of which few have many."""
    within: Callable[[Share], "Dialect"]
    """The dialect with these ceilings."""
    piece_text: Callable[[str, Reply, Share], str]
    """One file's reply as it stands among others."""
    count_tokens: Callable[[str], int]
    notices: Callable[[Batch, Selection], list[Notice]]
    """What should be known of the batch as a whole."""
    render: Callable[[Sequence[Piece], Sequence[str], Sequence[Notice]], Reply]
    """From the parts, the paths that were not read, and notices."""


class Dialect(NamedTuple):
    """A way of asking and answering. Its functions are pure: nothing here reads a file."""

    name: str
    tool: str
    """What the tool is called for a model."""
    summary: str
    properties: dict[str, dict[str, object]]
    """The parameters, as properties of a JSON schema."""
    rules: Rules
    parse: Callable[[object], ReadRequest]
    render: Callable[[ReadResult, Call], Reply]
    render_error: Callable[[ReadError, Call], Reply]
    render_defect: Callable[[Call], Reply] | None = None
    required: tuple[str, ...] = ("path",)
    """What a call for one file needs."""
    numbers: tuple[tuple[str, object], ...] = ()
    """Limits that the text for the model quotes, so that it cannot drift from them."""
    told: str = ""
    """What a model is told, for a dialect from outside, which has no file in `told/`."""
    batching: Batching | None = None

    @property
    def description(self) -> str:
        """What a model is told of the tool."""
        import pkgutil

        text = self.told
        if not text:
            told = pkgutil.get_data(__package__ or "", f"told/{self.name}/{self.tool}.txt") or b""
            text = told.decode().strip()
        for name, value in self.numbers:
            text = text.replace(f"{{{name}}}", str(value))
        return text

    @property
    def schema(self) -> dict[str, object]:
        """The parameters as a JSON schema."""
        required = {} if self.batching else {"required": list(self.required)}
        return {"type": "object", "properties": self.properties, **required}

    def definition(self, shape: str) -> dict[str, object]:
        """The tool as `json` (name, description, parameters), or as `openai` or `anthropic` wants it."""
        named: dict[str, object] = {"name": self.tool, "description": self.description}
        if shape == "anthropic":
            return {**named, "input_schema": self.schema}
        plain = {**named, "parameters": self.schema}
        return {"type": "function", "function": plain} if shape == "openai" else plain
