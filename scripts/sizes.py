"""Prints the lengths of files and functions, so that growth is noticed early."""

import ast
from pathlib import Path
from statistics import median, quantiles

SOURCES = Path(__file__).parent.parent / "src"


def main() -> None:
    files = {path: path.read_text() for path in sorted(SOURCES.rglob("*.py"))}
    lengths = {path.relative_to(SOURCES): text.count("\n") for path, text in files.items()}
    functions = sorted(found for path, text in files.items() for found in function_lengths(path, text))
    sizes = [size for size, _ in functions]
    print(f"{len(files)} files, {sum(lengths.values())} lines; median {median(lengths.values()):g}, longest:")
    for path, length in sorted(lengths.items(), key=lambda item: -item[1])[:5]:
        print(f"  {length:5d}  {path}")
    print(f"{len(sizes)} functions; median {median(sizes):g}, 90 % up to {quantiles(sizes, n=10)[-1]:g}, longest:")
    for size, name in functions[:-6:-1]:
        print(f"  {size:5d}  {name}")


def function_lengths(path: Path, text: str) -> list[tuple[int, str]]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{path.relative_to(SOURCES)}:{node.name}")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kinds)
    ]


if __name__ == "__main__":
    main()
