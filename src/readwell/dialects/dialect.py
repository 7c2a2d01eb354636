"""What a dialect is: words to parse, numbers and switches to obey, sentences to render."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..errors import ReadError
from ..model import Call, Notice, Reply, Rules


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
    """The file goes on, and a larger share would show more of it."""
    need: int
    """About how many tokens the whole file would take."""


class Batching(NamedTuple):
    """How a dialect answers for several files in one call."""

    parse: Callable[[object], Batch | None]
    """None: one file is meant."""
    least: Share
    """What a file's part may take at any rate."""
    within: Callable[[Share], "DialectTool"]
    """The tool with these ceilings."""
    piece_text: Callable[[str, Reply, Share], str]
    """One file's reply as it stands among others."""
    count_tokens: Callable[[str], int]
    notices: Callable[[Batch, Selection], list[Notice]]
    """What should be known of the batch as a whole."""
    render: Callable[[Sequence[Piece], Sequence[str], Sequence[Notice]], Reply]
    """From the parts, the paths that were not read, and notices."""
    param: str = "paths"
    """The parameter that takes several files."""


class DialectTool(NamedTuple):
    """One tool of a dialect: how it is asked and how it answers. Its functions are pure: nothing here reads a file.

    The type of the request that `parse` returns says which road it takes through the engine, and that road's result
    is what `render` is given: a ReadRequest is answered with a ReadResult.
    """

    name: str
    """What the tool is called for a model."""
    told: str | Callable[[], str]
    """What a model is told of it: the text, or what gives it."""
    properties: dict[str, dict[str, object]]
    """The parameters, as properties of a JSON schema."""
    rules: Rules
    parse: Callable[[object], Any]
    render: Callable[[Any, Call], Reply]
    render_error: Callable[[ReadError, Call], Reply]
    render_defect: Callable[[Call], Reply] | None = None
    required: tuple[str, ...] = ("path",)
    """What a call needs; the first is what a command line takes without a flag."""
    numbers: tuple[tuple[str, object], ...] = ()
    """Limits that the text for the model quotes, so that it cannot drift from them."""
    batching: Batching | None = None
    brief: Callable[[dict[str, object]], dict[str, object]] | None = None
    """A reply's data in few words, for doors whose callers may show it to a model; None: as it is."""
    measure: Callable[[Any, Call], tuple[int | None, int]] | None = None
    """What the reply to a result costs if that is counted, and by how much it exceeds the budget of its request."""

    @property
    def description(self) -> str:
        """What a model is told of the tool."""
        text = self.told if isinstance(self.told, str) else self.told()
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
        named: dict[str, object] = {"name": self.name, "description": self.description}
        if shape == "anthropic":
            return {**named, "input_schema": self.schema}
        plain = {**named, "parameters": self.schema}
        return {"type": "function", "function": plain} if shape == "openai" else plain


class Setting(NamedTuple):
    """Something that whoever offers a tool may set; doors make an option of it and a variable."""

    name: str
    takes: str | tuple[str, ...]
    """What a word for it may be: `count`, `switch`, `counter` (of tokens), or one of these words.

    `home` is no option: it is the directory that `~` stands for, which doors know.
    """
    help: str = ""
    is_param: bool = False
    """A parameter has the same name: what a caller of the command line asks for is what is set."""
    extra: str = ""
    """The extra without which it cannot be switched on."""


class Dialect(NamedTuple):
    """A way of asking and answering: its tools, and what can be set of them."""

    name: str
    summary: str
    tools: tuple[DialectTool, ...]
    """The first is the one that reads a file."""
    settings: tuple[Setting, ...] = ()
    configured: Callable[..., "Dialect"] | None = None
    """Returns the dialect with settings, given by their names."""

    def tool(self, name: str) -> DialectTool:
        """Returns a tool by its name."""
        return next(tool for tool in self.tools if tool.name == name)


def told_in(place: str) -> Callable[[], str]:
    """Returns what gives the text for the model in a file of `told/`, read when it is asked for."""
    return partial(_text_in, place)


def _text_in(place: str) -> str:
    import pkgutil

    return (pkgutil.get_data(__package__ or "", f"told/{place}.txt") or b"").decode().strip()
