"""Each adapter in its framework's own loop, with a script in the place of the model: `make adapters`.

Every framework has an environment of its own. Four are part of `make test-full`, all of them of `make soak`.
"""

import io
import json
import os
import pwd
import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path

import pytest
from scripted_server import serving

from readwell import Reader
from readwell.dialects import NAMES, dialect_named

pytestmark = pytest.mark.slow

HOUSE = Path(__file__).parents[2]
EXAMPLES = HOUSE / "examples" / "frameworks"
EVERY_TIME = ["openai", "anthropic", "langchain", "pydantic_ai"]
THE_REST = ["openai_agents", "llamaindex", "smolagents", "agno", "crewai", "strands", "google_adk"]
CHOSEN = os.environ.get("READWELL_FRAMEWORKS", " ".join(EVERY_TIME)).split()
FRAMEWORKS = EVERY_TIME + THE_REST if CHOSEN == ["all"] else CHOSEN
if unknown := {*FRAMEWORKS} - {*EVERY_TIME, *THE_REST}:
    raise pytest.UsageError(
        f"no such framework: {', '.join(sorted(unknown))}; there are {', '.join(EVERY_TIME + THE_REST)}"
    )
PAIRS = {
    page.stem: re.findall(r'`pip install (\S+) "readwell\[([\w,]+)\]"`', page.read_text())
    for page in (HOUSE / "docs" / "adapters.md", *sorted((HOUSE / "docs" / "frameworks").glob("*.md")))
}
"""Packages that pages say to install beside readwell, each with the extras to take, by page."""
FLAGGING = {"anthropic", "langchain", "pydantic_ai", "agno", "strands", "google_adk"}
"""Frameworks that tell a model beside the text whether a call failed."""
SYNCHRONOUS = {"smolagents"}
ONE_WAY = SYNCHRONOUS | {"pydantic_ai", "openai_agents", "strands", "google_adk"}
"""Frameworks whose tools are called in one way, whichever loop it is."""
TEXT_ONLY = {("openai", "sync"), ("smolagents", "sync"), ("crewai", "sync"), ("crewai", "async")}
"""Loops in which a tool cannot show an image; OpenAI's first one is that of chat completions."""
UNSEEN = "[error BINARY_FILE] 'plan.png' is a PNG image, 1.2 KB. Look at it with view=\"image\", if your client shows images."
MANNERS = {
    "openai": lambda *replies: [{"role": "tool", "tool_call_id": "1", "content": reply.text} for reply in replies],
    "openai_agents": lambda *replies: [reply.text for reply in replies],
    "strands": lambda ok, mend, end: [
        [{"toolUseId": "1", "status": "success", "content": [{"text": ok.text}]}],
        [{"toolUseId": "1", "status": "error", "content": [{"text": mend.text}]}],
        [{"toolUseId": "1", "status": "error", "content": [{"text": end.text}]}],
    ],
    "google_adk": lambda ok, mend, end: [{"result": ok.text}, {"error": mend.text}, {"error": end.text}],
    "anthropic": lambda ok, mend, end: [ok.text, ["ToolError", mend.text], ["ToolError", end.text]],
    "langchain": lambda ok, mend, end: [
        ["success", ok.text, ok.data],
        ["error", mend.text, None],
        ["error", end.text, None],
    ],
    "pydantic_ai": lambda ok, mend, end: [
        ["ToolReturn", ok.text, ok.data],
        ["ModelRetry", mend.text],
        ["ToolFailed", end.text],
    ],
    "llamaindex": lambda ok, mend, end: [
        [False, ok.text, ok.data, "NoneType"],
        [True, mend.text, mend.data, "NotFound"],
        [True, end.text, end.data, "AccessDenied"],
    ],
    "agno": lambda ok, mend, end: [ok.text, ["RetryAgentRun", mend.text], ["AgentRunException", end.text]],
    "crewai": lambda ok, mend, end: [ok.text, ["ToolFailure", mend.text], ["ToolFailure", end.text]],
    "smolagents": lambda ok, mend, end: [ok.text, ["RuntimeError", mend.text], ["RuntimeError", end.text]],
}
"""What a tool gives its framework for a success, a failure that another call may mend and one that none does."""
INSTALL_S, RUN_S = 600, 120


@pytest.fixture(scope="module", params=FRAMEWORKS)
def framework(request):
    """Returns the name of a framework and how to run a program beside it."""
    command = [sys.executable, HOUSE / "scripts" / "frameworks.py", request.param]
    installed = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S)
    if installed.returncode:
        pytest.skip(f"NOT CHECKED: {installed.stderr.strip()[:500]}")
    return request.param, lambda *words: run(installed.stdout.strip(), *words)


@pytest.mark.parametrize("page", [*FRAMEWORKS, *(["adapters"] if CHOSEN == ["all"] else [])])
def test_the_extras_that_a_page_names_hold_no_framework_back(page, tmp_path):
    assert PAIRS[page]
    for package, extras in PAIRS[page]:
        names = ["all"] if extras == "all" else extras.split(",")
        beside = [word for name in names for word in ("--extra", name)]
        alone = resolved(package, tmp_path)
        assert resolved(package, tmp_path, *beside, HOUSE / "pyproject.toml") == alone, (package, extras)


def resolved(package, folder, *words):
    """The version that an installer would take of a package, alone or beside something else."""
    (folder / "wanted.in").write_text(f"{package}\n")
    env = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
    command = [Path(sys.executable).parent / "uv", "pip", "compile", "--no-header", "--no-annotate", *words]
    done = subprocess.run(
        [*command, folder / "wanted.in"], env=env, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if done.returncode:
        pytest.skip(f"NOT CHECKED: {done.stderr.strip()[:500]}")
    return re.search(rf"^{package}==(.+)$", done.stdout, re.M)[1]


def run(python, *words):
    env = {**os.environ, "PYTHONPATH": str(HOUSE / "src"), "ANONYMIZED_TELEMETRY": "false"}
    done = subprocess.run([python, *map(str, words)], env=env, capture_output=True, text=True, timeout=RUN_S)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory):
    """What is asked and answered where no framework stands between."""
    written = tmp_path_factory.mktemp("scene") / "by_hand.json"
    run(sys.executable, EXAMPLES / "by_hand.py", written)
    return json.loads(written.read_text())["sync"]


def test_the_scene_has_success_retries_a_refusal_and_an_end_by_budget(by_hand):
    answers = [(step["failed"], step["answer"].splitlines()[0][:24]) for step in by_hand["steps"]]
    assert answers == [
        (True, "[error INVALID_PARAM] In"),
        (True, "[error NOT_FOUND] File '"),
        (False, "[manual.pdf | pdf, 1 pag"),
        (True, "[error ACCESS_DENIED] Pa"),
        (False, "[plan.png | PNG image, 3"),
        (False, "[server.log | lines 1-6 "),
        (False, "[server.log | lines 1-40"),
        (False, "[server.log | lines 401-"),
        (False, "[server.log | lines 801-"),
    ]
    assert by_hand["said"] == "Oil the pump. The budget ends at event 1081."


def test_the_loop_of_a_framework_hears_what_a_loop_by_hand_hears(framework, by_hand, tmp_path):
    name, python = framework
    python(EXAMPLES / f"with_{name}.py", tmp_path / "scene.json")
    scenes = json.loads((tmp_path / "scene.json").read_text())
    assert set(scenes) == ({"sync"} if name in SYNCHRONOUS else {"sync", "async"})
    for loop, scene in scenes.items():
        steps = [seen(step, (name, loop)) for step in by_hand["steps"]]
        assert [heard(step) for step in scene["steps"]] == [expected(step, name) for step in steps]
        assert scene["said"] == by_hand["said"]


def heard(step):
    """What a framework made of a step; what it adds to the text of a failure is its own affair."""
    text = step["answer"]
    error = text[text.index("[error") :].splitlines()[0] if "[error" in text else text
    return step["params"], error, step["failed"], looks(step["image"])


def expected(step, name):
    return step["params"], step["answer"], step["failed"] if name in FLAGGING else None, looks(step["image"])


def seen(step, loop):
    """What a loop by hand hears, without what cannot be carried by this one."""
    return {**step, "answer": UNSEEN, "failed": True, "image": ""} if step["image"] and loop in TEXT_ONLY else step


def looks(image):
    """An image that a model was given, by its looks: its bytes depend on who wrote them."""
    if not image:
        return None
    from PIL import Image

    with Image.open(io.BytesIO(b64decode(image, validate=True))) as shown:
        return shown.format, shown.size, shown.convert("RGB").getpixel((700, 25))


def test_the_image_of_the_scene_is_seen_by_hand(by_hand):
    images = [looks(step["image"]) for step in by_hand["steps"] if step["image"]]
    assert images == [("PNG", (1568, 50), (255, 0, 0))]


def test_a_model_is_told_of_every_tool_as_the_dialect_says(framework, tmp_path):
    name, python = framework
    told = json.loads(python(Path(__file__).with_name("frameworks.py"), name, tmp_path))
    assert set(told) == set(NAMES)
    assert [tool["name"] for tool in told["native"]] == ["read", "search"]
    for dialect, tools in told.items():
        wanted = [tool.definition("json") for tool in dialect_named(dialect).tools]
        assert list(map(essence, tools)) == list(map(essence, wanted))


def essence(definition):
    """A tool without what frameworks add to its parameters."""
    return {**definition, "parameters": essential(definition["parameters"])}


def essential(schema):
    """The parameters with their types, descriptions and choices, and which of them are required."""
    kept = ("type", "description", "enum")
    properties = {
        name: {key: told[key] for key in kept if told.get(key)} for name, told in schema["properties"].items()
    }
    return schema["type"], properties, schema.get("required", [])


def test_a_framework_is_given_data_and_failures_in_its_own_manner(framework, tmp_path):
    name, python = framework
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with serving() as server:
        server.objects = {"/far/a.txt": b"far away\n"}
        roots = [str(tmp_path), f"{server.url}/far/"]
        here = [{"path": "notes.txt"}, {"path": "note.txt"}, {"path": "../notes.txt"}]
        far = [{"path": f"{server.url}/{name}"} for name in ("far/a.txt", "far/b.txt", "elsewhere/a.txt")]
        found = [{"pattern": "two", **params} for params in here]
        calls = [["read", params] for params in here + far] + [["search", params] for params in found]
        script = Path(__file__).with_name("manners.py")
        outcomes = json.loads(python(script, name, json.dumps(roots), json.dumps(calls)))
        with Reader(roots) as reader:
            replies = [map(reader.reply, here), map(reader.reply, far), map(reader.search_reply, found)]
            wanted = [made for each in replies for made in MANNERS[name](*each)]
    assert outcomes == [json.loads(json.dumps(wanted))] * (1 if name in ONE_WAY else 2)


def test_what_the_page_of_a_framework_imports_is_there(framework):
    name, python = framework
    page = (HOUSE / "docs" / "frameworks" / f"{name}.md").read_text(encoding="utf-8")
    imports = re.findall(r"^(?:from \S+ )?import .+$", page, re.M)
    assert python("-c", "\n".join(imports)) == ""


@pytest.mark.parametrize("framework", ["langchain", "pydantic_ai"], indirect=True)
def test_the_loop_of_a_framework_searches_and_then_reads_the_block(framework, tmp_path):
    name, python = framework
    lines = ["class RetryError(Exception):", "    pass", "", "", "# Gives up in the end.", "def retried(call):"]
    lines += [
        "    for _ in range(3):",
        "        call()",
        "    raise RetryError(call)",
        "",
        "",
        "def other():",
        "    pass",
    ]
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("\n".join(lines) + "\n")
    scene = json.loads(python(Path(__file__).with_name("searching.py"), name, tmp_path))
    assert scene["said"] == "done"
    found, block = scene["heard"]
    assert found.splitlines()[0] == '[search "raise RetryError" in ./ | matches 1-1 of 1 in 1 file]'
    assert found.splitlines()[2] == "9\t    raise RetryError(call)"
    header, *shown, more = block.splitlines()
    assert header.startswith("[src/app.py | lines 5-9 of 13 (def retried) | ")
    assert shown == [f"{number}\t{line}" for number, line in enumerate(lines[4:9], 5)]
    assert more == "[more: offset=10]"
