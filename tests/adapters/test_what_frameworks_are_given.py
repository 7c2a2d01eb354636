"""What each adapter hands to its framework, whose classes are replaced by records of what they are given.

The frameworks themselves run in test_frameworks.py, which takes minutes; here a slip in an adapter shows at once.
"""

import asyncio
import sys
from importlib import import_module
from types import ModuleType

import pytest

from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.adapters.param_forms import with_nullable_optionals
from readwell.dialects import dialect_named
from readwell.tool import Tool
from readwell.toolspec import text_specs, tool_spec

PLACES = {
    "agno": "agno.exceptions:AgentRunException!,RetryAgentRun! agno.media:Image agno.tools:Function,Toolkit "
    "agno.tools.function:ToolResult",
    "anthropic": "anthropic:beta_tool,beta_async_tool anthropic.lib.tools:ToolError!",
    "crewai": "crewai.tools:BaseTool crewai.tools.tool_failure:ToolFailure",
    "google_adk": "google.adk.tools:BaseTool google.genai.types:FunctionDeclaration,Part",
    "langchain": "langchain_core.messages.content:create_image_block,create_text_block "
    "langchain_core.tools:StructuredTool,ToolException!",
    "llamaindex": "llama_index.core.base.llms.types:ImageBlock,TextBlock "
    "llama_index.core.tools:AsyncBaseTool,ToolMetadata,ToolOutput",
    "openai_agents": "agents:FunctionTool,ToolOutputImage,ToolOutputText",
    "pydantic_ai": "pydantic_ai:BinaryContent,ModelRetry!,Tool,ToolFailed!,ToolReturn",
    "smolagents": "smolagents:Tool",
    "strands": "strands.tools.tools:PythonAgentTool",
}
"""What adapters import, by module; what is raised has an exclamation mark."""
GOOD, MISTYPED, OUTSIDE, SEEN = {"path": "notes.txt"}, {"path": "note.txt"}, {"path": "../x"}, {"path": "red.png"}


class Record:
    """Stands for a class of a framework: it keeps what it was made with."""

    functions, async_functions = (property(lambda self, key=key: vars(self).setdefault(key, {})) for key in "fa")

    def __init__(self, *args, **fields):
        self.given = (*args, fields) if fields else args

    def __repr__(self):
        return f"{type(self).__name__}{self.given}"

    def __eq__(self, other):
        return repr(self) == repr(other)

    __hash__ = None

    @classmethod
    def from_schema(cls, *args):
        return cls(*args)

    @classmethod
    def from_bytes(cls, **fields):
        return cls(**fields)


@pytest.fixture
def given(monkeypatch):
    """Returns a function that puts records in the place of a framework, and returns its adapter and the records."""

    def of(framework):
        made = {}
        for place in PLACES[framework].split():
            module, _, names = place.partition(":")
            steps = module.split(".")
            for end in range(1, len(steps) + 1):
                name = ".".join(steps[:end])
                if name not in sys.modules or end == len(steps):
                    monkeypatch.setitem(sys.modules, name, ModuleType(name))
            for name in names.split(","):
                kind = Exception if name.endswith("!") else Record
                made[name.rstrip("!")] = type(name.rstrip("!"), (kind,), {})
                setattr(sys.modules[module], name.rstrip("!"), made[name.rstrip("!")])
        return import_module(f"readwell.adapters.{framework}"), made

    return of


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    folder = tmp_path_factory.mktemp("folder")
    (folder / "notes.txt").write_text("one\ntwo\n")
    image.new("RGB", (4, 2), "red").save(folder / "red.png")
    with Reader(folder, images=True) as reader:
        yield reader


def results(call, *several, raised=Exception):
    """What calls return, or raise."""
    told = []
    for params in several:
        try:
            found = call(params)
            told.append(asyncio.run(found) if asyncio.iscoroutine(found) else found)
        except raised as error:
            told.append((type(error).__name__, str(error)))
    return told


def replies(reader, *several):
    return [reader.reply(params) for params in several]


def by_name(function):
    return lambda params: function(**params)


def test_anthropic_is_given_blocks_and_errors(given, reader):
    adapter, _ = given("anthropic")
    spec = tool_spec(reader)
    named = {"name": spec.name, "description": spec.description, "input_schema": spec.schema}
    [good, mistyped, seen] = replies(reader, GOOD, MISTYPED, SEEN)
    source = {"type": "base64", "media_type": seen.picture.media_type, "data": seen.picture.base64}
    blocks = [{"type": "text", "text": seen.text}, {"type": "image", "source": source}]
    for made in (adapter.tools(reader)[0], adapter.async_tools(reader)[0]):
        call, about = made.given
        assert about == named
        assert results(by_name(call), GOOD, MISTYPED, SEEN) == [good.text, ("ToolError", mistyped.text), blocks]


def test_agno_is_given_results_and_what_can_be_corrected(given, reader):
    adapter, made = given("agno")
    [toolkit], spec = adapter.tools(reader), tool_spec(reader)
    [good, mistyped, outside, seen] = replies(reader, GOOD, MISTYPED, OUTSIDE, SEEN)
    image = made["Image"](content=seen.picture.content, mime_type=seen.picture.media_type)
    wanted = [
        good.text,
        ("RetryAgentRun", mistyped.text),
        ("AgentRunException", outside.text),
        made["ToolResult"](content=seen.text, images=[image]),
    ]
    for functions in (toolkit.functions, toolkit.async_functions):
        [about] = functions[spec.name].given
        assert {**about, "entrypoint": None} == {
            **spec.definition,
            "entrypoint": None,
            "skip_entrypoint_processing": True,
        }
        assert results(by_name(about["entrypoint"]), GOOD, MISTYPED, OUTSIDE, SEEN) == wanted
    assert toolkit.given == ("readwell",)


def test_crewai_is_given_text_and_failures_without_nulls(given, reader):
    adapter, made = given("crewai")
    tool, spec = adapter.tools(reader)[0], text_specs(reader)[0]
    [about] = tool.given
    assert (about["name"], about["description"], about["cache_function"](1)) == (spec.name, spec.description, False)
    assert with_nullable_optionals(spec.schema).items() <= about["args_schema"].model_json_schema().items()
    assert about["args_schema"].__name__ == "read_params"
    wanted = [spec.call(GOOD).text, made["ToolFailure"](message=spec.call(MISTYPED).text)]
    for call in (tool._run, tool._arun):
        assert results(by_name(call), {**GOOD, "limit": None}, MISTYPED) == wanted


def test_google_adk_is_given_a_result_or_an_error_and_named_images(given, reader):
    adapter, made = given("google_adk")
    tool, spec = adapter.tools(reader)[0], tool_spec(reader)
    named = {"name": spec.name, "description": spec.description}
    assert tool.given == (named,)
    assert tool._get_declaration().given == ({**named, "parameters_json_schema": spec.schema},)
    [good, mistyped, seen] = replies(reader, GOOD, MISTYPED, SEEN)
    part = made["Part"](data=seen.picture.content, mime_type=seen.picture.media_type)
    told = results(lambda params: tool.run_async(args=params, tool_context=None), GOOD, MISTYPED, SEEN)
    assert told == [{"result": good.text}, {"error": mistyped.text}, {"result": seen.text, "image": part}]


def test_google_adk_is_given_each_page_of_a_reply_by_a_name_of_its_own(given, reader, tmp_path):
    adapter, _ = given("google_adk")
    (tmp_path / "a.pdf").write_bytes(pdf(*(Page().text(72, 700, f"Page {number}") for number in (1, 2, 3))))
    with Reader(tmp_path, cache_dir=None) as pages:
        asked = {"path": "a.pdf", "view": "image", "pages": "1-3"}
        told = asyncio.run(adapter.tools(pages)[0].run_async(args=asked, tool_context=None))
        drawn = [each.content for each in pages.reply(asked).pictures]
    assert list(told) == ["result", "image", "image_2", "image_3"]
    assert [part.given[0]["data"] for part in list(told.values())[1:]] == drawn and len(set(drawn)) == 3


def test_langchain_is_given_content_and_artifact(given, reader):
    adapter, made = given("langchain")
    spec = tool_spec(reader)
    [about] = adapter.tools(reader)[0].given
    calls = about.pop("func"), about.pop("coroutine")
    named = {"name": spec.name, "description": spec.description, "args_schema": spec.schema}
    assert about == {**named, "response_format": "content_and_artifact", "handle_tool_error": True}
    [good, mistyped, seen] = replies(reader, GOOD, MISTYPED, SEEN)
    image = made["create_image_block"](base64=seen.picture.base64, mime_type=seen.picture.media_type)
    wanted = [
        (good.text, good.data),
        ("ToolException", mistyped.text),
        ([made["create_text_block"](seen.text), image], seen.data),
    ]
    for call in calls:
        assert results(by_name(call), GOOD, MISTYPED, SEEN) == wanted


def test_llamaindex_is_given_blocks_and_both_sides_of_a_call(given, reader):
    adapter, made = given("llamaindex")
    tool, spec = adapter.tools(reader)[0], tool_spec(reader)
    description, name, model = tool.metadata.given
    assert (description, name, model.__name__) == (spec.description, spec.name, "read_params")
    assert spec.schema.items() <= model.model_json_schema().items()
    for call in (tool.call, tool.acall):
        for params in (GOOD, MISTYPED, SEEN):
            reply = reader.reply(params)
            blocks = [made["TextBlock"](text=reply.text)]
            blocks += [made["ImageBlock"](image=it.content, image_mimetype=it.media_type) for it in reply.pictures]
            sides = {"blocks": blocks, "raw_input": params, "raw_output": reply.data}
            [told] = results(by_name(call), params)
            assert (told.given[0], {**told.given[1], "exception": None}) == (
                "read",
                {**sides, "is_error": reply.is_error, "exception": None},
            )
            assert type(told.given[1]["exception"]) is type(reply.error)


def test_openai_agents_are_given_text_and_images(given, reader):
    adapter, made = given("openai_agents")
    spec = tool_spec(reader)
    name, description, schema, call, about = adapter.tools(reader)[0].given
    assert (name, description, schema, about) == (
        spec.name,
        spec.description,
        spec.schema,
        {"strict_json_schema": False},
    )
    [good, mistyped, seen] = replies(reader, GOOD, MISTYPED, SEEN)
    image = made["ToolOutputImage"](image_url=seen.picture.data_url)
    told = results(lambda path: call(None, f'{{"path": "{path}"}}'), "notes.txt", "note.txt", "red.png")
    assert told == [good.text, mistyped.text, [made["ToolOutputText"](text=seen.text), image]]


def test_pydantic_ai_is_given_returns_and_what_can_be_corrected(given, reader):
    adapter, made = given("pydantic_ai")
    tool, spec = adapter.tools(reader)[0], tool_spec(reader)
    call, *about = tool.given
    assert about == [spec.name, spec.description, spec.schema]
    assert tool.max_retries > 1
    [good, mistyped, outside, seen] = replies(reader, GOOD, MISTYPED, OUTSIDE, SEEN)
    image = made["BinaryContent"](seen.picture.content, media_type=seen.picture.media_type)
    assert results(by_name(call), GOOD, MISTYPED, OUTSIDE, SEEN) == [
        made["ToolReturn"](good.text, metadata=good.data),
        ("ModelRetry", mistyped.text),
        ("ToolFailed", outside.text),
        made["ToolReturn"]([seen.text, image], metadata=seen.data),
    ]


def test_smolagents_are_given_text_and_described_parameters(given, reader):
    (adapter, _), envelope = given("smolagents"), Tool(dialect_named("envelope"))
    tool, spec = adapter.tools(reader)[0], text_specs(reader)[0]
    assert (tool.name, tool.description, tool.output_type) == (spec.name, spec.description, "string")
    assert tool.skip_forward_signature_validation is True
    nullable = {"nullable": True}
    assert tool.inputs == {
        name: {"description": "", **about, **nullable} for name, about in spec.schema["properties"].items()
    }
    schema = envelope.dialect_tool.schema
    assert adapter.tools(envelope)[0].inputs == {
        name: {"description": "", **about, **({} if name in schema["required"] else nullable)}
        for name, about in schema["properties"].items()
    }
    wanted = [spec.call(GOOD).text, ("RuntimeError", spec.call(MISTYPED).text)]
    assert results(by_name(tool.forward), {**GOOD, "limit": None}, MISTYPED) == wanted
    assert tool.forward("notes.txt") == wanted[0]


def test_strands_is_given_content_and_a_status(given, reader):
    adapter, _ = given("strands")
    spec = tool_spec(reader)
    name, definition, call = adapter.tools(reader)[0].given
    assert (name, definition.pop("name"), definition.pop("description")) == (spec.name, spec.name, spec.description)
    assert definition == {"inputSchema": {"json": spec.schema}}
    [good, mistyped, seen] = replies(reader, GOOD, MISTYPED, SEEN)
    image = {"image": {"format": "png", "source": {"bytes": seen.picture.content}}}
    told = results(lambda params: call({"toolUseId": "7", "input": params}, more=1), GOOD, MISTYPED, SEEN)
    assert told == [
        {"toolUseId": "7", "status": "success", "content": [{"text": good.text}]},
        {"toolUseId": "7", "status": "error", "content": [{"text": mistyped.text}]},
        {"toolUseId": "7", "status": "success", "content": [{"text": seen.text}, image]},
    ]
