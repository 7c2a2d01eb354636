"""What a tool gives back to its framework, called as the framework calls it: run in its environment, prints JSON.

For each call, synchronous where that is possible and asynchronous: the kind of the answer, and what it holds.
"""

import asyncio
import json
import sys
from importlib import import_module
from types import SimpleNamespace

from readwell import Reader


def openai(name, reader):
    from readwell.adapters.openai import acall, call

    def wanted(params):
        return SimpleNamespace(id="1", function=SimpleNamespace(name="read", arguments=json.dumps(params)))

    return lambda params: call(reader, wanted(params)), lambda params: acall(reader, wanted(params))


def openai_agents(name, reader):
    tool = tools(name, reader)[0]
    return None, lambda params: tool.on_invoke_tool(None, json.dumps(params))


def strands(name, reader):
    tool = tools(name, reader)[0]

    async def acall(params):
        return [event.tool_result async for event in tool.stream({"toolUseId": "1", "input": params}, {})]

    return None, acall


def google_adk(name, reader):
    tool = tools(name, reader)[0]
    return None, lambda params: tool.run_async(args=params, tool_context=None)


def anthropic(name, reader):
    adapter = import_module("readwell.adapters.anthropic")
    tool, async_tool = adapter.tools(reader)[0], adapter.async_tools(reader)[0]
    return tool.call, async_tool.call


def langchain(name, reader):
    tool = tools(name, reader)[0]

    def wanted(params):
        return {"type": "tool_call", "id": "1", "name": "read", "args": params}

    async def acall(params):
        return shown(await tool.ainvoke(wanted(params)))

    def shown(message):
        return [message.status, message.content, message.artifact]

    return lambda params: shown(tool.invoke(wanted(params))), acall


def pydantic_ai(name, reader):
    tool = tools(name, reader)[0]

    async def acall(params):
        returned = await tool.function(**params)
        return [type(returned).__name__, returned.return_value, returned.metadata]

    return None, acall


def llamaindex(name, reader):
    tool = tools(name, reader)[0]

    def shown(output):
        return [output.is_error, output.content, output.raw_output, type(output.exception).__name__]

    async def acall(params):
        return shown(await tool.acall(**params))

    return lambda params: shown(tool.call(**params)), acall


def agno(name, reader):
    toolkit = tools(name, reader)[0]
    call, acall = toolkit.functions["read"].entrypoint, toolkit.async_functions["read"].entrypoint
    return lambda params: call(**params), lambda params: acall(**params)


def crewai(name, reader):
    tool = tools(name, reader)[0]

    def shown(answer):
        return answer if isinstance(answer, str) else [type(answer).__name__, answer.message]

    async def acall(params):
        return shown(await tool.arun(**params, encoding=None))

    return lambda params: shown(tool.run(**params, encoding=None)), acall


def smolagents(name, reader):
    tool = tools(name, reader)[0]
    return lambda params: tool(*params.values()), None


def tools(name, reader):
    return import_module(f"readwell.adapters.{name}").tools(reader)


def outcome(call, params):
    try:
        answer = call(params)
        return asyncio.run(answer) if asyncio.iscoroutine(answer) else answer
    except Exception as error:
        return [type(error).__name__, str(error)]


if __name__ == "__main__":
    framework, roots, params = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    with Reader(roots) as reader:
        ways = [way for way in globals()[framework](framework, reader) if way]
        print(json.dumps([[outcome(way, each) for each in params] for way in ways]))
