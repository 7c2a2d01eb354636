"""The shape of the house: who may import whom, where things may be said, what an import costs."""

import ast
import asyncio
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import readwell

HOUSE = Path(readwell.__file__).parent
LEAVES = {"errors", "forking", "matches", "model", "names", "picture", "tokens", "invisible", "watch"}
ENGINE_ROOMS = LEAVES | {
    "store",
    "cage",
    "patterns",
    "structure",
    "policy",
    "fitting",
    "window",
    "lookalikes",
    "source",
    "text",
    "documents",
    "packed",
    "readings",
    "search",
}
FACES = {"reader", "qq", "envelope", "opencode"}
MAY_IMPORT = {
    "errors": set(),
    "forking": set(),
    "installed": set(),
    "store": set(),
    "awaiting": set(),
    "model": {"picture"},
    "matches": {"model"},
    "picture": set(),
    "names": {"invisible"},
    "invisible": set(),
    "estimate": set(),
    "tokens": {"estimate", "installed"},
    "watch": {"errors"},
    "audit": {"errors", "forking", "matches", "model"},
    "configuration": {"names", "policy"},
    "patterns": set(),
    "policy": {"model", "names", "patterns"},
    "fitting": {"model"},
    "window": {"errors", "fitting", "model"},
    "lookalikes": set(),
    "source": {"errors", "forking", "model", "names", "patterns", "policy", "lookalikes", "watch"},
    "text": LEAVES | {"source", "store"},
    "cage": {"errors", "model"},
    "documents": {
        "errors",
        "forking",
        "installed",
        "model",
        "names",
        "picture",
        "text",
        "source",
        "store",
        "structure",
        "cage",
        "watch",
    },
    "structure": set(),
    "packed": {
        "documents",
        "errors",
        "forking",
        "installed",
        "lookalikes",
        "model",
        "source",
        "store",
        "watch",
    },
    "readings": {
        "documents",
        "errors",
        "installed",
        "model",
        "names",
        "picture",
        "source",
        "structure",
        "text",
        "watch",
        "window",
    },
    "search": {"errors", "matches", "model", "names", "readings", "source", "text", "watch"},
    "engine": {"errors", "matches", "model", "readings", "search", "text", "watch", "window"},
    "dialects": {"errors", "matches", "model", "names", "picture", "tokens"},
    "batch": {"audit", "dialects", "errors", "model", "source", "watch"},
    "tool_setup": {
        "text",
        "dialects",
        "documents",
        "engine",
        "installed",
        "model",
        "names",
        "packed",
        "remote",
        "source",
    },
    "tool": {
        "audit",
        "batch",
        "engine",
        "dialects",
        "documents",
        "errors",
        "installed",
        "model",
        "policy",
        "source",
        "text",
        "tool_setup",
        "watch",
    },
    "face": {"audit", "dialects", "model", "policy", "tool", "watch"},
    "remote": {
        "errors",
        "forking",
        "installed",
        "lookalikes",
        "model",
        "names",
        "patterns",
        "policy",
        "source",
        "watch",
    },
    **{
        face: {
            "audit",
            "awaiting",
            "dialects",
            "errors",
            "face",
            "following",
            "matches",
            "model",
            "tokens",
            "tool",
            "watch",
        }
        for face in FACES
    },
    "corpus": {
        "__init__",
        "audit",
        "dialects",
        "errors",
        "model",
        "names",
        "packed",
        "policy",
        "source",
        "tool",
        "watch",
    },
    "dataset": {"corpus", "names", "source"},
    "doors": {
        "__init__",
        "audit",
        "cage",
        "configuration",
        "corpus",
        "dataset",
        "documents",
        "errors",
        "following",
        "model",
        "names",
        "policy",
        "remote",
        "report",
        "tool",
        "tool_setup",
        "toolspec",
        "dialects",
        "tokens",
    }
    | FACES,
    "report": {"errors", "model", "names", "policy", "search", "source", "text", "watch"},
    "following": {"errors", "model", "tool"},
    "toolspec": {"awaiting", "errors", "model", "tool"},
    "adapters": {"model", "toolspec"},
    "__init__": {"errors", "matches", "model", "reader"},
    "__main__": {"doors"},
}
FOR_ALL = {"light_typing", "named_tuple"}
MODULES = sorted(HOUSE.rglob("*.py"))


def room_of(path):
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


def trees(*rooms):
    return [(path, tree_of(path)) for path in MODULES if not rooms or room_of(path) in rooms]


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def imported_rooms(path, tree):
    """Yields the rooms of the package that a module imports, also inside functions."""
    package = ["readwell", *path.relative_to(HOUSE).parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            parts = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            if len(parts) > 1:
                yield parts[1]
            else:
                names = {alias.name for alias in node.names}
                rooms = {name for name in names if (HOUSE / name).is_dir() or (HOUSE / f"{name}.py").is_file()}
                yield from rooms or {"__init__"}


def foreign_modules(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]


def test_every_room_stands_in_the_import_table():
    assert {room_of(path) for path in MODULES} - FOR_ALL == set(MAY_IMPORT)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_room_imports_only_what_its_row_allows(path):
    room = room_of(path)
    found = {name for name in imported_rooms(path, tree_of(path)) if name != room}
    assert found <= (set() if room in FOR_ALL else MAY_IMPORT[room] | FOR_ALL)


def test_dialects_do_no_input_or_output():
    for path, tree in trees("dialects"):
        assert not {"os", "pathlib", "time", "io", "shutil", "subprocess"} & set(foreign_modules(tree)), path
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not {"open", "print", "input"} & calls, path


def test_doors_do_not_import_each_other_or_the_engine():
    allowed = {
        "cli": {"arguments", "options", "terminal", "completion", "search", "image_files", "follow"},
        "arguments": {"options", "settings", "terminal"},
        "options": {"arguments", "settings"},
        "settings": {"extras", "security"},
        "extras": set(),
        "security": set(),
        "config": {"arguments", "clients", "extras", "settings", "terminal"},
        "mcp": {"arguments", "extras", "settings", "terminal"},
        "convert": {"arguments", "convert_corpus", "security", "settings", "terminal"},
        "convert_corpus": {"extras", "terminal"},
        "search": {"arguments", "settings", "terminal"},
        "doctor": {"arguments", "root_check", "settings", "terminal"},
        "root_check": set(),
        "terminal": set(),
        "image_files": {"terminal"},
        "follow": {"terminal"},
        "completion": set(),
        "report": {"arguments", "security", "terminal"},
    }
    for path, tree in trees("doors"):
        _, door, *inside = path.relative_to(HOUSE).with_suffix("").parts
        siblings = {
            (node.module or "").partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.level == 1 + len(inside)
        }
        assert siblings <= allowed.get(door, set()), path


def test_the_sdk_is_imported_by_its_door_alone():
    sdk = {"mcp", "mcp_types", "anyio", "starlette", "uvicorn"}
    for path, tree in trees():
        if "doors/mcp" not in path.as_posix():
            assert not sdk & set(foreign_modules(tree)), path


def test_the_http_server_is_asked_only_what_every_asyncio_protocol_answers():
    used = {
        node.attr
        for node in ast.walk(tree_of(HOUSE / "doors" / "mcp" / "connections.py"))
        if isinstance(node, ast.Attribute) and getattr(node.value, "attr", "") == "_served"
    }
    assert used
    assert used <= set(dir(asyncio.Protocol))


def test_the_engine_does_not_know_the_dialects():
    names = ("qq", "envelope", "opencode", "native")
    for path, tree in trees(*ENGINE_ROOMS, "engine"):
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not {name for name in names if name in words}, path


def test_print_exit_and_environment_belong_to_doors():
    for path, tree in trees():
        # Credentials are where the SDKs of clouds look for them; a local pool passes all on to its workers, and reads none.
        if room_of(path) in ("doors", "__main__") or path in (
            HOUSE / "remote" / "environment.py",
            HOUSE / "corpus" / "local.py",
        ):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "exit"), path
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("environ", "getenv"), path


def test_broad_excepts_stand_only_where_foreign_code_runs():
    found = set()
    for path, tree in trees():
        for node in ast.walk(tree):
            if (isinstance(node, ast.ExceptHandler) and is_broad(node)) or suppresses_all(node):
                found.add(str(path.relative_to(HOUSE)))
    foreign = {
        "convert.py",
        "converters.py",
        "pictures.py",
        "worker/child.py",
        "worker/error_codec.py",
        "worker/fork_server.py",
    }
    remote = {f"remote/{name}.py" for name in ("credentials", "fsspec_store", "waiting")}
    assert found == {f"documents/{name}" for name in foreign} | remote | {
        "corpus/batch.py",
        "dialects/echo.py",
        "tool.py",
    }


def is_broad(handler):
    """Says whether a handler takes everything; cleaning up and raising again is no such thing."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {getattr(kind, "id", "") for kind in kinds}
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return handler.type is None or "Exception" in names or ("BaseException" in names and not raises)


def suppresses_all(node):
    """Says whether it is `suppress(Exception)`, by whatever name it is called."""
    if not isinstance(node, ast.Call):
        return False
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    return called == "suppress" and {"Exception", "BaseException"} & {getattr(arg, "id", "") for arg in node.args}


MAX_BY_POSITION = 3


def test_values_of_many_fields_are_built_by_name():
    """Of those with more than five fields the first three at most go without a name: a swapped pair is not seen."""
    many = {
        node.name
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(getattr(base, "id", "") == "NamedTuple" for base in node.bases)
        and len([field for field in node.body if isinstance(field, ast.AnnAssign)]) > 5
    }
    assert {"ReadRequest", "ReadResult", "Window"} <= many
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in many:
                assert len(node.args) <= MAX_BY_POSITION, f"{path}:{node.lineno}"


MAX_FILE_LINES, MAX_FUNCTION_LINES = 280, 40


def test_files_and_functions_stay_short():
    """What grows beyond this has two purposes: give each a module or a function of its own."""
    for path, tree in trees():
        assert len(path.read_text().splitlines()) <= MAX_FILE_LINES, path
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert node.end_lineno - node.lineno < MAX_FUNCTION_LINES, f"{path}:{node.lineno} {node.name}"


def test_operating_system_errors_are_translated_where_they_arise():
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler) and "OSError" in ast.dump(node.type or ast.Constant("")):
                rooms = (
                    "source",
                    "text",
                    "store",
                    "cage",
                    "audit",
                    "configuration",
                    "corpus",
                    "dataset",
                    "doors",
                    "remote",
                )
                assert room_of(path) in rooms or path.parent.name == "worker", path


def test_descriptors_are_the_matter_of_the_disk_and_of_the_cage():
    at_the_cage = {HOUSE / "documents" / name for name in ("convert.py", "conversion_start.py")}
    for path, tree in trees(*ENGINE_ROOMS - {"source", "cage", "store"}, "engine", "tool", "batch"):
        if path in at_the_cage or path.parent.name == "worker":
            continue
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not {"descriptor", "fileno", "fstat", "pread", "stat", "st_size", "st_mode"} & attributes, path


def test_nothing_runs_at_import_time_but_definitions():
    plain = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    for path, tree in trees():
        if room_of(path) == "__main__":
            continue
        for node in tree.body:
            if isinstance(node, ast.Expr):
                assert isinstance(node.value, ast.Constant), path
            elif isinstance(node, ast.If):
                assert "TYPE_CHECKING" in ast.dump(node.test) or path.name == "__init__.py", path
            else:
                assert isinstance(node, plain), (path, node.lineno)


def test_importing_readwell_stays_light():
    """No model library, no parser, no event loop, nothing that the first read does not need."""
    code = "import sys, readwell; print(' '.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    heavy = {
        "pydantic",
        "numpy",
        "asyncio",
        "dataclasses",
        "charset_normalizer",
        "ctypes",
        "json",
        "logging",
        "difflib",
        "re2",
    }
    assert loaded & heavy == set()


def test_the_public_names_are_these():
    errors = {name for name in dir(readwell.errors) if isinstance(getattr(readwell.errors, name), type)}
    assert set(readwell.__all__) == errors | {
        "FsspecRoot",
        "Reader",
        "ReadResult",
        "Reply",
        "SearchResult",
        "Window",
        "__version__",
    }
    assert all(hasattr(readwell, name) for name in readwell.__all__)


def test_the_version_is_told_once():
    project = tomllib.loads((HOUSE.parent.parent / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/readwell/__init__.py"


def test_every_public_name_has_a_docstring():
    for path, tree in trees():
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for node in [*tree.body, *(member for found in classes for member in found.body)]:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path}:{node.lineno} {node.name}"
        assert ast.get_docstring(tree), path
