"""OpenAI: tool definitions for both of its APIs, and the message that answers a call. Does not import the SDK."""

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, text_specs, tool_specs
from .param_forms import parse_params


def tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns the `tools` of a chat completion; answer each of a message's `tool_calls` with `call`."""
    return [{"type": "function", "function": spec.definition} for spec in tool_specs(reader)]


def response_tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns the `tools` of a response; answer each `function_call` of its output with `call`."""
    # By default every parameter would be required.
    return [{"type": "function", **spec.definition, "strict": False} for spec in tool_specs(reader)]


def call(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Runs a call that a model asked for and returns the message that answers it, also for a failure.

    Args:
        reader: That of `tools` or `response_tools`.
        wanted: An item of a chat message's `tool_calls`, or a `function_call` of a response's output.
    """
    spec, params = _spec_and_params(reader, wanted)
    return _answering_message(wanted, spec.call(params))


async def acall(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Like `call`, in a thread; the read stops when the awaiting task is cancelled."""
    spec, params = _spec_and_params(reader, wanted)
    return _answering_message(wanted, await spec.acall(params))


def _spec_and_params(reader: Offered, wanted: Any) -> tuple[ToolSpec, object]:
    """Returns which tool a call wants, and its params."""
    chat = getattr(wanted, "function", None)  # only chat completions have it, and they carry only text
    specs, function = (text_specs(reader), chat) if chat else (tool_specs(reader), wanted)
    return next((spec for spec in specs if spec.name == function.name), specs[0]), parse_params(function.arguments)


def _answering_message(wanted: Any, reply: Reply) -> dict[str, Any]:
    """Returns the message that answers a call."""
    if hasattr(wanted, "function"):
        return {"role": "tool", "tool_call_id": wanted.id, "content": reply.text}
    images = [{"type": "input_image", "image_url": picture.data_url} for picture in reply.pictures]
    output = [{"type": "input_text", "text": reply.text}, *images] if images else reply.text
    return {"type": "function_call_output", "call_id": wanted.call_id, "output": output}
