"""What is converted only when asked for: HTML, notebooks, mail and CSV as Markdown."""

import json

import pytest

from readwell import Reader
from readwell.documents.csv import CSV
from readwell.documents.html import HTML
from readwell.documents.mail import MAIL
from readwell.documents.notebook import NOTEBOOK
from readwell.errors import ConversionFailed
from readwell.qq import FileManager

PAGE = """\
<!DOCTYPE html><html><head><meta charset="{0}"><title>T</title><style>p {{}}</style></head><body>
<nav><a href="/">Home</a></nav><h1>Größe</h1><p>H<sub>2</sub>O and <em>more</em></p><script>alert(1)</script>
<img src="data:image/png;base64,AAAA" alt="A cat"><p style="display:none">unseen</p>
<table><tr><th>a</th><th colspan="2">b</th></tr><tr><td>1<br>2</td><td>p|q</td><td>r</td></tr></table>
<pre><code>x = 1</code></pre></body></html>"""
PAGE_MARKDOWN = """\
[Home](/)

# Größe

H<sub>2</sub>O and *more*

A cat

| a | b | |
| --- | --- | --- |
| 1<br>2 | p\\|q | r |

```
x = 1
```

<!-- hidden content is left out -->"""
NOTEBOOK_CELLS = {
    "metadata": {"kernelspec": {"language": "python"}},
    "cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "![map](attachment:map.png)"]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "text": ["\x1b[31m1\x1b[0m\n"]},
                {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
                {"output_type": "display_data", "data": {"image/svg+xml": ["<svg", "/>"]}},
                {"output_type": "display_data", "data": {"text/html": "<b>x</b>", "application/json": {}}},
                {"output_type": "display_data", "data": {}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["…"]},
            ],
        },
        {"cell_type": "code", "source": [], "outputs": "not a list"},
        {"cell_type": "raw", "source": "raw ``` text"},
        "not a cell",
    ],
}
NOTEBOOK_MARKDOWN = """\
# Title
![map]()

```python
print(1)
```

```
1
```

```
<Figure>
```

![image/png, 3 bytes]()

![image/svg+xml, 6 bytes]()

*An output is not shown: text/html, application/json.*

```
…
ValueError: no
```

````
raw ``` text
````"""
MESSAGE = b"""\
From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>
To: a@example.org,
 b@example.org
Subject: Hello
 there
Date: Thu, 20 Jun 2024 09:15:30 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=X

--X
Content-Type: text/html; charset=utf-8

<p>Dear <b>all</b></p>
--X
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

AAAA
--X--
"""
MESSAGE_MARKDOWN = """\
# Hello there

- From: Jörg <joerg@example.org>
- To: a@example.org, b@example.org
- Date: Thu, 20 Jun 2024 09:15:30 +0000

Dear **all**

## Attachments

- plan.pdf (application/pdf, 3 bytes)"""


def markdown(converter, content):
    opened = converter.open(content, None, b"")
    assert (opened.unit, opened.count, opened.prepared()) == ("", 1, b"")
    return opened.markdown(1)


def refused(converter, content):
    with pytest.raises(ConversionFailed) as raised:
        converter.open(content, None, b"").markdown(1)
    return raised.value.args


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16"])
def test_a_page_is_read_in_the_encoding_that_it_declares(encoding):
    assert markdown(HTML, PAGE.format(encoding).encode(encoding)) == PAGE_MARKDOWN


def test_a_page_that_declares_no_encoding_says_which_one_was_guessed():
    guessed = "<!-- encoding guessed: cp1252 (or mac-cyrillic); none is declared -->"
    assert markdown(HTML, b"<p>caf\xe9 \x80</p>") == f"{guessed}\n\ncafé €"


@pytest.mark.parametrize("codec", ["zlib", "hex", "rot13", "undefined", "nothing"])
def test_a_page_that_declares_what_is_no_encoding_of_text_is_read_as_it_is(codec):
    assert markdown(HTML, f'<meta charset="{codec}"><p>größer</p>'.encode()) == "größer"


def test_a_page_nested_too_deep_is_refused_instead_of_cut():
    assert refused(HTML, b"<div>" * 5000 + b"deep") == ("html", "its HTML is nested more than 1024 deep")


def test_a_notebook_shows_text_code_and_outputs():
    assert markdown(NOTEBOOK, json.dumps(NOTEBOOK_CELLS).encode()) == NOTEBOOK_MARKDOWN


TRACEBACK = ["\x1b[0;31m----\x1b[0m", "Traceback (most recent call last)", "Cell In[3], line 2\n----> 2 1/x"]


@pytest.mark.parametrize(
    ("traceback", "shown"),
    [
        ([*TRACEBACK, "\x1b[0;31mError\x1b[0m: by `zero`"], "----\nTraceback (most recent call last)\nCell In[3], line 2\n----> 2 1/x\nError: by `zero`"),
        (TRACEBACK[2:], "Cell In[3], line 2\n----> 2 1/x\nError: by `zero`"),
        (["Error: by `zero`", "a note"], "Error: by `zero`\na note"),
        ([], "Error: by `zero`"),
        (None, "Error: by `zero`"),
        ("in one\ntext", "in one\ntext\nError: by `zero`"),
    ],
)  # fmt: skip
def test_an_error_of_a_notebook_shows_its_traceback_without_colours(traceback, shown):
    error = {"output_type": "error", "ename": "Error", "evalue": "by \x1b[1m`zero`\x1b[0m", "traceback": traceback}
    cell = {"cell_type": "code", "source": "1/x", "outputs": [error]}
    told = markdown(NOTEBOOK, json.dumps({"cells": [cell]}).encode())
    assert told == f"```\n1/x\n```\n\n```\n{shown}\n```"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "it is damaged: its JSON cannot be read"),
        (b"[" * 100_000, "it is damaged: its JSON cannot be read"),
        (b"[1]", "it is no notebook: it has no cells"),
    ],
)
def test_what_is_no_notebook_is_refused(content, reason):
    assert refused(NOTEBOOK, content) == ("ipynb", reason)


def test_mail_shows_who_wrote_what_and_names_what_is_attached():
    assert markdown(MAIL, MESSAGE) == MESSAGE_MARKDOWN


@pytest.mark.slow
def test_mail_nested_without_end_is_refused():
    heads = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
    assert refused(MAIL, f"Subject: x\n{heads}\n\nhi".encode()) == ("eml", "its parts are nested too deep")


def test_what_is_no_mail_is_refused():
    assert refused(MAIL, b"\n\njust text") == ("eml", "it has no headers of a message")


@pytest.mark.parametrize(
    ("content", "table"),
    [
        (b"a,b\n1,2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        (b'a;b\r\n"x;\r\ny";"1,5"\r\n', "| a | b |\n| --- | --- |\n| x;<br>y | 1,5 |"),
        (b"a\tb\n1\tp|q\n", "| a | b |\n| --- | --- |\n| 1 | p\\|q |"),
        (b"\xef\xbb\xbfa,b\n,\n3,4\n", "| a | b |\n| --- | --- |\n|  |  |\n| 3 | 4 |"),
        (b'id,text\n1,"a\nb"\n2,c\n', "| id | text |\n| --- | --- |\n| 1 | a<br>b |\n| 2 | c |"),
        (
            b'id,text\n1,"a;b;c;""d"";e"\n2,"f;g;h;i;j"\n',
            '| id | text |\n| --- | --- |\n| 1 | a;b;c;"d";e |\n| 2 | f;g;h;i;j |',
        ),
        (b"Report of May\n\nid,text\n1,a\n", "| Report of May |  |\n| --- | --- |\n|  |  |\n| id | text |\n| 1 | a |"),
        (b"Report of May\nid\ttext\n1\ta\n", "| Report of May |  |\n| --- | --- |\n| id | text |\n| 1 | a |"),
        (b"Report|May\na,b,c\n1,2,3\n", "| Report\\|May |  |  |\n| --- | --- | --- |\n| a | b | c |\n| 1 | 2 | 3 |"),
        (b'pipe,size\nlong,5"\nshort,3"\n', '| pipe | size |\n| --- | --- |\n| long | 5" |\n| short | 3" |'),
        (b"only\none\n", "| only |\n| --- |\n| one |"),
        (b"", ""),
    ],
)
def test_csv_becomes_a_table(content, table):
    assert markdown(CSV, content) == table


def test_a_csv_field_without_end_is_refused():
    assert refused(CSV, b'a,"' + b"x" * (2 << 20))[0] == "csv"


def test_real_pages_notebooks_and_mail_have_what_a_person_sees_in_them(real):
    for name, converter, found in (
        ("wiki_duck.html", HTML, "Ducks are generally smaller"),
        ("html_rich_table_cells.html", HTML, "| Goose (not a duck!) | Water & wetlands | **Large**, *loud*, noisy, ~~small~~ |"),
        ("san-jose-pd-firearm-report.ipynb", NOTEBOOK, "# Parsing San Jose PD's firearm search reports"),
        ("complex_headers.eml", MAIL, "- Cc: cc1@example.com, CC Person <cc2@example.com>"),
    ):  # fmt: skip
        told = markdown(converter, (real / "documents" / name).read_bytes())
        assert found in told, name
        assert "base64" not in told, name


def test_a_notebook_is_markdown_by_default_in_native_and_text_in_qq(tmp_path):
    notebook = json.dumps({**NOTEBOOK_CELLS, "nbformat": 4}).encode()
    (tmp_path / "a.ipynb").write_bytes(notebook)
    manager = FileManager(tmp_path)
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read("a.ipynb").text == NOTEBOOK_MARKDOWN
        assert reader.read("a.ipynb", view="source").text == notebook.decode()
        assert notebook.decode() in manager.read_file("a.ipynb")
    with Reader(tmp_path, documents=False) as reader:
        assert reader.read("a.ipynb").kind == "file"


@pytest.mark.parametrize("content", ["[1]\n", '{"cells": []}\n', "plain\n", ""])
def test_a_file_that_is_only_named_like_a_notebook_is_text(tmp_path, content):
    (tmp_path / "a.ipynb").write_text(content)
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.read("a.ipynb").kind == "file"


def test_a_notebook_that_cannot_be_converted_says_how_to_read_it(tmp_path):
    (tmp_path / "a.ipynb").write_text('{"nbformat": 4, "cells": [\n')
    with Reader(tmp_path, cache_dir=None) as reader:
        assert reader.reply({"path": "a.ipynb"}).data["error"]["hint"] == 'Read it with view="source".'
