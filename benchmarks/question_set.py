"""Generates questions with known answers: where is X defined, raised or mentioned; show it whole.

The answers come from Python's own `ast`, from plain loops and from how the log and the documents were written, never
from readwell. A thing is asked for only if showing it whole is possible within `MAX_TOKENS`.
"""

import ast
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from made_reports import made_docx, made_epub, made_pdf, made_pptx, sections

MAX_TOKENS = 1000
MAX_MENTIONS = 12
RECORDS = 200
"""Records of the log that can be asked for."""
DOCUMENTS = {"pdf": (made_pdf, 8), "docx": (made_docx, 6), "pptx": (made_pptx, 3), "epub": (made_epub, 3)}
PHRASE = 5
Count = Callable[[str], int]


class Question(NamedTuple):
    """What is asked for, in which place, and what the answer must show."""

    kind: str
    """defined, raised or mentioned."""
    place: str
    """The folder or file to look in, below the root of all."""
    name: str
    path: str
    """The file that has the answer."""
    lines: tuple[tuple[int, str], ...] = ()
    """Lines that make up the whole thing."""
    words: tuple[str, ...] = ()
    """Instead of lines: words of a document, in their order."""
    mentions: tuple[tuple[str, int], ...] = ()
    """All lines that the answer must name."""


class Definition(NamedTuple):
    """A function or class of a tree: its lines are those from the first decorator on."""

    name: str
    path: str
    start: int
    end: int


class Tree:
    """A tree of Python files, and what is in it."""

    def __init__(self, root: Path, place: str, count: Count) -> None:
        self.place, self._count = place, count
        self.texts = {
            str(path.relative_to(root)): path.read_text(errors="replace").split("\n")
            for path in sorted((root / place).rglob("*.py"))
        }
        self._parsed = {path: tree for path, text in self.texts.items() if (tree := _parsed("\n".join(text)))}
        self._definitions = {path: list(_definitions(tree, path)) for path, tree in self._parsed.items()}

    def questions(self, rng: random.Random, number: int) -> list[Question]:
        """Returns so many questions of each kind."""
        return [question for kind in self._candidates for question in self._drawn(kind, rng, number)]

    @cached_property
    def _candidates(self) -> list[list[Question]]:
        return [sorted(kind) for kind in (self._defined(), self._raised(), self._mentioned())]

    def _drawn(self, candidates: list[Question], rng: random.Random, number: int) -> Iterator[Question]:
        """Yields so many of them that are small enough to be shown."""
        shuffled = iter(rng.sample(candidates, len(candidates)))
        while number:
            question = next(shuffled)
            if self._count("\n".join(f"{line}\t{text}" for line, text in question.lines)) <= MAX_TOKENS:
                number -= 1
                yield question

    def _whole(self, kind: str, name: str, whole: Definition) -> Question:
        lines = self.texts[whole.path][whole.start - 1 : whole.end]
        return Question(kind, self.place, name, whole.path, tuple(enumerate(lines, whole.start)))

    def _defined(self) -> list[Question]:
        """Things that have a name of their own."""
        by_name: dict[str, list[Definition]] = defaultdict(list)
        for each in (each for held in self._definitions.values() for each in held):
            by_name[each.name].append(each)
        return [self._whole("defined", name, each[0]) for name, each in by_name.items() if len(each) == 1]

    def _raised(self) -> list[Question]:
        """Errors by what they say, where one line of the tree says it."""
        by_text: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for path, tree in self._parsed.items():
            for text, line in _messages(tree):
                by_text[text].append((path, line))
        everything = "\n".join(line for text in self.texts.values() for line in text)
        found: list[Question] = []
        for text, ((path, line), *others) in by_text.items():
            around = self.around(path, line)
            if not others and around and everything.count(text) == 1:
                found.append(self._whole("raised", text, around))
        return found

    def _mentioned(self) -> list[Question]:
        """Names that few lines have; of one of these lines the function around it is wanted."""
        by_name: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for path, text in self.texts.items():
            for number, line in enumerate(text, 1):
                for name in set(re.findall(r"\b[A-Za-z_]\w{7,}\b", line)):
                    by_name[name].append((path, number))
        found: list[Question] = []
        for name, mentions in by_name.items():
            around = self.around(*mentions[-1]) if 2 <= len(mentions) <= MAX_MENTIONS else None
            if around:
                found.append(self._whole("mentioned", name, around)._replace(mentions=tuple(mentions)))
        return found

    def around(self, path: str, line: int) -> Definition | None:
        """Returns the innermost definition around a line."""
        held = [each for each in self._definitions.get(path, []) if each.start <= line <= each.end]
        return min(held, key=lambda each: (each.end - each.start, -each.start), default=None)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _definitions(tree: ast.Module, path: str) -> Iterator[Definition]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield Definition(node.name, path, start, node.end_lineno or node.lineno)


def _messages(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yields the first words of errors that are raised, as a line of the source has them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            first = node.exc.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                text = re.split(r"[\\'\"\n%{]", first.value)[0].strip()
                if len(text) >= 15:
                    yield text[:60], first.lineno


def write_log(path: Path, megabytes: int) -> list[Question]:
    """Writes a log with records of several lines, and returns a question for each of these."""
    rng = random.Random(5)
    plain = [
        f"2026-11-{n % 28 + 1:02}T{n % 24:02}:{n % 60:02} INFO app[{n}]: took {rng.random():.6f} s"
        for n in range(15_000)
    ]
    block, questions, number = "\n".join(plain), list[Question](), 1
    every = max(1, megabytes // RECORDS)
    with path.open("w") as file:
        for megabyte in range(megabytes):
            file.write(f"{block}\n")
            number += len(plain)
            if megabyte % every == 0:
                name, record = _record(rng)
                lines = tuple(enumerate(record, number))
                questions.append(Question("mentioned", path.name, name, path.name, lines))
                file.write("\n".join(record) + "\n")
                number += len(record)
    return questions


def _record(rng: random.Random) -> tuple[str, list[str]]:
    name = f"req-{rng.randrange(16**10):010x}"
    frames = [f"    at module{rng.randrange(99)}.step{n} (line {rng.randrange(999)})" for n in range(rng.randint(2, 7))]
    return name, [f"2026-11-16T12:00 ERROR app: {name} failed: TimeoutError", *frames]


def write_documents(folder: Path) -> list[Question]:
    """Writes the documents, and returns a question for each phrase that only one of their paragraphs has."""
    folder.mkdir(parents=True)
    paragraphs: list[tuple[str, str]] = []
    texts: list[str] = []
    for kind, (make, number) in DOCUMENTS.items():
        for each in range(number):
            shown = sections(random.Random(f"{kind}{each}"))
            path = folder / f"report{each}.{kind}"
            path.write_bytes(make(shown))
            paragraphs += [(f"{folder.name}/{path.name}", section.paragraph) for section in shown]
            texts += [text for section in shown for text in (section.paragraph, *section.items)]
    return [
        Question("mentioned", folder.name, phrase, path, words=tuple(text.split()))
        for path, text in paragraphs
        for phrase in _phrases(text)
        if sum(phrase in other for other in texts) == 1
    ]


def _phrases(text: str) -> Iterator[str]:
    words = text.split()
    for at in range(3, len(words) - PHRASE, 7):
        yield " ".join(words[at : at + PHRASE])
