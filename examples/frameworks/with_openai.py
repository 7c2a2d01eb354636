"""OpenAI's SDK: chat completions in a loop, and responses in an asynchronous one."""

import json
from functools import partial

import httpx2
from openai import AsyncOpenAI, OpenAI
from scenario import TASK, Model, play

from readwell import Reader
from readwell.adapters.openai import acall, call, response_tools, tools


def run(reader: Reader, model: Model) -> None:
    http = httpx2.Client(transport=httpx2.MockTransport(partial(chat, model)))
    client = OpenAI(api_key="none", http_client=http)
    messages: list = [{"role": "user", "content": TASK}]
    while True:
        answer = client.chat.completions.create(model="script", messages=messages, tools=tools(reader))
        message = answer.choices[0].message
        if not message.tool_calls:
            return
        messages += [message, *(call(reader, wanted) for wanted in message.tool_calls)]


async def arun(reader: Reader, model: Model) -> None:
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(partial(respond, model)))
    client = AsyncOpenAI(api_key="none", http_client=http)
    items: list = [{"role": "user", "content": TASK}]
    while True:
        answer = await client.responses.create(model="script", input=items, tools=response_tools(reader))
        calls = [item for item in answer.output if item.type == "function_call"]
        if not calls:
            return
        items += [*answer.output, *[await acall(reader, wanted) for wanted in calls]]


def chat(model: Model, request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    asked = model.next(body["messages"][-1]["content"])
    message: dict = {"role": "assistant", "content": asked}
    if not isinstance(asked, str):
        function = {"name": body["tools"][0]["function"]["name"], "arguments": json.dumps(asked)}
        message = {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return httpx2.Response(
        200, json={"id": "1", "object": "chat.completion", "created": 0, "model": "script", "choices": [choice]}
    )


def respond(model: Model, request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    output = body["input"][-1].get("output")
    if isinstance(output, list):
        text, image = output
        asked = model.next(text["text"], None, image["image_url"].removeprefix("data:image/png;base64,"))
    else:
        asked = model.next(output)
    if isinstance(asked, str):
        content = [{"type": "output_text", "text": asked, "annotations": []}]
        item = {"type": "message", "id": "1", "status": "completed", "role": "assistant", "content": content}
    else:
        named = {"name": body["tools"][0]["name"], "arguments": json.dumps(asked)}
        item = {"type": "function_call", "id": "1", "call_id": "1", **named}
    return httpx2.Response(
        200, json={"id": "1", "object": "response", "created_at": 0, "model": "script", "output": [item]}
    )


if __name__ == "__main__":
    play(run, arun)
