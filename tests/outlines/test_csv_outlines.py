"""The outline of a table of delimited values agrees with its Markdown."""

import re

import pytest

import readwell
from readwell.structure.delimited_table import TableColumns


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a,b\n1\n1,2,3\n", "2 rows × 3 columns: a integer, b integer, column 3 integer"),
        ("a;b\n1;2;3\n", "1 row × 3 columns: a integer, b integer, column 3 integer"),
        ("a,b,\n1,2,\n", "1 row × 2 columns: a integer, b integer"),
        (",a,b\n,1,x\n", "1 row × 2 columns: a integer, b text"),
        (",,\na,b\n1,2\n,,\n", "1 row × 2 columns: a integer, b integer; 2 rows without text"),
        ("title\na;b\n1;2\n", "2 rows × 2 columns: title text, column 2 text"),
        ('"x;y;z",b\n"q",c\n', "1 row × 2 columns: x;y;z text, b text"),
        ("a,,c\n1,,2\n", "1 row × 3 columns: a integer, column 2 empty, c integer"),
        ("a,b\n1\u2028x,2\n", "1 row × 2 columns: a text, b integer"),
    ],
)
def test_the_outline_of_a_table_has_the_rows_and_columns_of_its_markdown(tmp_path, content, told):
    (tmp_path / "a.csv").write_text(content)
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        (row,) = reader.reply({"path": "a.csv", "view": "outline"}).data["outline"]
        text = reader.read("a.csv", view="markdown").text
    table = [line for line in text.split("\n") if line.startswith("|")]
    assert row["label"] == f"table, {told}"
    rows, columns = map(int, re.findall(r"\d+(?= row| column)", told)[:2])
    assert (len(table) - 2, table[1].count("---")) == (rows, columns)


def test_a_table_of_blank_cells_has_no_columns():
    columns = TableColumns(["", ""])
    columns.add([" ", "", ""])
    assert columns.summary() == "1 row × 0 columns"
