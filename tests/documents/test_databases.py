"""SQLite and JSON lines are tables: every row can be reached, nothing of the file's SQL is run."""

import random
import sqlite3

import pytest

import readwell


@pytest.fixture
def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, "full name" VARCHAR(20), photo BLOB)')
    connection.execute("INSERT INTO people VALUES (1, 'Ann|e', NULL, x'0102'), (2, 'Bob', 'Bob B.', NULL)")
    connection.execute("CREATE TABLE numbers (a INTEGER, b REAL)")
    connection.executemany("INSERT INTO numbers VALUES (?, ?)", ((each, each / 4) for each in range(4500)))
    connection.execute(
        "CREATE VIEW bad AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT * FROM r"
    )
    connection.commit()
    connection.close()
    return tmp_path


def test_tables_are_parts_and_every_row_can_be_reached(database):
    with readwell.Reader(database, cache_dir=None) as reader:
        first = reader.reply({"path": "a.db", "limit": 16})
        assert first.text.split("\n")[1:-1] == [
            "1\t<!-- part 1 -->",
            "2\t- people: part 1",
            "3\t- numbers: parts 2-4",
            "4\t- bad: part 5",
            "5\t",
            "6\t# people",
            "7\t",
            "8\t| id | name | full name | photo |",
            "9\t| --- | --- | --- | --- |",
            "10\t| 1 | Ann\\|e |  | <blob, 2 bytes> |",
            "11\t| 2 | Bob | Bob B. |  |",
            "12\t<!-- part 2 -->",
            "13\t# numbers, rows 1-2,000 (part 1 of 3)",
            "14\t",
            "15\t| a | b |",
            "16\t| --- | --- |",
        ]
        lines = reader.read("a.db", pages="2-4", limit=2000)
        shown = list(lines.window.lines)
        while lines.window.next:
            lines = reader.read("a.db", offset=lines.window.next.line)
            shown += lines.window.lines
        seen = [line for line in shown if line.startswith("| ") and line[2].isdigit()]
        assert seen == [f"| {each} | {each / 4} |" for each in range(4500)]


def test_a_view_is_its_definition(database):
    with readwell.Reader(database, cache_dir=None, deadline_s=10) as reader:
        text = reader.reply({"path": "a.db", "pages": "5"}).text
    assert "# bad (view)" in text and "CREATE VIEW bad AS WITH RECURSIVE" in text and "would run SQL" in text


def test_the_outline_names_columns_and_types_without_converting(database):
    with readwell.Reader(database, cache_dir=None) as reader:
        assert reader.reply({"path": "a.db", "view": "outline"}).text.split("\n")[1:] == [
            "part 1\tpeople, 2 rows × 4 columns: id INTEGER, name TEXT, full name VARCHAR(20), photo BLOB",
            "part 2-4\tnumbers, 4500 rows × 2 columns: a INTEGER, b REAL",
            "part 5\tbad (view)",
            "[end]",
        ]


def test_a_journal_beside_a_database_is_told(database):
    connection = sqlite3.connect(database / "a.db")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("INSERT INTO people(name) VALUES ('Eve')")
    connection.commit()
    with readwell.Reader(database, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.db"})
    connection.close()
    assert "[note: a journal (-wal) beside the file may hold newer rows: they are not read]" in reply.text


def test_a_journal_is_told_also_of_a_database_whose_name_was_repaired(database):
    (database / "a.db").rename(database / "cafe\u0301.db")
    (database / "cafe\u0301.db-wal").write_bytes(b"newer rows")
    with readwell.Reader(database, cache_dir=None) as reader:
        text = reader.reply({"path": "caf\u00e9.db"}).text
    assert "[note: name repaired: " in text
    assert "[note: a journal (-wal) beside the file may hold newer rows: they are not read]" in text


def test_a_hostile_or_damaged_database_is_an_answer(database):
    whole = (database / "a.db").read_bytes()
    chance = random.Random(7)
    with readwell.Reader(database, cache_dir=None, deadline_s=20) as reader:
        for number in range(10):
            broken = bytearray(whole[: chance.randrange(200, len(whole))] if number % 2 else whole)
            for _ in range(40):
                broken[chance.randrange(16, len(broken))] ^= chance.randrange(1, 256)
            (database / "b.db").write_bytes(broken)
            reply = reader.reply({"path": "b.db"})
            code = reply.data["error"]["code"] if reply.is_error else "read"
            assert code in ("read", "CONVERSION_FAILED", "DOCUMENT_EMPTY", "TOO_LARGE")


def test_columns_that_a_database_computes_are_named_and_not_run(tmp_path):
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("CREATE TABLE t (a, b AS (upper(a)), c AS (zeroblob(900000000)), d AS (a || '!') STORED)")
    connection.execute("INSERT INTO t(a) VALUES ('x')")
    connection.commit()
    connection.close()
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.db"})
    assert [line.partition("\t")[2] for line in reply.text.split("\n")[3:-1]] == [
        "",
        "| a | d |",
        "| --- | --- |",
        "| x | x! |",
        "",
        "*Columns that the database computes are not shown: b, c.*",
    ]


def test_json_lines_are_a_table_on_request(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1, "b": "x"}\n\n{"a": 2, "c": [1, null]}\n"text"\n')
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.jsonl"}).text.split("\n")[1] == '1\t{"a": 1, "b": "x"}'
        assert reader.reply({"path": "a.jsonl", "view": "markdown"}).text.split("\n")[1:] == [
            "1\t| a | b | c | value |",
            "2\t| --- | --- | --- | --- |",
            "3\t| 1 | x |  |  |",
            "4\t|  |  |  |  |",
            "5\t| 2 |  | [1, null] |  |",
            "6\t|  |  |  | text |",
            "[end]",
        ]


def test_json_lines_that_are_none_fail_and_an_endless_line_is_told(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"a": \n')
    (tmp_path / "b.jsonl").write_text('{"a": "' + "x" * 3_000_000 + '"}\n')
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "line 2 is no JSON" in reader.reply({"path": "a.jsonl", "view": "markdown"}).text
        assert "bytes long and not shown" in reader.reply({"path": "b.jsonl", "view": "markdown"}).text


def test_a_carriage_return_between_tokens_ends_no_json_line(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"a":\r1}\r\n{"a": 2}\r\n')
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read("a.jsonl", view="markdown").lines == ["| a |", "| --- |", "| 1 |", "| 2 |"]


def test_a_row_without_a_value_is_a_row(tmp_path):
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("CREATE TABLE t (a, b)")
    connection.execute("INSERT INTO t VALUES (1, NULL), (NULL, NULL)")
    connection.commit()
    connection.close()
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.db"}).text.split("\n")[-3:] == ["6\t| 1 |  |", "7\t|  |  |", "[end]"]
