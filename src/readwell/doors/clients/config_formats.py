"""The forms of clients' configuration files: each writes an entry, adds it to a file's text and removes it again.

An edit is checked before it is used: the file without its entry for readwell must hold the same values as before.
YAML is edited by lines, and only where the lines are of the plain form that its client writes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Protocol

from .errors import NotEditable
from .jsonc import parse, with_entry, without_entry

NAME = "readwell"


class ConfigFormat(Protocol):
    """A form of configuration; `server` is the command that starts the server, with its arguments."""

    def snippet(self, server: list[str]) -> str:
        """Returns what a user pastes."""
        ...

    def with_server(self, text: str, server: list[str]) -> str:
        """Returns the file's text with the entry; raises NotEditable if the text is not understood."""
        ...

    def without_server(self, text: str) -> str:
        """Returns the file's text without the entry."""
        ...


def stdio_entry(server: list[str]) -> dict[str, object]:
    """Returns the entry that most clients understand."""
    return {"command": server[0], "args": server[1:]}


class JsonSection:
    """An object of servers by name in a JSON file."""

    def __init__(self, section: str, entry: Callable[[list[str]], dict[str, object]] = stdio_entry) -> None:
        self._path, self._entry = [section, NAME], entry

    def snippet(self, server: list[str]) -> str:
        """Returns a file with this entry alone."""
        return json.dumps({self._path[0]: {NAME: self._entry(server)}}, indent=2, ensure_ascii=False)

    def with_server(self, text: str, server: list[str]) -> str:
        """Returns the text with the entry."""
        return self._checked_change(text, with_entry(text, self._path, self._entry(server)))

    def without_server(self, text: str) -> str:
        """Returns the text without the entry; an empty file has none."""
        return self._checked_change(text, without_entry(text, self._path)) if text.strip("\ufeff \t\r\n") else text

    def _checked_change(self, before: str, after: str) -> str:
        """Returns the new text; raises NotEditable if anything else would change."""
        if before.strip("\ufeff \t\r\n") and self._other_settings(before) != self._other_settings(after):
            raise NotEditable("the change would touch other settings")
        return after

    def _other_settings(self, text: str) -> dict[str, object]:
        """Returns all settings but those of this server."""
        section, values = self._path[0], parse(text).value
        servers = {name: server for name, server in values.get(section, {}).items() if name != NAME}
        return {**values, section: servers}


class CommandOrJson(JsonSection):
    """A client with a command that adds servers; the file is edited only on request."""

    def __init__(self, command: Callable[[list[str]], str], section: str) -> None:
        super().__init__(section)
        self._command = command

    def snippet(self, server: list[str]) -> str:
        """Returns the command to run."""
        return self._command(server)


class TomlTable:
    """A table in a TOML file."""

    def __init__(self, section: str) -> None:
        self._section = section
        table = rf'(?m)^[ \t]*\[[ \t]*{section}[ \t]*\.[ \t]*"?{NAME}"?[ \t]*'
        self._header, self._subtable = re.compile(rf"{table}\]"), re.compile(rf"{table}\.")

    def snippet(self, server: list[str]) -> str:
        """Returns the table; JSON strings are valid TOML strings."""
        command, *words = [json.dumps(word, ensure_ascii=False) for word in server]
        return f"[{self._section}.{NAME}]\ncommand = {command}\nargs = [{', '.join(words)}]"

    def with_server(self, text: str, server: list[str]) -> str:
        """Returns the text with the table at its place, or at the end."""
        before = self._parse_settings(text)
        if before.get(self._section, {}).get(NAME) == stdio_entry(server):
            return text
        if NAME in before.get(self._section, {}) and not self._header.search(text):
            raise NotEditable(f"its entry for {NAME} is not a table of its own")
        bare = self._without_table(text, self._header)
        gap = "\n" if bare.strip() else ""
        return self._checked_change(text, f"{bare.rstrip()}\n{gap}{self.snippet(server)}\n".lstrip("\n"))

    def without_server(self, text: str) -> str:
        """Returns the text without the table and the tables in it."""
        bare = self._without_table(text, self._header)
        while self._subtable.search(bare):
            bare = self._without_table(bare, self._subtable)
        if NAME in self._parse_settings(bare).get(self._section, {}):
            raise NotEditable(f"its entry for {NAME} is not a table of its own")
        return self._checked_change(text, bare)

    def _without_table(self, text: str, table: re.Pattern[str]) -> str:
        """Returns the text without a table."""
        header = table.search(text)
        if not header:
            return text
        following = re.compile(r"(?m)^[ \t]*(?:\[|#)").search(text, header.end())
        rest = text[following.start() :] if following else ""
        before = text[: header.start()].rstrip("\n")
        return f"{before}\n\n{rest}".lstrip("\n") if rest else f"{before}\n".lstrip("\n")

    def _checked_change(self, before: str, after: str) -> str:
        """Returns the new text; raises NotEditable if anything else would change."""
        if self._other_settings(before) != self._other_settings(after):
            raise NotEditable("the change would touch other settings")
        return after

    def _other_settings(self, text: str) -> dict[str, object]:
        """Returns all settings but those of this server."""
        values = self._parse_settings(text)
        servers = {name: each for name, each in values.pop(self._section, {}).items() if name != NAME}
        return {**values, self._section: servers}

    def _parse_settings(self, text: str) -> dict[str, dict[str, object]]:
        """Returns the settings; raises NotEditable for what is no TOML."""
        try:
            settings = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise NotEditable(f"it is not valid TOML: {error}") from None
        if not isinstance(settings.get(self._section, {}), dict):
            raise NotEditable(f"its {self._section} is not a table")
        return settings


class YamlSection:
    """A mapping of servers by name in a YAML file in block style."""

    def __init__(self, section: str, lines: Callable[[list[str]], list[str]]) -> None:
        self._section, self._lines = section, lines

    def snippet(self, server: list[str]) -> str:
        """Returns a file with this entry alone."""
        return "\n".join([f"{self._section}:", *self._entry_lines(server, "  ")])

    def with_server(self, text: str, server: list[str]) -> str:
        """Returns the text with the entry as the first of its section."""
        lines = self._editable_lines(self.without_server(text))
        at = self._find_section(lines)
        if at is None:
            return "\n".join([*lines, *self.snippet(server).split("\n"), ""])
        indent = self._entry_indent(lines, at)
        return "\n".join([*lines[: at + 1], *self._entry_lines(server, indent), *lines[at + 1 :], ""])

    def without_server(self, text: str) -> str:
        """Returns the text without the entry."""
        lines = self._editable_lines(text)
        at = self._find_section(lines)
        if at is None:
            return text
        indent = self._entry_indent(lines, at)
        start = next(
            (index for index in self._section_line_indexes(lines, at) if lines[index].rstrip() == f"{indent}{NAME}:"),
            None,
        )
        if start is None:
            return text
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or lines[end].startswith(f"{indent} ")):
            end += 1
        return "\n".join([*lines[:start], *lines[end:], ""])

    def _entry_lines(self, server: list[str], indent: str) -> list[str]:
        """Returns the lines of an entry."""
        return [f"{indent}{NAME}:", *(f"{indent}  {line}" for line in self._lines(server))]

    def _editable_lines(self, text: str) -> list[str]:
        """Returns the lines of a file; raises NotEditable for forms that are not edited."""
        lines = text.rstrip("\n").split("\n") if text.strip() else []
        if any("\t" in line[: len(line) - len(line.lstrip())] for line in lines):
            raise NotEditable("it is indented with tabs")
        if any(line.rstrip() in ("---", "...") for line in lines[1:]):
            raise NotEditable("it holds several YAML documents")
        return lines

    def _find_section(self, lines: list[str]) -> int | None:
        """Returns the line of the section; None where there is none."""
        starts = [index for index, line in enumerate(lines) if re.match(rf"[\"']?{self._section}[\"']?\s*:", line)]
        if not starts:
            return None
        if len(starts) > 1 or not re.fullmatch(rf"{self._section}:\s*(#.*)?", lines[starts[0]]):
            raise NotEditable(f"its section {self._section} is not written as a plain block")
        return starts[0]

    def _section_line_indexes(self, lines: list[str], at: int) -> list[int]:
        """Returns the lines below the section."""
        children: list[int] = []
        for index in range(at + 1, len(lines)):
            if lines[index].strip() and not lines[index].startswith(" "):
                break
            children.append(index)
        return children

    def _entry_indent(self, lines: list[str], at: int) -> str:
        """Returns how entries of the section are indented."""
        for index in self._section_line_indexes(lines, at):
            line = lines[index]
            if line.strip() and not line.lstrip().startswith("#"):
                if line.lstrip().startswith("- "):
                    raise NotEditable(f"its section {self._section} is a list")
                return line[: len(line) - len(line.lstrip())]
        return "  "


class OwnFile:
    """A file that belongs to readwell alone."""

    def __init__(self, content: Callable[[list[str]], str]) -> None:
        self._content = content

    def snippet(self, server: list[str]) -> str:
        """Returns the content of the file."""
        return self._content(server)

    def with_server(self, text: str, server: list[str]) -> str:
        """Returns the content of the file, whatever it was."""
        self.without_server(text)
        return self._content(server) + "\n"

    def without_server(self, text: str) -> str:
        """Returns an empty text, for which the file is deleted."""
        if text.strip() and f"name: {NAME}" not in text:
            raise NotEditable(f"it is not the file of {NAME}")
        return ""
