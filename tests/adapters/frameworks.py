"""The tools as each framework tells a model of them: run in a framework's environment, prints a JSON list a dialect."""

import json
import sys
from importlib import import_module

from readwell import Reader
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager


def openai(tool):
    return tool["function"]


def anthropic(tool):
    told = tool.to_dict()
    return {**told, "parameters": told["input_schema"]}


def langchain(tool):
    from langchain_core.utils.function_calling import convert_to_openai_tool

    return convert_to_openai_tool(tool)["function"]


def pydantic_ai(tool):
    told = tool.tool_def
    return {"name": told.name, "description": told.description, "parameters": told.parameters_json_schema}


def openai_agents(tool):
    return {"name": tool.name, "description": tool.description, "parameters": tool.params_json_schema}


def llamaindex(tool):
    return tool.metadata.to_openai_tool()["function"]


def smolagents(tool):
    from smolagents.models import get_tool_json_schema

    return get_tool_json_schema(tool)["function"]


def agno(functions):
    function, async_function = functions
    assert function.to_dict() == async_function.to_dict()
    return function.to_dict()


def crewai(tool):
    from crewai.utilities.agent_utils import convert_tools_to_openai_schema

    told = convert_tools_to_openai_schema([tool])[0][0]["function"]
    properties = told["parameters"]["properties"]
    assert told["parameters"]["required"] == list(properties)  # of which those that may be null are none
    told["parameters"]["required"] = [name for name, each in properties.items() if "anyOf" not in each]
    told["parameters"]["properties"] = {name: each.get("anyOf", [each])[0] for name, each in properties.items()}
    assert told["name"] == tool.name.lower()  # whatever the tool is called
    return {**told, "name": tool.name}


def strands(tool):
    return {**tool.tool_spec, "parameters": tool.tool_spec["inputSchema"]["json"]}


def google_adk(tool):
    told = tool._get_declaration()
    return {"name": told.name, "description": told.description, "parameters": told.parameters_json_schema}


def listed(tools):
    """The tools one by one: those of a toolkit as pairs, for both kinds of calls."""
    if not hasattr(tools[0], "async_functions"):
        return tools
    [toolkit] = tools
    return list(zip(toolkit.functions.values(), toolkit.async_functions.values(), strict=True))


if __name__ == "__main__":
    name, root = sys.argv[1:]
    faces = {
        "native": Reader(root),
        "qq": FileManager(root),
        "envelope": EnvelopeTool(root),
        "opencode": OpencodeTool(root),
    }
    tools = import_module(f"readwell.adapters.{name}").tools
    told = {dialect: [globals()[name](tool) for tool in listed(tools(face))] for dialect, face in faces.items()}
    kept = ("name", "description", "parameters")
    print(
        json.dumps({dialect: [{key: each[key] for key in kept} for each in tools] for dialect, tools in told.items()})
    )
