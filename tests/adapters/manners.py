"""What each tool gives back to its framework, called as the framework calls it: run in its environment, prints JSON.

For each call, synchronous where that is possible and asynchronous: the kind of the answer, and what it holds.
"""

import asyncio
import json
import sys
from importlib import import_module
from types import SimpleNamespace

from readwell import Reader

TOOLS = ("read", "search")
LEFT_EMPTY = {"read": "encoding", "search": "glob"}
"""A parameter of each tool that is passed as null."""


def openai(name, reader, called):
    from readwell.adapters.openai import acall, call

    def wanted(params):
        return SimpleNamespace(id="1", function=SimpleNamespace(name=called, arguments=json.dumps(params)))

    return lambda params: call(reader, wanted(params)), lambda params: acall(reader, wanted(params))


def openai_agents(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]
    return None, lambda params: tool.on_invoke_tool(None, json.dumps(params))


def strands(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]

    async def acall(params):
        return [event.tool_result async for event in tool.stream({"toolUseId": "1", "input": params}, {})]

    return None, acall


def google_adk(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]
    return None, lambda params: tool.run_async(args=params, tool_context=None)


def anthropic(name, reader, called):
    adapter = import_module("readwell.adapters.anthropic")
    number = TOOLS.index(called)
    return adapter.tools(reader)[number].call, adapter.async_tools(reader)[number].call


def langchain(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]

    def wanted(params):
        return {"type": "tool_call", "id": "1", "name": called, "args": params}

    async def acall(params):
        return shown(await tool.ainvoke(wanted(params)))

    def shown(message):
        return [message.status, message.content, message.artifact]

    return lambda params: shown(tool.invoke(wanted(params))), acall


def pydantic_ai(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]

    async def acall(params):
        returned = await tool.function(**params)
        return [type(returned).__name__, returned.return_value, returned.metadata]

    return None, acall


def llamaindex(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]

    def shown(output):
        return [output.is_error, output.content, output.raw_output, type(output.exception).__name__]

    async def acall(params):
        return shown(await tool.acall(**params))

    return lambda params: shown(tool.call(**params)), acall


def agno(name, reader, called):
    [toolkit] = tools(name, reader)
    call, acall = toolkit.functions[called].entrypoint, toolkit.async_functions[called].entrypoint
    return lambda params: call(**params), lambda params: acall(**params)


def crewai(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]

    def shown(answer):
        return answer if isinstance(answer, str) else [type(answer).__name__, answer.message]

    empty = {LEFT_EMPTY[called]: None}

    async def acall(params):
        return shown(await tool.arun(**params, **empty))

    return lambda params: shown(tool.run(**params, **empty)), acall


def smolagents(name, reader, called):
    tool = tools(name, reader)[TOOLS.index(called)]
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
    framework, roots, calls = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
    with Reader(roots) as reader:
        made = {called: globals()[framework](framework, reader, called) for called in TOOLS}
        ways = [dict(zip(TOOLS, way)) for way in zip(*made.values()) if all(way)]
        print(json.dumps([[outcome(way[called], params) for called, params in calls] for way in ways]))
