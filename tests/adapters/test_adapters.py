"""What holds of the adapters without any framework: OpenAI's form needs none, and none is needed to import the others."""

import ast
import asyncio
import json
import subprocess
import sys
from base64 import b64encode
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import readwell
from corpus.pdf_writer import Page, pdf
from readwell import Reader
from readwell.adapters import openai
from readwell.adapters.param_forms import params_model, parse_params, with_nullable_optionals, without_nulls
from readwell.dialects import NAMES, dialect_named
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager
from readwell.tool import Tool
from readwell.toolspec import text_specs, tool_spec

HOUSE = Path(__file__).parents[2]
ADAPTERS = sorted((Path(readwell.__file__).parent / "adapters").glob("*.py"))
FRAMEWORKS = [path.stem for path in ADAPTERS if path.stem not in ("__init__", "missing_framework", "param_forms")]


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with Reader(tmp_path) as reader:
        yield reader


def chat_call(arguments):
    return SimpleNamespace(id="c1", function=SimpleNamespace(name="read", arguments=arguments))


def response_call(arguments):
    return SimpleNamespace(type="function_call", call_id="c1", name="read", arguments=arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"path": "notes.txt"}',
        '{"path": "note.txt"}',
        '{"path": "../x"}',
        "{}",
        "",
        "[]",
        "7",
        "{broken",
        '"' * 9,
        "[" * 99999,
    ],
    ids=lambda text: text[:24],
)
def test_whatever_arguments_a_model_writes_a_call_is_answered(reader, arguments):
    told = reader.reply(parse_params(arguments)).text
    chat = {"role": "tool", "tool_call_id": "c1", "content": told}
    response = {"type": "function_call_output", "call_id": "c1", "output": told}
    for wanted, message in ((chat_call(arguments), chat), (response_call(arguments), response)):
        assert openai.call(reader, wanted) == message
        assert asyncio.run(openai.acall(reader, wanted)) == message


@pytest.mark.parametrize(
    ("arguments", "params"), [('{"path": "a.txt"}', {"path": "a.txt"}), ("", {}), ("[1]", [1]), ('{"path"', '{"path"')]
)
def test_arguments_are_the_params_that_a_model_wrote_and_invalid_json_stays_text(arguments, params):
    assert parse_params(arguments) == params


def test_openai_is_shown_an_image_in_responses_and_told_of_it_in_chat_completions(tmp_path):
    image = pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    image.new("RGB", (4, 2), "red").save(tmp_path / "red.png")
    asked = '{"path": "red.png"}'
    with Reader(tmp_path, images=True) as reader:
        seen = reader.reply({"path": "red.png"})
        url = f"data:image/png;base64,{b64encode(seen.picture.content).decode()}"
        output = [{"type": "input_text", "text": seen.text}, {"type": "input_image", "image_url": url}]
        shown = {"type": "function_call_output", "call_id": "c1", "output": output}
        assert openai.call(reader, response_call(asked)) == shown
        assert asyncio.run(openai.acall(reader, response_call(asked))) == shown
        told = openai.call(reader, chat_call(asked))
        assert asyncio.run(openai.acall(reader, chat_call(asked))) == told
    with Reader(tmp_path) as plain:
        assert told["content"] == plain.reply({"path": "red.png"}).text
    assert told["content"].startswith("[error BINARY_FILE] 'red.png' is a PNG image, ")


def test_openai_is_shown_every_page_of_a_reply(tmp_path):
    pytest.importorskip("PIL.Image", reason="NOT TESTED: the extra `images` is not installed")
    (tmp_path / "a.pdf").write_bytes(pdf(Page().text(72, 700, "One"), Page().text(72, 700, "Two")))
    with Reader(tmp_path) as reader:
        answer = openai.call(reader, response_call('{"path": "a.pdf", "view": "image", "pages": "1-2"}'))
        urls = [picture.data_url for picture in reader.read("a.pdf", view="image", pages="1-2").pictures]
    assert [part["image_url"] for part in answer["output"][1:]] == urls and len(set(urls)) == 2


def test_what_carries_only_text_is_the_same_tool_without_images(tmp_path):
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    with Reader(tmp_path, images=True) as reader:
        plain, whole = text_specs(reader)[0], tool_spec(reader)
        assert plain[:3] == whole[:3]
        codes = [spec.call({"path": "logo.png"}).data["error"]["code"] for spec in (plain, whole)]
        assert codes == ["BINARY_FILE", "CONVERSION_FAILED"]
        assert asyncio.run(plain.acall({"path": "logo.png"})).data["error"]["code"] == "BINARY_FILE"


@pytest.mark.parametrize("dialect", NAMES)
def test_openai_is_told_what_the_schema_command_prints(dialect):
    tool = Tool(dialect_named(dialect))
    told = tool.dialect.tools
    assert openai.tools(tool) == [each.definition("openai") for each in told]
    flat = openai.response_tools(tool)
    assert flat == [{"type": "function", "strict": False, **each.definition("json")} for each in told]


def test_every_face_can_be_offered(tmp_path):
    faces = (Reader(tmp_path), FileManager(tmp_path), EnvelopeTool(tmp_path), OpencodeTool(tmp_path))
    assert [tool_spec(face).name for face in faces] == ["read", "read_file", "Read", "read"]
    assert [tool_spec(face.tool).schema for face in faces] == [face.tool.dialect_tool.schema for face in faces]


def test_a_framework_that_changes_the_schema_it_was_given_changes_nothing_for_others(reader):
    before = json.dumps(reader.tool.dialect_tool.schema)
    shown = openai.tools(reader)[0]["function"]["parameters"]
    shown["properties"]["path"]["type"] = "changed"
    model = params_model("read", tool_spec(reader).schema)
    model.model_json_schema()["properties"]["path"]["type"] = "changed"
    assert json.dumps(reader.tool.dialect_tool.schema) == before
    assert model.model_json_schema()["properties"]["path"]["type"] == "string"


def test_where_every_parameter_is_required_the_optional_ones_may_be_null():
    word, count = {"type": "string"}, {"type": "integer"}
    schema = {"type": "object", "properties": {"path": word, "limit": count}, "required": ["path"]}
    nullable = {"anyOf": [count, {"type": "null"}]}
    assert with_nullable_optionals(schema) == {**schema, "properties": {"path": word, "limit": nullable}}
    assert with_nullable_optionals({"properties": {"limit": count}}) == {"properties": {"limit": nullable}}
    assert without_nulls({"path": "a", "limit": None, "numbered": False}) == {"path": "a", "numbered": False}


def test_a_model_of_params_lets_everything_through(reader):
    model = params_model("read", tool_spec(reader).schema)
    assert model.model_validate({"file_path": 7}).model_dump() == {"file_path": 7}


def test_no_framework_is_needed_to_import_an_adapter():
    code = (
        f"from importlib import import_module\nfor name in {FRAMEWORKS!r}: import_module(f'readwell.adapters.{{name}}')"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path = {sys.path!r}\n{code}"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    for path in ADAPTERS:
        top = [node for node in ast.parse(path.read_text()).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        foreign = {node.module for node in top if isinstance(node, ast.ImportFrom) and not node.level}
        assert foreign <= {"typing", "__future__", "collections.abc", "functools"}, path


def test_an_adapter_stays_small():
    assert {path.name: lines for path in ADAPTERS if (lines := len(path.read_text().splitlines())) > 54} == {}


def test_every_adapter_is_tried_shown_and_written_about():
    page = (HOUSE / "docs" / "adapters.md").read_text()
    installed = {}
    exec((HOUSE / "scripts" / "frameworks.py").read_text().partition("PROJECT")[0], installed)
    assert sorted(installed["PACKAGES"]) == FRAMEWORKS
    for name, packages in installed["PACKAGES"].items():
        assert (HOUSE / "examples" / "frameworks" / f"with_{name}.py").exists()
        assert f"`readwell.adapters.{name}`" in page
        assert [package for package in packages if package.replace("==", " ") not in page] == []


@pytest.mark.parametrize("framework", [name for name in FRAMEWORKS if name != "openai"])
def test_a_framework_that_is_missing_is_named_with_what_to_install(framework, reader):
    """The page of the framework says the same."""
    page = (HOUSE / "docs" / "frameworks" / f"{framework}.md").read_text()
    try:
        import_module(f"readwell.adapters.{framework}").tools(reader)
    except ModuleNotFoundError as error:
        command = str(error).rpartition(": ")[2]
        assert command.startswith("pip install ") and f"`{command} " in page
    else:
        pytest.skip(f"NOT TESTED: {framework} is installed")
