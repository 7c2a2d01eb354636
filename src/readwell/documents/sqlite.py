"""SQLite becomes Markdown, a table for each table; of views and virtual tables the definition only.

The file is opened from memory, so that neither a journal nor a lock beside it matters, and nothing of its SQL is run:
a view could do anything that a query can.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

from ..errors import ConversionFailed, DocumentEmpty
from ..named_tuple import NamedTuple
from .contract import Converter
from .sheet_markdown import Cells, SheetGrid, SheetRow, part_suffix, sheet_markdown
from .single_unit import SingleUnit

VERSION = "3"
STORED, COMPUTED = (0, 3), 2
"""Kinds of columns, as SQLite numbers them: those that hold values, and those that are computed."""
PART_ROWS = 2000
MAX_CELL = 16 << 20
WRITE_AHEAD = slice(18, 20)
"""Where the header says that a journal lies beside the file; without it the same pages are opened as they are."""
ALLOWED = frozenset([sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_PRAGMA])
COUNT = "count"
NOTHING: Cells = {0: ""}
"""A row without a value is a row all the same."""
DEFINITION = "*Only its definition is shown: showing more would run SQL of the file.*"


class Table(NamedTuple):
    """A table, view or virtual table."""

    name: str
    columns: list[tuple[str, str]]
    """Names and types; nothing of what is only defined."""
    rows: int
    parts: int
    definition: str
    kind: str
    computed: str = ""
    """Names of columns that are computed whenever they are read: that would run what the file says."""


class Database:
    """An opened database: its units are tables, or parts of tables as soon as one of them is long."""

    def __init__(self, content: bytes) -> None:
        self._connection = _opened(content)
        try:
            self.tables = list(_tables(self._connection))
        except sqlite3.Error as error:
            raise ConversionFailed("sqlite", f"it is damaged: {error}") from error
        if not self.tables:
            raise DocumentEmpty("sqlite", 0)
        self.count = sum(table.parts for table in self.tables)
        self.unit = "table" if self.count == len(self.tables) else "part"

    def prepared(self) -> bytes:
        """Returns nothing: tables are listed in the file."""
        return b""

    def markdown(self, number: int) -> str:
        """Returns one table, or a part of one; the first part begins with a list of all."""
        table, part = self._table_and_part(number)
        written = self._part_markdown(table, part)
        return written if number > 1 or self.unit == "table" else f"{self._table_of_contents()}\n\n{written}"

    def outline(self) -> str:
        """Returns a row for each table: its units, its size, its columns with their types."""
        rows: list[tuple[int, int, int, str]] = []
        first = 1
        for table in self.tables:
            rows.append((0, first, first + table.parts - 1, _describe_table(table)))
            first += table.parts
        return json.dumps([self.count, rows, self.unit])

    def _table_and_part(self, number: int) -> tuple[Table, int]:
        """Returns which table a unit is of, and which of its parts."""
        part = number - 1
        for table in self.tables:
            if part < table.parts:
                return table, part
            part -= table.parts
        raise IndexError(number)

    def _part_markdown(self, table: Table, part: int) -> str:
        """Returns a part of a table, or the definition of what has no rows of its own."""
        if not table.columns:
            definition = table.definition.replace("```", "'''")
            return f"# {table.name} ({table.kind})\n\n```sql\n{definition}\n```\n\n{DEFINITION}"
        first = part * PART_ROWS
        rows = list(self._rows(table, first))
        head = {index: column for index, (column, _) in enumerate(table.columns)}
        name = part_suffix(part + 1, table.parts, first + 1, first + len(rows)) if table.parts > 1 else ""
        written = sheet_markdown(table.name, False, SheetGrid(rows, part_suffix=name, head=head))
        written += (
            f"\n\n*Columns that the database computes are not shown: {table.computed}.*" if table.computed else ""
        )
        if rows:
            return written
        return f"{written.partition(chr(10))[0]}\n\n*It has no rows. Columns: {_columns(table)}.*"

    def _rows(self, table: Table, first: int) -> Iterator[SheetRow]:
        """Yields the rows of a part."""
        try:
            columns = ", ".join(_quoted(name) for name, _ in table.columns)
            records = self._connection.execute(
                f"SELECT {columns} FROM {_quoted(table.name)} LIMIT {PART_ROWS} OFFSET {first}"  # noqa: S608 - quoted
            )
            for number, values in enumerate(records, first + 1):
                cells = {column: text for column, value in enumerate(values) if (text := _text(value))}
                yield SheetRow(number, cells or NOTHING)
        except sqlite3.Error as error:
            raise ConversionFailed("sqlite", f"its table {table.name} is damaged: {error}") from error

    def _table_of_contents(self) -> str:
        """Returns a list of the tables and the parts that each takes."""
        lines: list[str] = []
        first = 1
        for table in self.tables:
            parts = f"part {first}" if table.parts == 1 else f"parts {first}-{first + table.parts - 1}"
            lines.append(f"- {table.name}: {parts}")
            first += table.parts
        return "\n".join(lines)


def _opened(content: bytes) -> sqlite3.Connection:
    """Opens a database in memory, in which nothing can be changed or called."""
    if content[WRITE_AHEAD] == b"\2\2":
        content = content[:18] + b"\1\1" + content[20:]
    connection = sqlite3.connect(":memory:")
    connection.text_factory = _decoded
    try:
        connection.deserialize(content)
        for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        raise ConversionFailed("sqlite", f"it is damaged: {error}") from error
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL)
    connection.set_authorizer(_authorize)
    return connection


def _decoded(raw: bytes) -> str:
    """Returns text that may not be valid UTF-8."""
    return raw.decode(errors="replace")


def _authorize(action: int, what: str | None, which: str | None, *_: object) -> int:
    """Allows reading, and the one function that counts."""
    counting = action == sqlite3.SQLITE_FUNCTION and which == COUNT
    pragma = action == sqlite3.SQLITE_PRAGMA and what != "table_xinfo"
    return sqlite3.SQLITE_OK if (action in ALLOWED and not pragma) or counting else sqlite3.SQLITE_DENY


def _tables(connection: sqlite3.Connection) -> Iterator[Table]:
    """Yields the tables, views and virtual tables of a database."""
    listed = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
    for kind, name, sql in listed:
        definition = str(sql or "")
        virtual = definition[:20].upper().startswith("CREATE VIRTUAL")
        if str(name).startswith("sqlite_"):
            continue
        if kind == "view" or virtual:
            kind = "virtual table" if virtual else "view"
            yield Table(str(name), [], 0, parts=1, definition=definition, kind=kind)
            continue
        column_rows = connection.execute(f"PRAGMA table_xinfo({_quoted(name)})").fetchall()
        columns = [(str(column[1]), str(column[2])) for column in column_rows if column[6] in STORED]
        computed = [str(column[1]) for column in column_rows if column[6] == COMPUTED]
        (rows,) = connection.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()  # noqa: S608 - quoted
        parts = max(1, -(-rows // PART_ROWS))
        yield Table(
            str(name), columns, rows, parts=parts, definition=definition, kind="table", computed=", ".join(computed)
        )


def _columns(table: Table) -> str:
    """Returns the columns of a table with their types."""
    return ", ".join(f"{name} {kind}".strip() for name, kind in table.columns)


def _quoted(name: object) -> str:
    """Returns a name as SQL quotes it."""
    return '"' + str(name).replace('"', '""') + '"'


def _text(value: object) -> str:
    """Returns a value as it is shown; a blob by its size."""
    if value is None:
        return ""
    return f"<blob, {len(value)} bytes>" if isinstance(value, bytes) else str(value)


def _describe_table(table: Table) -> str:
    """Returns a table's name, size and columns."""
    if not table.columns:
        return f"{table.name} ({table.kind})"
    rows, columns = table.rows, len(table.columns)
    size = f"{rows} row{'s' * (rows != 1)} × {columns} column{'s' * (columns != 1)}"
    return f"{table.name}, {size}: {_columns(table)}"


def open_sqlite(content: bytes, password: str | None, prepared: bytes) -> Database:  # noqa: ARG001
    """Opens a database."""
    return Database(content)


def open_outline(content: bytes, password: str | None, prepared: bytes) -> SingleUnit:  # noqa: ARG001
    """Finds the tables of a database."""
    return SingleUnit(Database(content).outline())


def _sample() -> bytes:
    """Returns a small database, to load what is needed before the cage shuts."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE a (b INTEGER)")
    connection.execute("INSERT INTO a VALUES (1)")
    connection.commit()
    return connection.serialize()


SQLITE = Converter("sqlite", VERSION, open_sqlite, _sample)
OUTLINE = Converter("sqlite", VERSION, open_outline, _sample)
