"""Writes MODULES.md, the list of all modules with what they define, or checks with --check that it is up to date."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "readwell"
PAGE = ROOT / "MODULES.md"
UNLISTED = ("__init__", "__all__", "__slots__", "__repr__", "__reduce__")
"""Names that say nothing of where something is done."""
UNTOLD = ("light_typing", "named_tuple")
"""Modules that all others use."""
HEAD = """# Modules

Each module of `src/readwell` with its task, the first line of its docstring, and the constants, functions and classes
that it defines; behind a class its fields and methods. The last line of a module names what it uses of other modules.
To find where something is done, search this page for a word of it; [ARCHITECTURE.md](ARCHITECTURE.md) says how the
parts work together. `make format` writes this page.

"""


def main() -> None:
    wanted = HEAD + "".join(entry(path) for path in module_paths())
    if PAGE.exists() and wanted == PAGE.read_text():
        return
    if "--check" in sys.argv:
        sys.exit("MODULES.md is not the list of what is in src/: make format")
    PAGE.write_text(wanted)


def module_paths() -> list[Path]:
    """Returns the modules by path; a package is listed before its modules."""
    paths = sorted(PACKAGE.rglob("*.py"), key=lambda path: path.with_suffix("").parts)
    return [path for path in paths if path.parent != PACKAGE or is_named(path)]


def is_named(path: Path) -> bool:
    return not path.stem.startswith("__")


def entry(path: Path) -> str:
    module = ast.parse(path.read_text())
    task = (ast.get_docstring(module) or "").partition("\n")[0]
    defined, used = ", ".join(names_in(module.body)), ", ".join(names_used(module))
    lines = [f"* `{module_name(path)}` — {task}", defined, f"uses {used}" if used else ""]
    return "\n  ".join(filter(None, lines)) + "\n"


def module_name(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    return inside.with_suffix("").as_posix() if is_named(path) else f"{inside.parent.as_posix()}/"


def names_in(body: list[ast.stmt]) -> list[str]:
    """Returns the names that the statements define, in their order; those of modules in `__` are left out."""
    names: list[str] = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            inside = ", ".join(dict.fromkeys([*attributes_of(node), *names_in(node.body)]))
            names.append(f"`{node.name}`" + (f" ({inside})" if inside else ""))
        elif isinstance(node, ast.If | ast.Try):
            names += names_in([*node.body, *node.orelse])
        else:
            names += [f"`{name}`" for name in defined_by(node) if name not in UNLISTED]
    return names


def names_used(module: ast.Module) -> list[str]:
    """Returns the names that a module imports from others of the package, by name; `light_typing` is left out."""
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom) and node.level]
    return sorted({each.name for node in imports if node.module not in UNTOLD for each in node.names})


def attributes_of(node: ast.ClassDef) -> list[str]:
    """Returns the attributes that the methods of a class set on their instance."""
    targets = (each for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store))
    names = [f"`{each.attr}`" for each in targets if isinstance(each.value, ast.Name) and each.value.id == "self"]
    return list(dict.fromkeys(names))


def defined_by(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Assign):
        yield from (name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name))


if __name__ == "__main__":
    main()
