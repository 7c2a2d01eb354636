"""A small document of each format that `make_corpus` does not make: text by text, or by what makes it."""

import json
import sqlite3
import struct
from contextlib import closing
from io import BytesIO

import pytest

from corpus.odp_writer import presentation
from corpus.ole_writer import doc, msg, numbered_list, ppt


def cells(code):
    source = {"cell_type": "code", "source": code, "outputs": [{"output_type": "stream", "text": ["lit\n"]}]}
    return [{"cell_type": "markdown", "source": ["# Lights\n"]}, source]


RTF = (
    "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset2 Symbol;}}{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 Lights\\par\\pard "
    "{\\b lit} \\u8364?\\'e9{\\footnote a note}{\\listtext 1.\\tab}one\\par\\trowd\\cellx900\\cellx1800\\intbl a\\cell b\\cell\\row\\pard "
    '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt y}}{\\pict\\bin3 abc}}'
)
TEXTS = {
    "lights.rtf": RTF,
    "lights.jsonl": '{"light": "north", "height": 31, "of": {"a": [1, 2]}}\n' * 9,
    "lights.csv": 'light,height\nnorth,31\n"south, far",40\n' * 9,
    "lights.html": "<h1>Lights</h1><table><tr><th>a<td>b</table><ul><li>x<p>y</ul><pre>z</pre><img alt=w>" * 5,
    "lights.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells("light()") * 4}),
    "lights.eml": "From: a@lights.test\nTo: b@lights.test\nSubject: =?utf-8?q?L=C3=A4mpchen?=\nMIME-Version: 1.0\n"
    "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nLit.\n--b\n"
    "Content-Type: text/html; charset=latin-1\nContent-Transfer-Encoding: quoted-printable\n\n<b>Lit=E9</b>\n--b--\n",
}


def rows():
    core = pytest.importorskip("arro3.core", reason="NOT TESTED: the extra data is not installed")
    lights = core.Array([f"light {number}" for number in range(50)], core.DataType.utf8())
    return core.Table.from_pydict({"light": lights, "height": core.Array(range(50), core.DataType.int64())})


def data_file(writer):
    made = BytesIO()
    getattr(pytest.importorskip("arro3.io", reason="NOT TESTED: the extra data is not installed"), writer)(rows(), made)
    return made.getvalue()


def database():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table lights (light text, height int)")
        connection.executemany(
            "insert into lights values (?, ?)", [(f"light {number}", number) for number in range(50)]
        )
        connection.execute("create view tall as select * from lights where height > 30")
        return connection.serialize()


def letter():
    table = [([(text, b"")], "\x07", 0, b"\x16\x24\1") for text in ("north", "31")]
    end = ([], "\x07", 0, b"\x16\x24\1\x17\x24\1")
    words = [
        ([("Lights ", b""), ("lit", b"\x35\x08\1"), ("\2", b"")], "\r", 1, b""),
        ([("one", b"")], "\r", 0, b"\x0b\x46\1\0"),
    ]
    return doc([*words, *table, end], ["a note"], numbered_list())


def message():
    body = {0x0037: "Lights", 0x0C1A: "Keeper", 0x1009: struct.pack("<3L4s", 43, 31, 0x414C454D, b"") + b"{\\rtf1 lit}"}
    return msg(
        body, [{0x3001: "Ann", 0x39FE: "ann@lights.test", 0x0C15: 1}], [{0x3707: "plan.pdf", 0x3701: b"%PDF" * 99}]
    )


SAMPLES = {
    "lights.arrow": lambda: data_file("write_ipc"),
    "lights.parquet": lambda: data_file("write_parquet"),
    "lights.sqlite": database,
    "lights.odp": lambda: presentation(3),
    "lights.doc": letter,
    "lights.ppt": lambda: ppt([([(0, "Lights"), (1, "one\rtwo")], [["a", "b"], ["c", "d"]], "notes")] * 3),
    "lights.msg": message,
}
