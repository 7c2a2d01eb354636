"""OpenAI: the schema for both of its interfaces, and the answer to a call. Nothing of the SDK is needed."""

from typing import Any

from ..model import Reply
from ..toolspec import Offered, tool_spec
from .params import parsed


def tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns `tools` for chat completions; answer each of a message's `tool_calls` with `call`."""
    spec = tool_spec(reader)
    named = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
    return [{"type": "function", "function": named}]


def response_tools(reader: Offered) -> list[dict[str, Any]]:
    """Returns `tools` for responses; answer each `function_call` of its output with `call`."""
    # Strict schemas would make every parameter required.
    return [{"type": "function", **tools(reader)[0]["function"], "strict": False}]


def call(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Returns the message that answers a call, a failure as well; the model is told of it in the text."""
    return _message(wanted, tool_spec(reader).call(_params(wanted)))


async def acall(reader: Offered, wanted: Any) -> dict[str, Any]:
    """Like `call`, in a thread that stops when the caller is cancelled."""
    return _message(wanted, await tool_spec(reader).acall(_params(wanted)))


def _params(wanted: Any) -> object:
    return parsed((wanted.function if hasattr(wanted, "function") else wanted).arguments)


def _message(wanted: Any, reply: Reply) -> dict[str, Any]:
    if hasattr(wanted, "function"):
        return {"role": "tool", "tool_call_id": wanted.id, "content": reply.text}
    return {"type": "function_call_output", "call_id": wanted.call_id, "output": reply.text}
