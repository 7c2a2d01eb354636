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
from readwell.dialects import NAMES

HOUSE = Path(readwell.__file__).parent
LEAVES = {"errors", "fork_locks", "model", "path_names", "encoded_image", "tokens", "invisible_characters", "deadline"}
ENGINE_ROOMS = LEAVES | {
    "disk_store",
    "cage",
    "gitignore",
    "structure",
    "policy",
    "line_fitting",
    "window",
    "similar_names",
    "source",
    "text",
    "documents",
    "packed",
    "readings",
    "search",
}
FACES = {"reader", *(name.replace("-", "_") for name in NAMES if name != "native")}
MAY_IMPORT = {
    "errors": set(),
    "fork_locks": set(),
    "import_guard": set(),
    "disk_store": set(),
    "run_in_thread": set(),
    "model": {"encoded_image", "errors"},
    "encoded_image": set(),
    "path_names": {"invisible_characters"},
    "invisible_characters": set(),
    "tokens": {"import_guard"},
    "deadline": {"errors"},
    "audit": {"errors", "fork_locks", "model"},
    "config_files": {"path_names", "policy"},
    "gitignore": set(),
    "policy": {"model", "path_names", "gitignore"},
    "line_fitting": {"model"},
    "window": {"errors", "line_fitting", "model"},
    "similar_names": set(),
    "source": {"errors", "fork_locks", "model", "path_names", "gitignore", "policy", "similar_names", "deadline"},
    "text": LEAVES | {"source", "disk_store"},
    "cage": {"errors", "model"},
    "documents": {
        "errors",
        "fork_locks",
        "import_guard",
        "model",
        "path_names",
        "encoded_image",
        "text",
        "source",
        "disk_store",
        "structure",
        "cage",
        "deadline",
    },
    "structure": set(),
    "packed": {
        "documents",
        "errors",
        "fork_locks",
        "import_guard",
        "similar_names",
        "model",
        "source",
        "disk_store",
        "deadline",
    },
    "readings": {
        "documents",
        "errors",
        "import_guard",
        "model",
        "path_names",
        "encoded_image",
        "source",
        "structure",
        "text",
        "deadline",
        "window",
    },
    "search": {"errors", "model", "path_names", "readings", "source", "text", "deadline"},
    "engine": {"errors", "model", "path_names", "readings", "search", "source", "text", "deadline", "window"},
    "dialects": {"errors", "model", "path_names", "encoded_image", "tokens"},
    "batch_read": {"audit", "dialects", "errors", "model", "source", "deadline"},
    "call_runner": {"audit", "deadline", "dialects", "engine", "errors", "model"},
    "tool_setup": {
        "audit",
        "text",
        "dialects",
        "documents",
        "engine",
        "import_guard",
        "model",
        "path_names",
        "packed",
        "remote",
        "source",
    },
    "tool": {
        "audit",
        "batch_read",
        "call_runner",
        "engine",
        "dialects",
        "documents",
        "errors",
        "import_guard",
        "model",
        "policy",
        "source",
        "text",
        "tool_setup",
        "deadline",
    },
    "dialect_class": {"audit", "dialects", "model", "policy", "tool", "deadline"},
    "remote": {
        "errors",
        "fork_locks",
        "import_guard",
        "similar_names",
        "model",
        "path_names",
        "gitignore",
        "policy",
        "source",
        "deadline",
    },
    **{
        face: {
            "audit",
            "run_in_thread",
            "dialects",
            "errors",
            "dialect_class",
            "following",
            "model",
            "tokens",
            "tool",
            "deadline",
        }
        for face in FACES
    },
    "corpus": {
        "__init__",
        "audit",
        "dialects",
        "errors",
        "model",
        "path_names",
        "policy",
        "source",
        "tool",
        "deadline",
    },
    "dataset": {"corpus", "path_names", "source"},
    "doors": {
        "__init__",
        "audit",
        "cage",
        "config_files",
        "corpus",
        "dataset",
        "documents",
        "errors",
        "following",
        "model",
        "path_names",
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
    "report": {"errors", "model", "path_names", "policy", "search", "source", "text", "deadline"},
    "following": {"errors", "model", "tool"},
    "toolspec": {"run_in_thread", "errors", "model", "tool"},
    "adapters": {"model", "toolspec"},
    "__init__": {"errors", "model", "reader"},
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


def test_a_room_imports_only_what_its_row_allows():
    forbidden = []
    for path, tree in trees():
        room = room_of(path)
        allowed = {room} if room in FOR_ALL else MAY_IMPORT[room] | FOR_ALL | {room}
        forbidden += [f"{path.relative_to(HOUSE)}: {name}" for name in sorted({*imported_rooms(path, tree)} - allowed)]
    assert forbidden == [], "\n".join(["imports that the row of a room does not allow:", *forbidden])


def test_what_builds_the_grid_of_a_table_does_not_know_who_searches_for_tables():
    for path, tree in trees("documents"):
        if path.parent.name == "table_grid":
            used = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            assert not any(name.startswith("table_search") for name in used), path


def test_dialects_do_no_input_or_output():
    for path, tree in trees("dialects"):
        assert not {"os", "pathlib", "time", "io", "shutil", "subprocess"} & set(foreign_modules(tree)), path
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not {"open", "print", "input"} & calls, path


def test_doors_do_not_import_each_other_or_the_engine():
    allowed = {
        "cli": {
            "argument_parsers",
            "call_options",
            "terminal",
            "image_files",
            "follow_command",
        },
        "completion_command": {"argument_parsers", "cli", "shell_completion", "terminal"},
        "argument_parsers": {"call_options", "settings", "terminal", "value_parsers"},
        "call_options": {"argument_parsers", "settings"},
        "settings": {"security", "value_parsers"},
        "value_parsers": {"extras"},
        "extras": set(),
        "security": set(),
        "config_command": {"argument_parsers", "clients", "extras", "settings", "terminal"},
        "mcp": {"argument_parsers", "extras", "settings", "terminal", "value_parsers"},
        "convert_command": {"argument_parsers", "convert_corpus", "security", "settings", "terminal", "value_parsers"},
        "convert_corpus": {"extras", "terminal"},
        "search_command": {"argument_parsers", "settings", "terminal", "value_parsers"},
        "doctor_command": {"argument_parsers", "root_check", "security", "settings", "terminal"},
        "root_check": set(),
        "terminal": set(),
        "image_files": {"terminal"},
        "follow_command": {"terminal"},
        "shell_completion": set(),
        "report_command": {"argument_parsers", "security", "terminal", "value_parsers"},
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
        for node in ast.walk(tree_of(HOUSE / "doors" / "mcp" / "http_connections.py"))
        if isinstance(node, ast.Attribute) and getattr(node.value, "attr", "") == "_served"
    }
    assert used
    assert used <= set(dir(asyncio.Protocol))


def test_the_engine_does_not_know_the_dialects():
    for path, tree in trees(*ENGINE_ROOMS, "engine"):
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        known = {name for name in NAMES if name in words}
        assert not known, (
            f"{path} holds {known}: the engine knows no dialect; a dialect needs a name that no other word has"
        )


def test_print_exit_and_environment_belong_to_doors():
    for path, tree in trees():
        # Credentials are where the SDKs of clouds look for them; a local pool passes all on to its workers, and reads none.
        if room_of(path) in ("doors", "__main__") or path in (
            HOUSE / "remote" / "sdk_settings.py",
            HOUSE / "corpus" / "local_pool.py",
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
        "arrow.py",
        "converters.py",
        "documents.py",
        "image_conversion.py",
        "worker/child.py",
        "worker/error_codec.py",
        "worker/fork_server.py",
    }
    remote = {f"remote/{name}.py" for name in ("credentials", "deadline_threads", "fsspec_store")}
    assert found == {f"documents/{name}" for name in foreign} | remote | {
        "corpus/convert_in_batches.py",
        "corpus/engine_task.py",
        "dialects/json_copy.py",
        "search/match_collector.py",
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
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in many:
                assert len(node.args) <= MAX_BY_POSITION, f"{path}:{node.lineno}"
                assert not any(isinstance(arg, ast.Starred) for arg in node.args), f"{path}:{node.lineno}"


MAX_FILE_LINES, MAX_FUNCTION_LINES = 280, 38


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
                    "disk_store",
                    "cage",
                    "audit",
                    "config_files",
                    "corpus",
                    "dataset",
                    "doors",
                    "remote",
                )
                assert room_of(path) in rooms or path.parent.name == "worker", path


def test_descriptors_are_the_matter_of_the_disk_and_of_the_cage():
    at_the_cage = {HOUSE / "documents" / name for name in ("documents.py", "conversion_start.py")}
    for path, tree in trees(
        *ENGINE_ROOMS - {"source", "cage", "disk_store"}, "engine", "tool", "call_runner", "batch_read"
    ):
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


def is_words(node):
    """Whether an argument is text with spaces, and no name."""
    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return isinstance(node, (ast.Constant, ast.JoinedStr)) and any(" " in text for text in texts)


@pytest.mark.parametrize("kind", ["ConversionFailed", "InvalidRequest", "Notice", "Unreadable"])
def test_what_is_told_begins_with_the_name_of_its_format_parameter_or_code_and_not_with_its_words(kind):
    calls = [
        (path.name, node.args)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind and node.args
    ]
    swapped = [
        (name, ast.unparse(first))
        for name, (first, *_) in calls
        if is_words(first) or ast.unparse(first) in ("reason", "message", "told", "why", "str(error)")
    ]
    assert calls != [] and swapped == []


def test_every_public_name_has_a_docstring():
    for path, tree in trees():
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for node in [*tree.body, *(member for found in classes for member in found.body)]:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path}:{node.lineno} {node.name}"
        assert ast.get_docstring(tree), path
