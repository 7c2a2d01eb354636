"""Scripted clients that answer a question: with search and block, with plain reads, with rg and sed.

A client knows the question and the replies to its own calls, nothing else. Calls and replies are counted in tokens.
"""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from question_set import Question

import readwell

MAX_CALLS = 25
"""Calls after which a client gives up."""
ROW = re.compile(r"^(\d+)(?:@\d+)?>?\t(.*)$")
FILE = re.compile(r"^\[(\S+?) \| ")
MORE = re.compile(r"^\[more: (?:pages=(\S+)|offset=(\d+))", re.M)
GREP = re.compile(r"^(?:(\S+?\.\w+)[:-])?(\d+)[:-](.*)$")
FOR_RECORD = 8
"""Lines of a log that are wanted around a match."""
FOR_SED = 40


class Answer(NamedTuple):
    """What a client saw, and what that cost."""

    calls: int
    tokens: int
    lines: dict[tuple[str, int], str]
    text: str


class Account:
    """The calls and replies of one question."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self.calls = self.tokens = 0
        self.texts: list[str] = []
        self.lines: dict[tuple[str, int], str] = {}

    def add(self, call: object, reply: str) -> None:
        self.calls += 1
        self.tokens += self._count(json.dumps(call)) + self._count(reply)
        self.texts.append(reply)

    def answer(self) -> Answer:
        return Answer(self.calls, self.tokens, self.lines, "\n".join(self.texts))


class Searching:
    """Searches, then asks for the block around the match that the reply shows last."""

    name = "search, then block"

    def __init__(self, root: Path, count: Callable[[str], int]) -> None:
        self._reader = readwell.Reader(root, cache_dir=None, count_tokens=count)
        self._count = count

    def ask(self, question: Question) -> Answer:
        account = Account(self._count)
        places = self._search(account, question)
        if places and not question.place.endswith(".log"):
            path, line = places[-1]
            self._block(account, path, line)
        return account.answer()

    def _search(self, account: Account, question: Question) -> list[tuple[str, int]]:
        params: dict[str, object] = {"path": question.place}
        if question.place.endswith(".log"):
            params |= {"pattern": question.name, "around": FOR_RECORD}
        elif question.kind == "defined":
            params |= {"pattern": rf"\b(def|class) {question.name}\b", "glob": "*.py"}
        elif question.kind == "raised":
            params |= {"pattern": question.name, "literal": True, "glob": "*.py"}
        elif question.words:
            params |= {"pattern": question.name, "literal": True}
        else:
            params |= {"pattern": rf"\b{question.name}\b", "glob": "*.py"}
        return self._noted(account, params, self._reader.search_reply(params).text)

    def _block(self, account: Account, path: str, line: int) -> None:
        params: dict[str, object] = {"path": path, "offset": line, "view": "block"}
        reply = self._reader.reply(params).text
        self._noted(account, params, reply)
        last = reply.rpartition("\n")[2]
        following = MORE.search(last)
        if following and following[2] and "budget" in last:
            params = {"path": path, "offset": int(following[2])}
            self._noted(account, params, self._reader.reply(params).text)

    def _noted(self, account: Account, params: object, reply: str) -> list[tuple[str, int]]:
        account.add(params, reply)
        found = list(numbered(reply))
        account.lines |= {(path, line): text for path, line, text in found}
        return [(path, line) for path, line, _ in found]


class Reading:
    """Reads file by file, those first whose names have words of the question, until it has seen what it looks for."""

    name = "read alone"

    def __init__(self, root: Path, count: Callable[[str], int]) -> None:
        self._root, self._count = root, count
        self._reader = readwell.Reader(root, cache_dir=None, count_tokens=count)

    def ask(self, question: Question) -> Answer:
        account = Account(self._count)
        for path in self._files(account, question):
            params: dict[str, object] = {"path": path}
            while account.calls < MAX_CALLS:
                reply = self._reader.reply(params).text
                account.add(params, reply)
                account.lines |= {(path, line): text for _, line, text in numbered(reply)}
                more = MORE.search(reply)
                if is_complete_answer(question, account.answer()) or not more:
                    break
                params = {"path": path, "pages": more[1]} if more[1] else {"path": path, "offset": int(more[2])}
            if account.calls >= MAX_CALLS or is_complete_answer(question, account.answer()):
                break
        return account.answer()

    def _files(self, account: Account, question: Question) -> list[str]:
        if question.place.endswith(".log"):
            return [question.place]
        params = {"path": question.place, "view": "outline"}
        account.add(params, self._reader.reply(params).text)
        words = {word for word in re.findall(r"[a-z]+", question.name.lower()) if len(word) > 3}
        paths = sorted(
            str(path.relative_to(self._root)) for path in (self._root / question.place).rglob("*") if path.is_file()
        )
        return sorted(paths, key=lambda path: -sum(word in path.lower() for word in words))


class Shell:
    """Runs rg, then sed around the match until it has seen a definition to its end."""

    name = "rg, then sed"

    def __init__(self, root: Path, count: Callable[[str], int]) -> None:
        self._root, self._count = root, count

    def ask(self, question: Question) -> Answer:
        account = Account(self._count)
        found = self._grep(account, question)
        if found and not question.place.endswith(".log"):
            path, line, _ = found[-1]
            self._show(account, path, line, question.kind == "defined")
        return account.answer()

    def _grep(self, account: Account, question: Question) -> list[tuple[str, int, str]]:
        if question.place.endswith(".log"):
            words = ["rg", "-nF", "-C", str(FOR_RECORD), question.name]
        elif question.kind == "defined":
            words = ["rg", "-n", "-tpy", rf"\b(def|class) {question.name}\b"]
        elif question.kind == "raised":
            words = ["rg", "-nF", "-tpy", question.name]
        else:
            words = ["rg", "-nF", question.name] if question.words else ["rg", "-nw", "-tpy", question.name]
        reply = self._run(account, [*words, question.place])
        parts = filter(None, map(GREP.match, reply.splitlines()))
        found = [(part[1] or question.place, int(part[2]), part[3]) for part in parts]
        account.lines |= {(path, line): text for path, line, text in found}
        return sorted(found)

    def _show(self, account: Account, path: str, line: int, is_first: bool) -> None:
        """Shows lines until the head of the definition and the first line behind it are seen."""
        first = line if is_first else max(1, line - FOR_SED // 2)
        last = first + FOR_SED
        self._sed(account, path, first, last)
        while account.calls < MAX_CALLS and not is_first and not _has_head(account, path, first, line):
            if first == 1:
                break
            first = max(1, first - FOR_SED)
            self._sed(account, path, first, first + FOR_SED - 1)
        while account.calls < MAX_CALLS and (path, last) in account.lines and not _has_end(account, path, line, last):
            self._sed(account, path, last + 1, last + FOR_SED)
            last += FOR_SED

    def _sed(self, account: Account, path: str, first: int, last: int) -> None:
        shown = self._run(account, ["sed", "-n", f"{first},{last}p", path]).split("\n")
        account.lines |= {(path, number): text for number, text in enumerate(shown[:-1], first)}

    def _run(self, account: Account, words: list[str]) -> str:
        done = subprocess.run(words, cwd=self._root, capture_output=True, text=True, errors="replace", check=False)
        account.add(" ".join(words), done.stdout)
        return done.stdout


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _has_head(account: Account, path: str, first: int, line: int) -> bool:
    inner = _indent(account.lines.get((path, line), ""))
    rows = [account.lines.get((path, number), "") for number in range(first, line + 1)]
    return any(re.match(r"\s*(?:async )?(?:def|class) ", row) and _indent(row) < max(1, inner) for row in rows)


def _has_end(account: Account, path: str, line: int, last: int) -> bool:
    least = max(1, _indent(account.lines.get((path, line), "")))
    rows = [account.lines.get((path, number), "") for number in range(line + 1, last + 1)]
    return any(row.strip() and _indent(row) < least and not row.lstrip().startswith((")", "]")) for row in rows)


def numbered(reply: str) -> Iterator[tuple[str, int, str]]:
    """Yields the lines that a reply shows: path, number, text."""
    path = ""
    for row in reply.split("\n"):
        if header := FILE.match(row):
            path = header[1]
        elif shown := ROW.match(row):
            yield path, int(shown[1]), shown[2]


def is_complete_answer(question: Question, answer: Answer) -> bool:
    """Whether a client has seen all that the question asks for."""
    if question.words:
        return " ".join(question.words) in _flowing(answer, question.path)
    seen = answer.lines
    whole = all(seen.get((question.path, line)) == text.rstrip("\r") for line, text in question.lines)
    return whole and all(place in seen for place in question.mentions)


def _flowing(answer: Answer, path: str) -> str:
    """Returns the lines of a document as one line of words."""
    lines = [text for (where, _), text in sorted(answer.lines.items()) if where == path]
    return " ".join(" ".join(lines).replace("\\", "").split())
