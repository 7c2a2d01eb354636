"""The types of a dialect: its tools, each with a parser, rules and renderers, and its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

from ..errors import InvalidRequest, ReadError
from ..light_typing import Any
from ..model import Call, Notice, Reply, Rules
from ..named_tuple import NamedTuple
from .params import check_path, first_path_written


class Share(NamedTuple):
    """Tokens, bytes of text and lines: what a reply may use, or what it uses."""

    tokens: int
    bytes: int
    lines: int


class Batch(NamedTuple):
    """A call for several files, parsed."""

    entries: tuple[tuple[str, bool], ...]
    """Paths in the caller's order, each with whether it may be a glob pattern."""
    params: dict[str, object]
    """Params that apply to each file."""
    budget: Share
    """The budget that all files share."""
    notices: tuple[Notice, ...] = ()
    may_list: bool = False
    """Whether names may be the answer where each file would get very little: the caller named no limits."""


class SelectedFiles(NamedTuple):
    """The files that the entries of a batch name or match, and how complete the search for them was."""

    paths: list[str]
    total: int
    """Number of files named or matched; `paths` is limited to the first ones."""
    cut: bool = False
    """The search for a pattern stopped before all matches were found."""
    unlisted: int = 0
    """Number of directories that could not be listed."""
    unmatched: frozenset[str] = frozenset()
    """Patterns that match no file; they are among the paths."""


class BatchPiece(NamedTuple):
    """One file's part of a reply to a batch."""

    path: str
    text: str
    reply: Reply
    used: Share
    more: bool
    """Whether a larger share would show more of the file."""
    need: int
    """Estimated tokens of the whole file."""
    record: object = None
    """The audit record of the read, if records are kept."""
    took_last_line: bool = False
    """Whether the limit of lines has left none for the files behind it."""


class Batching(NamedTuple):
    """How a dialect reads several files in one call."""

    parse: Callable[[object], Batch | None]
    """Parses the params; returns None for a call that names one file."""
    minimum: Share
    """Minimum budget for each file."""
    limited_to: Callable[[Share], DialectTool]
    """Returns the tool that reads one file within a share."""
    piece_text: Callable[[str, Reply, Share], str]
    """Returns the text of one file's part, from its path, its reply and its share."""
    count_tokens: Callable[[str], int]
    notices: Callable[[Batch, SelectedFiles], list[Notice]]
    """Returns the notices about the batch as a whole."""
    render: Callable[[Sequence[BatchPiece], Sequence[str], Sequence[Notice]], Reply]
    """Renders the reply from the parts, the paths that were not read, and the notices."""
    render_list: Callable[[Sequence[BatchPiece], Sequence[str], Sequence[Notice]], Reply]
    """The same files by name, size and lines alone: those that were looked at, and those that were not."""
    param: str = "paths"
    """Name of the parameter that takes several files."""


class DialectTool(NamedTuple):
    """One tool of a dialect. Its functions are pure: they do no input or output.

    The engine chooses its function by the type of the request that `parse` returns; `render` receives that function's
    result. For a ReadRequest this is a ReadResult.
    """

    name: str
    """Name of the tool, as a model calls it."""
    template: str | Callable[[], str]
    """Description for the model, or a function that loads it, with `{placeholders}`."""
    properties: dict[str, dict[str, object]]
    """The parameters, as properties of a JSON schema."""
    rules: Rules
    parse: Callable[[object], Any]
    """Returns the request that the params ask for; raises InvalidRequest."""
    render: Callable[[Any, Call], Reply]
    """Renders a result."""
    render_error: Callable[[ReadError, Call], Reply]
    """Renders a failure."""
    render_defect: Callable[[Call], Reply] | None = None
    """Renders an unexpected exception; without it the exception reaches the caller."""
    required: tuple[str, ...] = ("path",)
    """Required parameters; the command line takes the first as a positional argument."""
    path_names: tuple[str, ...] = ()
    """What callers call the path, or a list of paths; empty: `path`, or else the first required parameter."""
    placeholders: tuple[tuple[str, object], ...] = ()
    """Names and values filled into the template, so that the limits it states are the real ones."""
    batching: Batching | None = None
    """How several files are read in one call; None: the tool reads one."""
    brief: Callable[[dict[str, object]], dict[str, object]] | None = None
    """Shortens a reply's data for clients that may show it to a model; None: the data is sent whole."""
    measure: Callable[[Any, Call], Reply] | None = None
    """Like `render`, where only the result is wanted: the reply may be empty if it is surely within its budget."""

    @property
    def description(self) -> str:
        """The description for the model, with its placeholders filled in."""
        text = self.template if isinstance(self.template, str) else self.template()
        for name, value in self.placeholders:
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def path_in(self, params: object) -> str | None:
        """Returns the path as a caller wrote it, of several the first, for the record; None for what can be none."""
        try:
            return check_path(first_path_written(params, *(self.path_names or self._own_path_name()))) or None
        except InvalidRequest:
            return None

    def _own_path_name(self) -> tuple[str, ...]:
        """Returns the name of the parameter that takes the path, where the dialect does not list several."""
        return ("path",) if "path" in self.properties else self.required[:1]

    @property
    def schema(self) -> dict[str, object]:
        """The parameters as a JSON schema."""
        required = {} if self.batching else {"required": list(self.required)}
        return {"type": "object", "properties": self.properties, **required}

    def definition(self, shape: str) -> dict[str, object]:
        """Returns the tool definition in a shape: `json` (name, description, parameters), `openai` or `anthropic`."""
        named: dict[str, object] = {"name": self.name, "description": self.description}
        if shape == "anthropic":
            return {**named, "input_schema": self.schema}
        plain = {**named, "parameters": self.schema}
        return {"type": "function", "function": plain} if shape == "openai" else plain


class Setting(NamedTuple):
    """A setting of a dialect, made by doors into a command line option and an environment variable."""

    name: str
    value_type: str | tuple[str, ...]
    """Type of the value: a tuple of allowed words, or what doors have a parser for: `count` (at least 1), `switch`,
    `seconds`, `text`, `patterns`, `counter` (of tokens).

    A setting of type `home` is not an option: doors set it to the home directory, for which `~` stands in paths.
    """
    help: str = ""
    is_param: bool = False
    """Whether a parameter has the same name; on the command line the parameter then sets both."""
    extra: str = ""
    """Extra (optional dependency) that must be installed to switch it on."""


class Dialect(NamedTuple):
    """A wire format of tools: how they are called and how they answer, with the settings of a server or embedder."""

    name: str
    summary: str
    tools: tuple[DialectTool, ...]
    """The tools; the first one reads a file."""
    settings: tuple[Setting, ...] = ()
    configured: Callable[..., Dialect] | None = None
    """Returns the dialect with these settings, passed by name."""
    late_modules: tuple[str, ...] = ()
    """Modules of functions that are `loaded_when_called`; a tool for many calls imports them at once."""
    remote_roots: bool = False
    """Whether its tools read roots that are not directories of this machine."""

    def tool(self, name: str) -> DialectTool:
        """Returns a tool by its name."""
        return next(tool for tool in self.tools if tool.name == name)


def loaded_when_called(package: str, name: str) -> Callable[..., Any]:
    """Returns a function `module.function` of a package, whose module is imported with its first call."""
    return partial(_load_and_call, package, *name.split("."))


def _load_and_call(package: str, module: str, function: str, *args: object, **settings: object) -> Any:
    """Imports a module and calls a function of it."""
    return getattr(import_module(f".{module}", package), function)(*args, **settings)


def description_loader(name: str) -> Callable[[], str]:
    """Returns a function that loads `descriptions/<name>.txt`, a tool's description for the model."""
    return partial(_load_description, name)


def _load_description(name: str) -> str:
    """Returns the description of a tool, as its file has it."""
    import pkgutil

    return (pkgutil.get_data(__package__ or "", f"descriptions/{name}.txt") or b"").decode().strip()
