"""The pages cannot fall behind: links resolve, examples compile, and nothing that can be set or can fail is left out."""

import ast
import inspect
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from every_dialect import path_param, require_every_dialect
from readwell import Reader, errors
from readwell.dialect_class import ToolSettings
from readwell.dialects import NAMES, dialect_named
from readwell.dialects.native.request import ALIASES
from readwell.doors.argument_parsers import flag
from readwell.doors.mcp.mcp_command import command_parser
from readwell.doors.settings import settings_of
from readwell.envelope import ErrorCode
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager
from test_architecture import HOUSE as PACKAGE
from test_architecture import MAY_IMPORT, MODULES

HOUSE = Path(__file__).parent.parent
DOCS = HOUSE / "docs"
AT_THE_DOOR = [
    HOUSE / name for name in ("README.md", "ARCHITECTURE.md", "MODULES.md", "CONTRIBUTING.md", "CHANGELOG.md")
]
PAGES = [
    *(page for page in AT_THE_DOOR if page.exists()),
    *sorted(DOCS.rglob("*.md")),
    *sorted((HOUSE / "decisions").rglob("*.md")),
]
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s+(\S+)", re.M)
LITERAL = re.compile(r'\d+|True|False|None|"[^"]*"|\(\)')
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
FACES = require_every_dialect({"qq": FileManager, "envelope": EnvelopeTool, "opencode": OpencodeTool}, but=["native"])


def prose(page):
    """The text of a page without its code, where brackets are no links."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "`code`", text)


def anchors(page):
    """The anchors of a page's headings, as a forge makes them."""
    found = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCE.sub("", page.read_text(encoding="utf-8")), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (unique := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(unique)
    return found


def resolves(page, target):
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(HOUSE.resolve()) or not file.exists():
        return False
    return not anchor or file.suffix != ".md" or anchor in anchors(file)


def named(page, name):
    """Whether a page names something as code of its own: `limit`, `--root DIR`."""
    text = FENCE.sub("", (DOCS / page).read_text(encoding="utf-8"))
    return any(span.split(" ")[0] == name for span in re.findall(r"`([^`\n]+)`", text))


def assert_named(page, names):
    """Fails with the names that a page lacks."""
    missing = [name for name in sorted(names) if not named(page, name)]
    assert not missing, f"docs/{page} does not name {', '.join(missing)}"


def arguments(function):
    """The names of a function's arguments, with those that all faces share."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    return [*names[:-1], *ToolSettings.__annotations__] if names[-1] == "settings" else names


def read_error_types(kind=errors.ReadError):
    own = [kind] if kind.__module__ == errors.__name__ else []
    return own + [found for child in kind.__subclasses__() for found in read_error_types(child)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_every_relative_link_resolves(page):
    targets = ["".join(found) for found in LINK.findall(prose(page))]
    broken = [target for target in targets if not ELSEWHERE.match(target) and not resolves(page, target)]
    assert broken == []


def test_every_error_is_named_on_the_page_of_errors():
    names = {*errors.__all__, *(kind.__name__ for kind in read_error_types())}
    assert_named("errors.md", names)


def test_every_code_of_the_envelope_is_named_on_its_page():
    assert_named("envelope.md", [code.value for code in ErrorCode])


@pytest.mark.parametrize("dialect", NAMES)
def test_every_parameter_of_a_dialect_is_named_on_its_page(dialect):
    names = set(dialect_named(dialect).tools[0].properties)
    if dialect == "native":
        names.update(ALIASES)
    assert_named(f"{dialect}.md", names)


def test_every_parameter_of_read_is_named_on_the_page_of_native():
    assert_named("native.md", arguments(Reader.read))


def test_every_setting_of_the_reader_is_named_on_the_page_of_settings():
    assert_named("settings.md", arguments(Reader.__init__))


def documented_defaults():
    """The defaults that the page of settings states as Python values, by setting."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", (DOCS / "settings.md").read_text(encoding="utf-8"), re.MULTILINE)
    spelled = {name: "()" if default == "none" else default.strip("`") for name, default in rows}
    return {name: ast.literal_eval(text) for name, text in spelled.items() if LITERAL.fullmatch(text)}


def test_every_default_of_the_reader_is_the_one_that_the_page_of_settings_states():
    actual = {name: given.default for name, given in inspect.signature(Reader.__init__).parameters.items()}
    stated = documented_defaults()
    assert stated == {name: actual[name] for name in stated}
    assert {*actual} - {*stated} == {"self", "count_tokens", "cache_dir"}


@pytest.mark.parametrize("dialect", FACES)
def test_every_argument_of_a_face_is_named_on_its_page_and_that_of_settings(dialect):
    names = arguments(FACES[dialect].__init__)
    for page in (f"{dialect}.md", "settings.md"):
        assert_named(page, names)


def test_every_option_and_variable_is_named_on_the_page_of_the_command_line():
    settings = settings_of(dialect_named(name) for name in NAMES)
    flagged = [setting.name for setting in settings if not setting.is_param]
    parameters = {
        name
        for dialect in NAMES
        for name in dialect_named(dialect).tools[0].properties
        if name not in ("paths", path_param(dialect))
    }
    options = {flag(name) for name in (*flagged, *parameters)} | {"--root", "--dialect", "--json"}
    variables = {f"READWELL_{name.upper()}" for name in (*(setting.name for setting in settings), "root")}
    assert_named("cli.md", options | variables)


def test_every_option_of_the_server_is_named_on_its_page():
    options = set(re.findall(r"--[a-z-]+", command_parser().format_usage()))
    assert_named("mcp.md", options)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_what_is_missing_stands_on_one_page_alone(page):
    found = re.findall(r"not(?:\s+there)?[\s-]+yet|not\s+sent\s+today", page.read_text(encoding="utf-8"), re.I)
    assert found == [] or page == DOCS / "index.md"


def test_the_table_of_imports_is_the_one_that_is_tested():
    rows = re.findall(r"^\| (`.+) \| (.+) \|$", section("ARCHITECTURE.md", "Who may import whom"), re.M)
    told = {room: imports_of(cell) for rooms, cell in rows for room in re.findall(r"`(\w+)`", rooms)}
    differing = sorted(room for room in {*told, *MAY_IMPORT} if told.get(room) != MAY_IMPORT.get(room))
    assert not differing, f'ARCHITECTURE.md, "Who may import whom": other rows in the test for {", ".join(differing)}'


def imports_of(cell):
    listed = cell.partition(";")[0].replace("`", "")
    return set() if listed == "nothing" else set(listed.split(", "))


def section(page, heading):
    _, _, rest = (HOUSE / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0]


def test_every_module_is_listed_with_its_task():
    """The list is written by `make format`."""
    listed = set(re.findall(r"^\* `([\w/]+?)/?` — .+$", (HOUSE / "MODULES.md").read_text(encoding="utf-8"), re.M))
    modules = {path.relative_to(PACKAGE).with_suffix("").as_posix() for path in MODULES} - {"__init__", "__main__"}
    assert listed == {name.removesuffix("/__init__") for name in modules}


def test_every_module_of_documents_is_named_where_the_architecture_lists_them():
    listed = set(re.findall(r"`([\w/]+)`", section("ARCHITECTURE.md", "Documents")))
    modules = {path.name.removesuffix(".py") for path in (PACKAGE / "documents").iterdir() if path.name[0] != "_"}
    assert modules - {name.removesuffix("/") for name in listed} == set()


@pytest.mark.parametrize(
    "page", ["index", "cli", "errors", "lines", "paging", "mcp", "documents", "security", "_guide/tree.py"]
)
def test_every_dialect_is_named_on_the_pages_that_compare_them(page):
    text = (DOCS / (page if page.endswith(".py") else f"{page}.md")).read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text and f'"{name}"' not in text] == []


def tables(page):
    """The tables of a page: of each the cells of its head, and those of its first column."""
    for table in re.findall(r"(?:^\|.*\n)+", FENCE.sub("", page.read_text(encoding="utf-8")), re.M):
        head, *rows = (re.split(r" *(?<!\\)\| *", row)[1:-1] for row in table.splitlines())
        yield head, [row[0] for row in rows]


def dialects_in(cells):
    """The dialects that stand alone in a cell, or beside others."""
    alone = re.compile(r"\[?`(\w[\w-]*)`(?:\]\([\w/-]+\.md\))?(?: \(settings\))?(?:, |$)")
    return {name for cell in cells if not alone.sub("", cell) for name in alone.findall(cell) if name in NAMES}


@pytest.mark.parametrize("page", [HOUSE / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.name)
def test_a_table_that_compares_dialects_has_a_column_or_a_row_for_each(page):
    for head, first_column in tables(page):
        for named_there in (dialects_in(head), dialects_in(first_column)):
            missing = [name for name in NAMES if name not in named_there] if len(named_there) > 2 else []
            assert not missing, f"{page.name}: the table below {head} has nothing for {', '.join(missing)}"


@pytest.mark.parametrize("dialect", FACES)
def test_how_a_face_reports_a_failure_is_told_on_the_page_of_errors(dialect):
    face = FACES[dialect]
    told = rf"^\| `(?:{re.escape(face.__module__)}\.)?{face.__name__}\.\w+`"
    shown = (DOCS / "errors.md").read_text(encoding="utf-8")
    assert re.search(told, shown, re.M), f"docs/errors.md: how each API reports a failure lacks {face.__name__}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_every_python_block_compiles(page):
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        compile(block, page.name, "exec")
