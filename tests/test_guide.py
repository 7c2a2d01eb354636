"""The guide shows what happens: its samples are run, its pictures drawn, its website built."""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import mcp.client.stdio  # noqa: F401  here, where standard error is a file: the client passes it on to servers
import pytest

from command_line import called
from readwell import Reader
from sample_project import FILES, PROJECT, make_project

HOUSE = Path(__file__).parent.parent
DOCS = HOUSE / "docs"
FRAMEWORKS = sorted(path.stem for path in (DOCS / "frameworks").iterdir())
BUILD_S = 600


def samples():
    """The blocks of Python, each with what stands below it as its output, if anything does."""
    for page in sorted(DOCS.glob("*.md")):
        found = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", page.read_text(), re.S | re.M)
        for number, (block, output) in enumerate(found, 1):
            yield pytest.param(block, output, id=f"{page.stem} {number}")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return shutil.copytree(PROJECT, tmp_path_factory.mktemp("checkout").resolve() / "project")


def test_the_project_of_the_guide_is_what_its_script_writes(tmp_path):
    """But for documents: other versions of zlib compress otherwise."""
    made = make_project(tmp_path, FILES)
    names = {str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()}
    assert names == {str(path.relative_to(PROJECT)) for path in PROJECT.rglob("*") if path.is_file()}
    plain = [name for name in names if not name.endswith((".pdf", ".docx"))]
    assert [name for name in plain if (made / name).read_bytes() != (PROJECT / name).read_bytes()] == []


@pytest.mark.parametrize("block, output", list(samples()))
def test_a_sample_of_python_runs_and_prints_what_stands_below_it(block, output, project, capsys, monkeypatch):
    monkeypatch.chdir(project)
    exec(compile(block.replace("/project", str(project)), "sample", "exec"), {"__name__": "sample"})
    heard = capsys.readouterr()
    assert (heard.out if output else "", heard.err) == (output, "")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_page_of_a_framework_imports_what_is_there_and_names_its_program(framework):
    page = DOCS / "frameworks" / f"{framework}.md"
    imports = re.findall(r"^from (readwell\S*) import (.+)$", page.read_text(), re.M)
    assert (f"readwell.adapters.{framework}") in [module for module, _ in imports]
    missing = [
        (at, name) for at, names in imports for name in names.split(", ") if not hasattr(import_module(at), name)
    ]
    assert missing == []
    assert f"(../../examples/frameworks/with_{framework}.py)" in page.read_text()


def test_there_is_a_page_for_each_adapter_and_no_other():
    adapters = {path.stem for path in (HOUSE / "src" / "readwell" / "adapters").glob("*.py")}
    assert set(FRAMEWORKS) == adapters - {"__init__", "missing_framework", "param_forms"}


@pytest.mark.parametrize("page", [HOUSE / "README.md", DOCS / "quick-start.md"], ids=lambda page: page.stem)
def test_every_extra_is_named_where_installing_is_told(page):
    extras = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    rows = page.read_text().partition("| extra | brings |\n")[2].partition("\n\n")[0]
    told = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", rows, re.M))
    assert sorted(told) == sorted(extras)
    of_all = re.search(r"\[(.+)\]", extras["all"][0])[1].split(",")
    left_out = re.search(r"all of them but ([^;]+)", told["all"])[1]
    assert {*re.findall(r"`(\w+)`", left_out)} == {*extras} - {*of_all, "all"}


def test_the_transcript_of_doctor_has_a_row_for_each_check(tmp_path):
    extras = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    shown = (DOCS / "cli.md").read_text().partition("$ readwell doctor\n")[2].partition("```")[0]
    row = re.compile(r"^(?:ok|less|MISSING) +(\w+) ", re.M)
    printed = row.findall(called(tmp_path, "doctor", env=os.environ | {"READWELL_CACHE_DIR": str(tmp_path)}).stdout)
    checks = [name for name in printed if name not in extras]
    assert row.findall(shown) == [*checks[:4], *sorted({*extras} - {"all"}), *checks[4:]]


def test_the_data_of_a_reply_is_what_the_page_of_native_shows(project):
    shown = json.loads(
        re.search(r"^## Reply data$.*?^```json\n(.*?)^```", (DOCS / "native.md").read_text(), re.S | re.M)[1]
    )
    with Reader(project) as reader:
        data = reader.reply({"path": "src/app.py", "limit": 5}).data
    assert {**data, "mtime_ms": shown["mtime_ms"]} == shown


def test_every_example_is_in_the_list_of_them():
    told = set(
        re.findall(r"\((\w+\.py|(?:corpus|frameworks)/\w+\.py)\)", (HOUSE / "examples" / "README.md").read_text())
    )
    assert told == {str(path.relative_to(HOUSE / "examples")) for path in (HOUSE / "examples").rglob("*.py")} - {
        "project/src/app.py"
    }


def test_the_pictures_are_those_that_the_script_draws(monkeypatch):
    monkeypatch.syspath_prepend(HOUSE / "scripts")
    drawn = {name: draw() for name, draw in import_module("pictures").PICTURES.items()}
    measured = {"fleet.svg"}
    shown = {path.name: path.read_text() for path in (DOCS / "pictures").glob("*.svg") if path.name not in measured}
    assert drawn == shown


def test_links_to_nowhere_and_things_from_elsewhere_are_found_in_a_built_guide(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(HOUSE / "scripts")
    guide = import_module("guide")
    (tmp_path / "a.html").write_text(
        '<h1 id="top"><a href="#top"><a href="b.html#there"><a href="https://example.org/"><img src="data:,">'
        '<a href="#no"><a href="b.html#no"><a href="c.html"><img src="no.png"><script src="//cdn.example/x.js">'
    )
    (tmp_path / "b.html").write_text('<p id="there">')
    (tmp_path / "sheet.css").write_text("@font-face { src: url(https://fonts.example/x) }")
    pages = {file: guide.Page(file) for file in tmp_path.glob("*.html")}
    assert guide.find_faults(pages, tmp_path) == [
        "a.html: #no",
        "a.html: //cdn.example/x.js",
        "a.html: b.html#no",
        "a.html: c.html",
        "a.html: no.png",
        "sheet.css: loads from elsewhere",
    ]


@pytest.fixture
def docs_python(tmp_path):
    """A Python with what the guide is built with: that of `make docs`, or one made for this test."""
    ready = HOUSE / ".venv-docs" / "bin" / "python"
    if (HOUSE / ".venv-docs" / "ready").exists():
        return ready
    uv = shutil.which("uv", path=os.path.dirname(sys.executable)) or "uv"
    env = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}  # where uv keeps what it has downloaded
    lock = ("--require-hashes", "-r", HOUSE / "requirements-docs.lock")
    try:
        for words in (["venv", "-p", sys.executable], ["pip", "install", *lock, "-p"]):
            subprocess.run([uv, *words, tmp_path / "docs"], env=env, check=True, capture_output=True, timeout=BUILD_S)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(
            f"NOT CHECKED, the packages of the guide cannot be installed: {error} {getattr(error, 'stderr', '')}"
        )
    return tmp_path / "docs" / "bin" / "python"


@pytest.mark.slow
def test_the_guide_is_built_without_a_warning_and_without_a_broken_link(docs_python, tmp_path):
    command = [docs_python, HOUSE / "scripts" / "guide.py", tmp_path / "guide"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert (tmp_path / "guide" / "docs" / "index.html").exists()
