"""OpenAI: the schema for both of its interfaces, and the answer to a call. Nothing of the SDK is needed."""

from typing import Any

from ..model import Reply
from ..toolspec import Offered, ToolSpec, text_specs, tool_specs
from .params import parsed


def tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns `tools` for chat completions; answer each of a message's `tool_calls` with `call`."""
    return [{"type": "function", "function": spec.definition} for spec in tool_specs(reader)]


def response_tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns `tools` for responses; answer each `function_call` of its output with `call`."""
    # By default every parameter would be required.
    return [{"type": "function", **spec.definition, "strict": False} for spec in tool_specs(reader)]


def call(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Returns the message that answers a call, a failure as well; the model is told of it in the text."""
    spec, params = _asked(reader, wanted)
    return _message(wanted, spec.call(params))


async def acall(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Like `call`, in a thread that stops when the caller is cancelled."""
    spec, params = _asked(reader, wanted)
    return _message(wanted, await spec.acall(params))


def _asked(reader: Offered, wanted: Any) -> tuple[ToolSpec, object]:
    chat = getattr(wanted, "function", None)  # a message of chat completions, which holds nothing but text
    specs, asked = (text_specs(reader), chat) if chat else (tool_specs(reader), wanted)
    return next((spec for spec in specs if spec.name == asked.name), specs[0]), parsed(asked.arguments)


def _message(wanted: Any, reply: Reply) -> dict[str, Any]:
    if hasattr(wanted, "function"):
        return {"role": "tool", "tool_call_id": wanted.id, "content": reply.text}
    image = [{"type": "input_image", "image_url": reply.picture.data_url}] if reply.picture else []
    output = [{"type": "input_text", "text": reply.text}, *image] if image else reply.text
    return {"type": "function_call_output", "call_id": wanted.call_id, "output": output}
