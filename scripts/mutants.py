"""Mutation testing: changes the source at random positions and counts the changes that no test notices.

`python scripts/mutants.py --count 40 --seed 7 [PATH …]` draws places below PATH (the whole package if none is given),
applies one change at a time to a copy of the checkout and runs the quick tests there until the first failure: those
that import the changed module, those nearest to it, then all (not with `--near`). What survives is either a hole in the
tests or changes nothing.
"""

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from real_documents import real_corpus

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = "src/readwell"
NEAREST = {
    "documents/structure_converter": "outlines",
    "tool_setup": "doors/test_startup.py",
    "documents/pdf/scans": "documents/test_scans.py documents/pdf",
    "documents/pdf": (
        "documents/pdf/test_made_pages.py documents/pdf/test_real_pages.py test_stated_bounds.py documents/pdf"
    ),
    "documents/ocr": "documents/test_scans.py",
    "documents/worker": "documents/test_worker.py hostile/test_cage.py documents/test_reading.py",
    "documents/docx": "documents/test_docx.py documents",
    "documents/odt": "documents/test_odt.py documents",
    "documents/pptx": "documents/test_pptx.py documents",
    "documents/rtf": "documents/test_rtf.py documents",
    "documents/xlsx": "documents/test_sheets.py documents/test_long_sheets.py documents",
    "documents/ods": "documents/test_sheets.py documents/test_long_sheets.py documents",
    "documents/doc/": "documents/test_old_office.py documents",
    "documents": "test_stated_bounds.py documents",
    "doors/report": "report doors/test_cli.py",
    "doors/mcp": "doors/test_mcp_server.py doors/test_mcp_http.py doors test_docs.py",
    "doors": "doors/test_cli.py doors test_docs.py documents/test_convert_command.py",
    "dialects": "dialects laws/test_window.py laws/test_budgets.py laws/test_batches.py",
    "source": (
        "hostile/test_confinement.py hostile/test_policy.py hostile/test_names.py laws "
        "hostile/test_special_and_changing.py hostile/test_outside_names.py hostile/test_clock.py "
        "dialects/test_several_files.py dialects/test_native_missing.py hostile/test_just_changed.py"
    ),
    "gitignore": "laws/test_patterns.py hostile/test_policy.py hostile/test_clock.py",
    "text": "laws dialects hostile/test_huge_files.py",
    "disk_store": "laws/test_store.py laws/test_index_cache.py hostile/test_killed_writers.py",
    "cage": "hostile/test_cage.py hostile/test_landlock.py hostile/test_without_procfs.py",
    "config_files": "doors/test_policy_options.py hostile/test_outside_names.py",
    "policy": "hostile/test_policy.py doors/test_policy_options.py",
    "search": "dialects/test_search.py laws hostile/test_searching.py hostile/test_needles.py",
    "structure": "outlines laws/test_json_laws.py",
    "readings": "outlines dialects documents",
    "packed": "packed hostile/test_needles.py",
    "remote": "remote",
    "report": "report",
    "audit": "hostile/test_audit.py report",
    "corpus": "test_stated_bounds.py dataset",
    "dataset": "test_stated_bounds.py dataset",
    "adapters": "adapters",
    "following": "doors/test_standard_input.py",
    "deadline": "hostile/test_clock.py dialects",
    "fork_locks": "hostile/test_forks.py laws/test_index_cache.py",
    "import_guard": "hostile/test_imports.py doors/test_startup.py",
    "invisible_characters": "laws/test_what_cannot_be_seen.py",
    "toolspec": "adapters dialects",
    "token": "test_token_bound.py laws/test_tokens.py laws/test_budgets.py dialects",
}
"""The tests to try first, by the part of the package that was changed."""
SECONDS = 300
"""How long the tests of one change may take; one that makes them hang is listed, since the machine may be busy."""
SYMMETRIC = ("max", "min")
"""Calls that give the same when their first two arguments are exchanged."""
FEW = 6
"""How many files of tests are run first because they import the changed module."""
NO_TESTS = 5
"""How pytest ends where no test is quick: nothing noticed anything."""
FLIPPED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip


class Change(NamedTuple):
    """A change: a position in a module and its new text."""

    path: Path
    line: int
    first: int
    last: int
    text: bytes
    kind: str


def main() -> None:
    options = _options()
    changes = _drawn(options.paths, options.count, options.seed)
    ends, doubtful = time.monotonic() + 60 * options.minutes, []
    with tempfile.TemporaryDirectory(prefix="readwell-mutants-") as folder:
        copy = _copied(Path(folder))
        for number, change in enumerate(changes, 1):
            if time.monotonic() > ends:
                print(f"stopped after {options.minutes} minutes: {number - 1} of {len(changes)} changes tried")
                break
            outcome = _outcome(copy, change, options.near, options.seconds)
            described = _described(change)
            print(f"{number:3d} {described}\n    {outcome}", flush=True)
            doubtful += [] if outcome.startswith("noticed") else [f"{outcome.split()[0]:8} {described}"]
    print("\n".join([f"\n{len(doubtful)} not noticed for sure", *doubtful]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=[PACKAGE], metavar="PATH")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--near", action="store_true", help="run only the nearest tests; others may notice a survivor")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the tests of one change may take")
    parser.add_argument("--minutes", type=float, default=60, help="start no further change after this time")
    return parser.parse_args()


def _drawn(paths: list[str], count: int, seed: int) -> list[Change]:
    """Draws modules evenly, then a change in each, so that long modules do not crowd out short ones."""
    chance = random.Random(seed)
    modules = sorted(module for path in paths for module in _modules(PROJECT / path))
    possible = {module: changes for module in modules if (changes := list(_changes(module)))}
    drawn: dict[tuple[Path, int, int], Change] = {}
    for _ in range(50 * count):
        change = chance.choice(possible[chance.choice(list(possible))])
        drawn.setdefault((change.path, change.first, change.last), change)
        if len(drawn) == count:
            break
    return list(drawn.values())


def _modules(path: Path) -> list[Path]:
    return [path] if path.is_file() else list(path.rglob("*.py"))


def _changes(module: Path) -> Iterator[Change]:
    source = module.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(node: ast.expr | ast.stmt) -> tuple[int, int]:
        last_line, last = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return starts[node.lineno - 1] + node.col_offset, starts[last_line - 1] + last

    def change(node: ast.expr | ast.stmt, text: bytes, kind: str) -> Change:
        return Change(module.relative_to(PROJECT), node.lineno, *place(node), text, kind)

    def code(node: ast.expr) -> bytes:
        first, last = place(node)
        return source[first:last]

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in FLIPPED and len(node.ops) == 1:
            flipped = f" {FLIPPED[type(node.ops[0])]} ".encode()
            yield change(node, code(node.left) + flipped + code(node.comparators[0]), "comparison flipped")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield change(node, str(node.value + 1).encode(), "constant moved by one")
        elif isinstance(node, ast.If | ast.While | ast.IfExp) and code(node.test) != b"TYPE_CHECKING":
            yield change(node.test, b"(not (" + code(node.test) + b"))", "condition negated")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield change(node, b"pass", "statement dropped")
        elif isinstance(node, ast.BoolOp):
            other = b" or " if isinstance(node.op, ast.And) else b" and "
            yield change(node, b"(" + other.join(map(code, node.values)) + b")", "and for or")
        elif isinstance(node, ast.Call) and len(node.args) > 1 and not isinstance(node.args[0], ast.Starred):
            yield from _swapped(node, change, code)


def _swapped(node: ast.Call, change, code) -> Iterator[Change]:
    """Yields the call with its first two arguments exchanged, unless they are the same."""
    one, other = node.args[:2]
    if code(one) != code(other) and not isinstance(other, ast.Starred) and code(node.func).decode() not in SYMMETRIC:
        arguments = [code(other), code(one), *map(code, node.args[2:])]
        arguments += [(f"{named.arg}=" if named.arg else "**").encode() + code(named.value) for named in node.keywords]
        yield change(node, code(node.func) + b"(" + b", ".join(arguments) + b")", "arguments swapped")


def _copied(folder: Path) -> Path:
    """Copies what git tracks and compiles it, so that only the changed module is compiled again; the virtual
    environment is shared.
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, folder / name)
    compiled = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", PACKAGE]
    subprocess.run(compiled, cwd=folder, check=True)
    return folder


def _outcome(copy: Path, change: Change, only_near: bool, seconds: float) -> str:
    """Returns `noticed by` a test, `hung` (the tests took too long), `SURVIVED`, or `UNSURE`, of a test that fails
    without the change too or passes when it is run alone.
    """
    path = copy / change.path
    source = path.read_bytes()
    path.write_bytes(source[: change.first] + change.text + source[change.last :])
    try:
        for tests in filter(None, [_importing(change.path), _nearest(change.path), [] if only_near else ["tests"]]):
            if failed := _failed(copy, tests, seconds):
                again = _failed(copy, failed, seconds)
                path.write_bytes(source)
                sure = again and not _failed(copy, failed, seconds)
                return f"{'noticed' if sure else 'UNSURE'} by {failed[0]}"
    except subprocess.TimeoutExpired:
        return "hung"
    finally:
        path.write_bytes(source)
    return "SURVIVED"


def _importing(path: Path) -> list[str]:
    """Returns the tests that import the changed module, if they are few: they notice most."""
    name = ".".join(path.relative_to("src").with_suffix("").parts).removesuffix(".__init__")
    package, _, module = map(re.escape, name.rpartition("."))
    imports = re.compile(rf"(?:import|from) {package}\.{module}\b(?!\.)|from {package} import [^\n]*\b{module}\b")
    tests = sorted((PROJECT / "tests").rglob("test_*.py"))
    tests = [str(test.relative_to(PROJECT)) for test in tests if imports.search(test.read_text(encoding="utf-8"))]
    return tests if len(tests) <= FEW else []


def _nearest(path: Path) -> list[str]:
    inside = str(path.relative_to(PACKAGE))
    names = next((names for part, names in NEAREST.items() if inside.startswith(part)), "dialects")
    return [f"tests/{name}" for name in names.split()]


def _failed(copy: Path, tests: list[str], seconds: float) -> list[str]:
    """Runs the quick tests on the copy until the first failure; returns the functions or files that failed."""
    workers = "0" if "::" in tests[0] else "auto"
    command = [sys.executable, *f"-m pytest -q -x -n {workers} --tb=no -p no:cacheprovider -m".split(), "not slow"]
    environment = {
        **os.environ, "PYTHONPATH": str(copy / "src"), "READWELL_EFFORT": "quick", "PYTHONDONTWRITEBYTECODE": "1",
        "READWELL_CORPUS": str(real_corpus()),
    }  # fmt: skip
    with subprocess.Popen(
        [*command, *tests], cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    ) as running:  # fmt: skip
        try:
            said, _ = running.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            raise
    if running.returncode in (0, NO_TESTS):
        return []
    named = [line.split()[1].partition("[")[0] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return named[:1] or tests


def _described(change: Change) -> str:
    before = (PROJECT / change.path).read_bytes()[change.first : change.last].decode()
    return f"{change.path}:{change.line} {change.kind}: {_short(before)} -> {_short(change.text.decode())}"


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 70 else line[:67] + "..."


if __name__ == "__main__":
    main()
