"""Anthropic's SDK: its tool runner, synchronous and asynchronous."""

import json

import httpx2
from anthropic import Anthropic, AsyncAnthropic
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.anthropic import async_tools, tools

ASKED: dict = {"model": "script", "max_tokens": 1000, "messages": [{"role": "user", "content": TASK}]}


def run(reader: Reader, model: Model) -> None:
    client = Anthropic(api_key="none", http_client=httpx2.Client(transport=transport(model)))
    client.beta.messages.tool_runner(**ASKED, tools=tools(reader)).until_done()


async def arun(reader: Reader, model: Model) -> None:
    client = AsyncAnthropic(api_key="none", http_client=httpx2.AsyncClient(transport=transport(model)))
    await client.beta.messages.tool_runner(**ASKED, tools=async_tools(reader)).until_done()


def transport(model: Model) -> httpx2.MockTransport:
    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        result = body["messages"][-1]["content"][0]
        told = heard(result) if isinstance(result, dict) else ()
        return httpx2.Response(200, json=message(model.next(*told)))

    return httpx2.MockTransport(answer)


def heard(result: dict) -> tuple[str, bool, str]:
    if isinstance(result["content"], str):
        return result["content"], result.get("is_error", False), ""
    text, image = result["content"]
    return text["text"], result.get("is_error", False), image["source"]["data"]


def message(asked: dict | str) -> dict:
    block = {"type": "tool_use", "id": "1", "name": "read", "input": asked}
    if isinstance(asked, str):
        block = {"type": "text", "text": asked}
    return {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "script",
        "content": [block],
        "stop_reason": "end_turn" if isinstance(asked, str) else "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


if __name__ == "__main__":
    play(run, arun)
