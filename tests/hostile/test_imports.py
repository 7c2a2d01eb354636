"""What lies in a root is read and never run, whatever it is called and wherever Python looks for modules."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import readwell
from readwell.import_guard import NEEDED_LATER, import_path_outside, importing_only_from, is_installed

pytestmark = pytest.mark.usefixtures("own_fork_servers")

AGENT = """
import sys
from readwell import Reader
with Reader(".", cache_dir=None) as reader:
    for params in ({"path": name} for name in sys.argv[1:]):
        print(reader.reply(params).text.splitlines()[0])
"""
TRAP = "from pathlib import Path\nPath(__file__).with_name('sprung').touch()\n"
EVIL = "[readwell.converters]\nevil = evil_module:EVIL\n"


@pytest.fixture
def project(tmp_path):
    """A project whose own script reads it: Python looks for modules beside the script."""
    (tmp_path / "agent.py").write_text(AGENT)
    return tmp_path


def run(project, *names, script=("agent.py",)):
    done = subprocess.run(
        [sys.executable, *script, *names], cwd=project, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert not (project / "sprung").exists(), done.stdout
    return done.stdout


def test_an_entry_point_in_a_root_is_not_loaded(project):
    about = project / "evil-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(EVIL)
    (project / "evil_module.py").write_text(TRAP)
    (project / "a.evil").write_bytes(b"\0\1\2")
    assert run(project, "a.evil").startswith("[error BINARY_FILE] ")


def test_a_module_named_like_a_parser_is_not_loaded(project, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "documents")
    from small_documents import REPORT, pdf

    (project / "pypdfium2.py").write_text(TRAP)
    (project / "a.pdf").write_bytes(pdf(REPORT))
    assert run(project, "a.pdf").startswith("[a.pdf | pdf, ")


def test_a_module_named_like_one_of_the_standard_library_is_not_loaded(project):
    for name in {*NEEDED_LATER, "socket", "selectors", "importlib", "email"}:
        (project / f"{name.partition('.')[0]}.py").write_text(TRAP)
    assert "NOT_FOUND" in run(project, "agant.py", "Ünicode", script=("-P", "-c", f"import sys\n{LATE}{AGENT}"))


def test_nothing_is_imported_from_the_folder_of_the_installed_script(project):
    (project / "readwell").write_text("import sys\nfrom readwell.doors.cli import main\nsys.exit(main())\n")
    (project / "docs").mkdir()
    (project / "docs" / "apples.txt").touch()
    (project / "difflib.py").write_text(TRAP)
    words = [sys.executable, "readwell", "--root", "docs", "appels.txt"]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    assert "Did you mean: apples.txt?" in done.stderr and not (project / "sprung").exists()


LATE = "from readwell import Reader\nsys.path.insert(0, '.')\nimport os\nsys.path[0] = os.getcwd()\n"
"""As if the script lay in the root: what a script itself imports before it reads is its own affair."""


@pytest.mark.parametrize(
    ("command", "end"),
    [("read a.txt", "\n[end]\n"), ("read a.txt --json", "}\n"), ("schema", "}\n"), ("search a a.txt", "\n[end]\n")],
)
def test_the_command_line_does_not_import_from_the_current_directory(tmp_path, command, end):
    (tmp_path / "a.txt").write_text("a\n")
    for name in ("json", "argparse", "difflib", "shutil", "textwrap", "charset_normalizer"):
        (tmp_path / f"{name}.py").write_text(TRAP)
    assert run(tmp_path, *command.split(), script=("-m", "readwell")).endswith(end)


def test_the_command_line_does_not_import_from_the_folder_of_its_script(tmp_path):
    """That of a project's virtual environment lies in the project."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "difflib.py").write_text("raise SystemExit('imported')\n")
    script = tmp_path / "bin" / "readwell"
    script.write_text("import sys\nfrom readwell.doors.cli import main\nsys.exit(main())\n")
    (tmp_path / "plan.md").write_text("one\n")
    environment = os.environ | {"PYTHONPATH": str(Path(readwell.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, script, "plans.md"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    told = "readwell: [error NOT_FOUND] File 'plans.md' does not exist. Did you mean: plan.md?\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_the_packages_of_the_interpreter_count_as_installed_inside_a_root():
    site = next(place for place in sys.path if place.endswith("site-packages"))
    assert site in import_path_outside(["/"])
    assert is_installed("pytest", import_path_outside(["/"]))
    assert str(__file__).rpartition("/")[0] not in import_path_outside(["/"])


def test_what_is_found_elsewhere_is_not_installed(tmp_path, monkeypatch):
    (tmp_path / "somebodys_module.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert is_installed("somebodys_module", (str(tmp_path),))
    assert not is_installed("somebodys_module", import_path_outside([str(tmp_path)]))
    with importing_only_from(import_path_outside([str(tmp_path)])), pytest.raises(ModuleNotFoundError):
        import somebodys_module  # pyright: ignore[reportMissingImports]
    import somebodys_module  # noqa: F401  # pyright: ignore[reportMissingImports]


ELSEWHERE = {
    "arro3": "an extra, imported early for Parquet; to write it, only in doors",
    "asyncio": "only where an event loop runs",
    "fcntl": "only on macOS",
    "pydantic": "with the class of a dialect, before it reads",
    "splintr": "an extra, imported when a counter is made",
    "ssl": "with a remote root, which imports it early",
    "tempfile": "only where a face is asked for a folder",
    "tomllib": "only in doors, which do not import from the current directory",
}


CAREFUL = {"cage", "corpus", "dataset", "packed", "remote", "report", "structure"}
"""Rooms that are imported with `importing_only_from`, by doors alone, or by name before anything is read."""


def test_everything_that_is_imported_late_is_imported_early_where_it_must_be():
    house = Path(readwell.__file__).parent
    rooms = [path for path in house.rglob("*.py") if not {"doors", "adapters", "documents"} & {*path.parts}]
    needed = {
        name
        for path in rooms
        for name, in_function in imported(ast.parse(path.read_text()))
        if in_function or not CAREFUL & {*path.parts}
    }
    code = f"import sys; from readwell import Reader; print([name for name in {sorted(needed)} if name not in sys.modules])"
    loaded_late = set(ast.literal_eval(run_python(code)))
    covered = {*NEEDED_LATER, *ELSEWHERE}
    assert {name for name in loaded_late if not covered & {name, name.partition(".")[0]}} == set()


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def imported(tree, in_function=False):
    """Yields the modules of others that a module imports, and whether in a function; not those for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, in_function) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module, in_function
        elif not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"):
            yield from imported(node, in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
