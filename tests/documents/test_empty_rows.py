"""Rows and columns without text of a CSV and of JSON lines: those that a table does not show are named."""

import pytest

from readwell import Reader
from readwell.documents.csv import CSV
from readwell.documents.jsonl import JSONL

TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |"
SHOWN = "|  |  |\n| 3 | 4 |"


def markdown(converter, content):
    return converter.open(content, None, b"").markdown(1)


@pytest.mark.parametrize("delimiter", [b",", b";", b"\t"])
@pytest.mark.parametrize(
    ("content", "comment", "table"),
    [
        (b"a,b\n1,2\n,\n,\n,\n3,4\n,\n", "rows 4-5, row 7", f"{TABLE}\n{SHOWN}"),
        (b"a,b\n1,2\n,\n3,4\n", "", f"{TABLE}\n{SHOWN}"),
        (b"a,b\n1,2\n\n\n3,4\n", "row 4", f"{TABLE}\n{SHOWN}"),
        (b",\n ,\na,b\n1,2\n", "rows 1-2", TABLE),
        (b"\na,b\n1,2\n\n\n", "", TABLE),
        (b"a,b\n1,2\n,\n\n,\n", "rows 3-5", TABLE),
        (b",a,b,\n,1,2,,\n", "column A, columns D-E", TABLE),
        (b"a,b\n1,2,,\n,\n", "row 3, columns C-D", TABLE),
        (b"a,,,b\n1,,,2\n", "column C", "| a |  | b |\n| --- | --- | --- |\n| 1 |  | 2 |"),
        (b"a,b\n1,2\n" + b",\n,\n3,4\n" * 7, "row 4, row 7, row 10, row 13, row 16, 2 more runs of rows", "\n".join([TABLE, *[SHOWN] * 7])),
    ],
)  # fmt: skip
def test_rows_and_columns_without_text_that_are_not_shown_are_named(content, comment, table, delimiter):
    told = f"<!-- empty, left out: {comment} -->\n\n" if comment else ""
    assert markdown(CSV, content.replace(b",", delimiter)) == told + table


@pytest.mark.parametrize("place", [0, 1, 2])
def test_empty_rows_of_a_long_table_are_named_in_their_part(place):
    rows = [b"%06d,%s" % (number, b"x" * 93) for number in range(50_000)]
    first = 2622 * place
    rows[first + 10 : first + 15] = [b"," + b" " * 99] * 5
    document = CSV.open(b"\n".join([b"name,text", *rows]), None, b"")
    assert document.count > 10
    told = [document.markdown(number).count("<!-- empty, left out: ") for number in range(1, document.count + 1)]
    assert told == [number == place for number in range(document.count)]
    comment = document.markdown(place + 1).split("\n\n")[1]
    assert comment == f"<!-- empty, left out: rows {first + 13}-{first + 16} -->"


def test_the_last_row_that_is_shown_ends_what_is_named(monkeypatch):
    monkeypatch.setattr("readwell.documents.sheet_markdown.MAX_ROWS", 3)
    told = markdown(CSV, b"a\n1\n \n \n2\n \n \n3\n \n")
    assert told.startswith("<!-- empty, left out: row 4 -->\n\n| a |\n")
    assert told.endswith("\n\n*Rows after 5 are not shown: save the sheet as CSV to read on.*")


def test_columns_that_are_not_shown_because_of_their_number_are_not_called_empty():
    told = markdown(CSV, b",".join(b"%d" % number for number in range(300)) + b",,\n")
    assert "empty" not in told and told.endswith("*Columns after IV are not shown: save the sheet as CSV to read on.*")


@pytest.mark.parametrize(
    ("content", "table"),
    [
        (b'{"a": 1, "b": null}\n{"a": 2}\n', "| a | b |\n| --- | --- |\n| 1 |  |\n| 2 |  |"),
        (b'{"a": 1}\n{}\n{"a": ""}\n{"a": null}\n', "| a |\n| --- |\n| 1 |\n|  |\n|  |\n|  |"),
        (b'{"a": 1}\n\n\n\n{"a": 2}\n\n', "<!-- empty, left out: rows 3-4 -->\n\n| a |\n| --- |\n| 1 |\n|  |\n| 2 |"),
    ],
)  # fmt: skip
def test_json_lines_without_values_are_rows_and_their_keys_columns(content, table):
    assert markdown(JSONL, content) == table


@pytest.mark.parametrize(
    ("rows", "told"), [(",\n", "; 1 row without text"), (",\n\n,\n", "; 2 rows without text"), ("\n\n", "")]
)
def test_the_outline_of_a_csv_counts_rows_without_text(tmp_path, rows, told):
    (tmp_path / "a.csv").write_text(f"a,b\n1,2\n{rows}")
    with Reader(tmp_path, cache_dir=None) as reader:
        (row,) = reader.reply({"path": "a.csv", "view": "outline"}).data["outline"]
    assert row["label"] == f"table, 1 row × 2 columns: a integer, b integer{told}"
