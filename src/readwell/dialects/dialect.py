"""What a dialect is: words to parse, numbers and switches to obey, sentences to render."""

from collections.abc import Callable
from typing import NamedTuple

from ..errors import ReadError
from ..model import Call, ReadRequest, ReadResult, Reply, Rules


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
    numbers: tuple[tuple[str, object], ...] = ()
    """Limits that the text for the model quotes, so that it cannot drift from them."""
    told: str = ""
    """What a model is told, for a dialect from outside, which has no file in `told/`."""

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
        return {"type": "object", "properties": self.properties, "required": list(self.required)}

    def definition(self, shape: str) -> dict[str, object]:
        """The tool as `json` (name, description, parameters), or as `openai` or `anthropic` wants it."""
        named: dict[str, object] = {"name": self.tool, "description": self.description}
        if shape == "anthropic":
            return {**named, "input_schema": self.schema}
        plain = {**named, "parameters": self.schema}
        return {"type": "function", "function": plain} if shape == "openai" else plain
