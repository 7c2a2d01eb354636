"""Outlines of files that do not parse, are hostile, huge or without structure; of directories and documents."""

import importlib.util
import json

import pytest

import readwell
from corpus.epub_writer import book, page
from corpus.pdf_documents import prose
from corpus.pdf_writer import Heading, Page, pdf
from corpus.sheet_writer import rows as sheet_rows
from corpus.sheet_writer import sheet, workbook
from readwell.documents import converters
from readwell.structure.text_part import MAX_DEPTH
from readwell.tokens import o200k_counter

code = pytest.mark.skipif(not importlib.util.find_spec("ast_grep_py"), reason="the extra `code` is not installed")


def put(folder, name, content):
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content if isinstance(content, bytes) else content.encode())


def ask(folder, path, **params):
    settings = params.pop("settings", {})
    with readwell.Reader(**{"root": folder, "cache_dir": None, **settings}) as reader:
        return reader.reply({"path": path, **params})


def outline(folder, path, **params):
    return ask(folder, path, view="outline", **params)


def rows(reply):
    return [line for line in reply.text.splitlines() if not line.startswith("[")]


def remarks(reply):
    return [line for line in reply.text.splitlines()[1:] if line.startswith("[")]


@code
def test_code_that_does_not_parse_gives_what_did_and_the_first_bad_line(tmp_path):
    put(tmp_path, "a.py", "class A:\n    def ok(self):\n        pass\n\ndef broken(:\n    x = = 3\n")
    reply = outline(tmp_path, "a.py")
    assert rows(reply)[:2] == ["1-3\tclass A", "2-3\t  def ok(self)"]
    assert remarks(reply) == ["[note: line 5 does not parse: what is told is what did]", "[end]"]
    assert reply.data["notices"] == [
        {"code": "unparsed", "message": "line 5 does not parse: what is told is what did", "lines": [5]}
    ]


@code
def test_a_file_of_one_language_with_the_name_of_another_is_no_failure(tmp_path):
    put(tmp_path, "a.js", "class A:\n    def ok(self):\n        pass\n")
    reply = outline(tmp_path, "a.js")
    assert not reply.is_error
    assert remarks(reply)[0].startswith("[note: line 1 does not parse")


@code
@pytest.mark.parametrize(
    "ends, encoding", [("\n", "utf-8"), ("\r\n", "utf-8"), ("\r", "utf-8"), ("\n", "utf-16"), ("\r\n", "utf-8-sig")]
)
def test_rows_have_the_lines_of_a_plain_read_whatever_ends_and_encodes_them(tmp_path, ends, encoding):
    text = ends.join(["# é", "class A:", "    def b(self):", "        pass", "", "    def c(self): pass", ""])
    put(tmp_path, "a.py", text.encode(encoding))
    assert rows(outline(tmp_path, "a.py")) == ["2-6\tclass A", "3-4\t  def b(self)", "6-6\t  def c(self)"]


def test_a_hundred_megabytes_of_minified_code_are_told_and_not_parsed(tmp_path):
    piece = b"function a(b){return b+1};var c=[1,2];" * 25_000
    with open(tmp_path / "a.js", "wb") as target:
        for _ in range(100):
            target.write(piece)
    reply = outline(tmp_path, "a.js")
    assert remarks(reply) == [
        f"[no outline: {100 * len(piece)} bytes of javascript, more than 8 MiB; search it]",
        "[end]",
    ]
    shown = ask(tmp_path, "a.js", view="block", offset=1, max_tokens=300)
    assert shown.data["tokens"] <= 300 and "(paragraph)" in shown.text


@code
def test_code_with_enormous_lines_is_told_and_not_parsed(tmp_path):
    put(tmp_path, "a.js", "function a(){return 1};" * 1000)
    assert remarks(outline(tmp_path, "a.js"))[0] == "[no outline: a line of 23000 characters; search it]"


@code
def test_definitions_nested_thousands_deep_are_found_in_time(tmp_path):
    put(tmp_path, "a.js", "function f(){\n" * 4000 + "}\n" * 4000)
    assert rows(outline(tmp_path, "a.js")) == ["1-8000\tfunction f()"]
    assert ask(tmp_path, "a.js", view="block", offset=4000).data["start"] == 4000


def test_deep_json_is_shown_as_deep_as_the_rows_allow(tmp_path):
    put(tmp_path, "a.json", "[" * 50_000 + "]" * 50_000)
    reply = outline(tmp_path, "a.json")
    assert len(rows(reply)) == 200
    assert rows(reply)[1] == "1-1\t  [0]: array, 1 item"
    assert remarks(reply)[0] == "[note: levels below 200 are left out]"


def test_levels_of_data_are_shown_whole_or_not_at_all(tmp_path):
    put(tmp_path, "a.json", json.dumps({f"k{n}": {"a": 1, "b": 2} for n in range(90)}, indent=1))
    assert rows(outline(tmp_path, "a.json")) == [f'{4 * n + 2}-{4 * n + 5}\t"k{n}": object, 2 keys' for n in range(90)]


@pytest.mark.parametrize("comment", ["", "// not strict\n"])
@pytest.mark.parametrize("top", ["items", ""])
def test_items_of_a_long_array_that_are_no_rows_are_counted(tmp_path, top, comment):
    items = [{}] * 99 + [1] + [[]] * 51
    put(tmp_path, "a.json", comment + json.dumps({top: items} if top else items, indent=1))
    reply = outline(tmp_path, "a.json")
    assert sum("object, 0 keys" in row for row in rows(reply)) == 99
    assert not any("array, 0 items" in row for row in rows(reply))
    assert remarks(reply) == ["[note: of each array the first 100 items are rows: 51 more are left out]", "[end]"]
    assert reply.data["notices"][0]["code"] == "items-left-out"


@pytest.mark.parametrize(
    ("name", "content", "label"),
    [
        ("a.json", '{"KEY": [{}]}', '"KEY": array, 1 item'),
        ("a.yaml", "KEY:\n  b: 1\n", "KEY: mapping, 1 key"),
        ("a.csv", "KEY,b\n1,2\n", "table, 1 row × 2 columns: KEY integer, b integer"),
        ("a.md", "# KEY\n", "KEY"),
    ],
)
def test_a_name_that_is_cut_ends_in_an_ellipsis(tmp_path, name, content, label):
    """However long names may be in an outline of that kind."""

    def row_of(length):
        (tmp_path / name).write_text(content.replace("KEY", "k" * length))
        return rows(outline(tmp_path, name))[0].partition("\t")[2]

    assert row_of(40) == label.replace("KEY", "k" * 40)
    cut = row_of(200)
    kept = cut.count("k") - label.replace("KEY", "").count("k")
    assert kept < 120
    assert cut == label.replace("KEY", "k" * kept + "…").replace('…"', "…")


def test_items_that_a_level_left_out_would_show_are_not_counted_twice(tmp_path):
    put(tmp_path, "a.json", json.dumps({"a": [{"b": [[]] * 150}] * 90}, indent=1))
    assert remarks(outline(tmp_path, "a.json")) == ["[note: levels below 3 are left out]", "[end]"]


@pytest.mark.parametrize(
    "content, line", [('{"a": 1,\n"b" 2}', 2), ('{"a": 1}\n{"b": 2}', 2), ('{"a": [1,\n2}', 2), ("{", 1)]
)
def test_damaged_json_names_the_first_bad_line(tmp_path, content, line):
    put(tmp_path, "a.json", content)
    assert f"[note: line {line} does not parse: what is told is what did]" in remarks(outline(tmp_path, "a.json"))


def test_what_xml_holds_before_it_is_nested_too_deep_is_shown(tmp_path):
    put(tmp_path, "a.xml", "<a>\n<b>x</b>\n<c>y</c>\n" + "<d>" * (MAX_DEPTH + 1))
    reply = outline(tmp_path, "a.xml")
    assert [row.partition("\t")[2].strip() for row in rows(reply)] == ["<b>: text", "<c>: text"]
    assert "[note: line 4 does not parse: what is told is what did]" in reply.text


def test_an_element_of_xml_without_anything_in_it_is_empty(tmp_path):
    put(tmp_path, "a.xml", '<a>\n<i id="2"/>\n<i></i>\n<i>\n</i>\n<i>x</i>\n<i><![CDATA[y]]></i>\n</a>\n')
    assert [row.partition("\t")[2].strip() for row in rows(outline(tmp_path, "a.xml"))] == [
        "<a>: 5 elements",
        '<i id="2">: empty',
        "<i>: empty",
        "<i>: empty",
        "<i>: text",
        "<i>: text",
    ]


def test_entities_that_multiply_do_no_harm(tmp_path):
    entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    put(tmp_path, "a.xml", f'<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">{entities}]><l>&j;</l>')
    assert not outline(tmp_path, "a.xml").is_error


def test_no_label_can_pass_for_a_remark(tmp_path):
    put(tmp_path, "a.md", "# [end]\n\n# a\tb \x1b[31m\n\n# \u202eevil\n")
    put(tmp_path, "[more: offset=1]/a.txt", "x")
    put(tmp_path, "b\nc/a.txt", "x")
    assert rows(outline(tmp_path, "a.md")) == ["1-2\t[end]", "3-4\ta b \\x1b[31m", "5-5\t\\u202eevil"]
    reply = outline(tmp_path, ".")
    assert remarks(reply) == ["[end]"]
    assert rows(reply)[1:] == ["  \\x5bmore: offset=1]/\t1 file, 1 byte", "  b\\x0ac/\t1 file, 1 byte"]


def test_text_without_structure_has_no_outline_and_that_is_no_failure(tmp_path):
    put(tmp_path, "a.txt", "x\n" * 5200)
    reply = outline(tmp_path, "a.txt")
    assert reply.text == (
        f"[a.txt | text, 5200 lines | outline 0-0 of 0 | rev {reply.data['revision']}]\n"
        "[no outline: plain text, 5200 lines; search it]\n[end]"
    )
    assert (reply.data["outline"], reply.data["total"]) == ([], 0)


def test_rows_are_paged_and_every_one_is_shown_once(tmp_path):
    put(tmp_path, "a.md", "".join(f"# Part {n}\n\n" for n in range(1, 31)))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        seen, offset = [], 1
        while offset:
            reply = reader.reply({"path": "a.md", "view": "outline", "offset": offset, "limit": 7})
            seen += [row["label"] for row in reply.data["outline"]]
            offset = (reply.data["next"] or {}).get("offset")
            if offset:
                assert reply.text.endswith(f'[more: offset={offset} view="outline"]')
    assert seen == [f"Part {n}" for n in range(1, 31)]


def test_an_offset_past_the_rows_is_out_of_range(tmp_path):
    put(tmp_path, "a.md", "# A\n")
    assert outline(tmp_path, "a.md", offset=9).text.startswith("[error OUT_OF_RANGE]")


def test_a_binary_file_has_no_outline(tmp_path):
    put(tmp_path, "a.bin", b"\x00\x01\x02" * 99)
    assert outline(tmp_path, "a.bin").text.startswith("[error BINARY_FILE]")


@code
def test_an_outline_is_found_once_for_one_content(tmp_path, monkeypatch):
    put(tmp_path, "a.py", "def f():\n    pass\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        first = reader.reply({"path": "a.py", "view": "outline"})
        documents = reader.tool._runner.resources.documents
        monkeypatch.setattr(documents, "_ask_child", None)
        assert reader.reply({"path": "a.py", "view": "outline"}).text == first.text


def test_without_the_extra_the_reply_names_it(tmp_path, monkeypatch):
    monkeypatch.setattr(converters, "_is_installed", lambda name, import_path: name != "ast_grep_py")
    put(tmp_path, "a.py", "def f():\n    pass\n")
    reply = outline(tmp_path, "a.py")
    assert reply.text == "[error CONVERTER_MISSING] Reading 'a.py' needs an extra. Run: pip install \"readwell[code]\""


def test_a_directory_is_told_by_its_folders_with_all_that_is_below(tmp_path):
    for name in ("main/java/org/poi/a.java", "main/java/org/poi/b/c.java", "docs/a.md", "docs/b.md", "top.txt"):
        put(tmp_path, name, "12345")
    put(tmp_path, ".git/config", "x")
    put(tmp_path, ".gitignore", "*.log\n")
    put(tmp_path, "docs/x.log", "x")
    assert outline(tmp_path, ".").text == (
        "[./ | directory | outline 1-4 of 4]\n"
        "./\t5 files, 25 bytes\n"
        "  docs/\t2 files, 10 bytes\n"
        "  main/java/org/poi/\t2 files, 10 bytes\n"
        "    b/\t1 file, 5 bytes\n"
        "[note: 1 ignored, 2 hidden: not counted]\n"
        "[end]"
    )


def test_no_folder_of_an_outline_can_pass_for_a_remark_and_each_is_read_as_it_is_shown(tmp_path):
    for name in ("[end]", "[note: none]/deep", r"a\x0ab", "a\nb"):
        put(tmp_path, f"{name}/f.txt", "x")
    reply = outline(tmp_path, ".")
    assert rows(reply)[1:] == [
        "  \\x5bend]/\t1 file, 1 byte",
        "  \\x5bnote: none]/deep/\t1 file, 1 byte",
        "  a\\x0ab/\t1 file, 1 byte",
        "  a\\x5cx0ab/\t1 file, 1 byte",
    ]
    for shown in ("\\x5bend]/", "\\x5bnote: none]/deep/", "a\\x5cx0ab/"):
        assert "f.txt\t1" in readwell.Reader(tmp_path).reply({"path": shown}).text


def test_the_folders_with_the_most_files_are_opened_first(tmp_path):
    for number in range(150):
        put(tmp_path, f"small{number:03}/inner/one.txt", "x")
        put(tmp_path, f"small{number:03}/two.txt", "x")
    for number in range(30):
        put(tmp_path, f"large/part{number:02}/a.txt", "x")
    found = rows(outline(tmp_path, "."))
    assert len(found) <= 200
    assert "    part00/\t1 file, 1 byte" in found


def test_a_denied_folder_is_counted_and_not_named(tmp_path):
    put(tmp_path, "secret/a.txt", "x")
    put(tmp_path, "open/a.txt", "x")
    reply = outline(tmp_path, ".", settings={"deny": ["secret"]})
    assert rows(reply) == ["./\t1 file, 1 byte", "  open/\t1 file, 1 byte"]
    assert remarks(reply) == ["[note: 1 denied: not counted]", "[end]"]


def test_a_chapter_that_begins_inside_a_page_shares_it_with_the_one_before(tmp_path):
    pages = [Page() for _ in range(4)]
    for number, each in enumerate(pages):
        prose(each, 700, first=number)
    marks = [Heading("One", 0, height=750), Heading("Two", 2, height=300), Heading("Three", 3, height=750)]
    put(tmp_path, "a.pdf", pdf(*pages, outline=marks))
    told = outline(tmp_path, "a.pdf").text.splitlines()[1:]
    assert told == ["page 1-3\tOne", "page 3\tTwo", "page 4\tThree", "[end]"]


def test_bookmarks_of_a_pdf_are_told_by_pages(tmp_path):
    pages = [Page() for _ in range(6)]
    for number, each in enumerate(pages):
        prose(each, 700, first=number)
    marks = [
        Heading("One", 0),
        Heading("Two [end]", 2, Heading("Two a", 2), Heading("Two b", 3)),
        Heading("Three", 5),
    ]
    put(tmp_path, "a.pdf", pdf(*pages, outline=marks))
    reply = outline(tmp_path, "a.pdf")
    assert reply.text.splitlines()[1:] == [
        "page 1-2\tOne",
        "page 3-5\tTwo [end]",
        "page 3\t  Two a",
        "page 4-5\t  Two b",
        "page 6\tThree",
        "[end]",
    ]
    assert reply.data["outline"][1] == {
        "start": None,
        "end": None,
        "page": 3,
        "last_page": 5,
        "depth": 0,
        "kind": "page",
        "label": "Two [end]",
    }


def test_a_bookmark_without_a_page_begins_with_the_first_one_below_it(tmp_path):
    pages = [Page() for _ in range(6)]
    for number, each in enumerate(pages):
        prose(each, 700, first=number)
    part = Heading("Part II", None, Heading("Nowhere", None), Heading("Chapter", None, Heading("Section", 3)))
    put(tmp_path, "a.pdf", pdf(*pages, outline=[Heading("Part I", 0), part, Heading("Index", 5), Heading("No", None)]))
    assert outline(tmp_path, "a.pdf").text.splitlines()[1:] == [
        "page 1-3\tPart I",
        "page 4-5\tPart II",
        "page 4-5\t  Chapter",
        "page 4-5\t    Section",
        "page 6\tIndex",
        "[end]",
    ]


def test_sheets_are_told_with_their_columns_and_read_by_name(tmp_path):
    tables = {"Sales": [["id", "name"], [1, "a"], [2, "b"]], "2024": [["x"], [1.5]]}
    put(tmp_path, "a.xlsx", workbook({name: sheet(sheet_rows(table)) for name, table in tables.items()}))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        told = reader.reply({"path": "a.xlsx", "view": "outline"})
        assert [row["label"] for row in told.data["outline"]] == [
            "Sales, 2 rows × 2 columns: id integer, name text",
            "2024, 1 row × 1 column: x number",
        ]
        for name, number in (("Sales", 1), ("sales", 1), ("2024", 2)):
            assert reader.reply({"path": "a.xlsx", "pages": name}).data["pages"]["first"] == number
        assert reader.reply({"path": "a.xlsx", "pages": "Costs"}).text == (
            '[error INVALID_PARAM] Invalid pages. It must be within 1-2, or the name of a sheet: "Sales", "2024".'
        )


def test_a_sheet_is_the_same_by_its_name_as_by_its_number_where_lines_are_not_counted(tmp_path):
    tables = {name: [["id"], [name]] for name in ("First", "Second", "Third")}
    put(tmp_path, "a.xlsx", workbook({name: sheet(sheet_rows(table)) for name, table in tables.items()}))
    for number, name in enumerate(tables, 1):
        by_name = ask(tmp_path, "a.xlsx", pages=name, total="lazy")
        assert by_name.text == ask(tmp_path, "a.xlsx", pages=str(number), total="lazy").text
        assert f"\t# {name}\n" in by_name.text


def test_chapters_are_read_by_name(tmp_path):
    put(tmp_path, "a.epub", book({"a.xhtml": page("<h1>First</h1><p>x</p>"), "b.xhtml": page("<h1>Last</h1><p>y</p>")}))
    assert ask(tmp_path, "a.epub", pages="Last").data["pages"] == {"first": 2, "last": 2, "total": 2}


def test_the_definition_of_read_is_small():
    definition = readwell.Reader().tool.dialect_tool.definition("json")
    assert o200k_counter()(json.dumps(definition, ensure_ascii=False)) <= 550


def test_rows_of_an_outline_have_no_columns(tmp_path):
    (tmp_path / "a.py").write_text("LIMIT = 10\n")
    with readwell.Reader(tmp_path) as reader:
        reply = reader.reply({"path": "a.py", "view": "outline", "column": 2})
    assert (
        reply.text == "[error INVALID_PARAM] Invalid column. It must be left out: rows of an outline have no columns."
    )


def test_a_comment_of_several_lines_has_no_headings(tmp_path):
    (tmp_path / "a.md").write_text("# One\n<!--\n# hidden\n-->\n<!-- page 2 -->\n# Two\n")
    with readwell.Reader(tmp_path) as reader:
        rows = reader.reply({"path": "a.md", "view": "outline"}).text.split("\n")[1:-1]
    assert rows == ["1-5\tOne", "6-6\tTwo"]


def test_markdown_of_very_many_lines_is_not_outlined(tmp_path):
    (tmp_path / "a.md").write_text("# a\n" * 200_001)
    with readwell.Reader(tmp_path) as reader:
        reply = reader.reply({"path": "a.md", "view": "outline"})
    assert "[no outline: 200001 lines of markdown, more than 200000" in reply.text


def test_an_outline_has_rows_where_a_text_has_lines(tmp_path):
    put(tmp_path, "a.md", "# One\n\n## Two\n\ntext\n")
    put(tmp_path, "empty.txt", "")
    past = ask(tmp_path, "a.md", view="outline", offset=9).text
    assert past == (
        "[error OUT_OF_RANGE] Offset 9 is past the end of the outline of 'a.md' (2 rows). Use an offset from 1 to 2."
    )
    past = ask(tmp_path, ".", view="outline", offset=9).text
    assert "past the end of the outline of '.' (1 row)." in past
    none = ask(tmp_path, "empty.txt", view="outline", offset=9).text
    assert (
        none == "[error OUT_OF_RANGE] Offset 9 is past the end: the outline of 'empty.txt' has no rows. Use offset=1."
    )
    assert "past the end of 'a.md' (5 lines)" in ask(tmp_path, "a.md", offset=9).text


@pytest.mark.parametrize("name", ["a.pdf", "a.xlsx", "a.md", "."])
def test_an_outline_takes_no_pages_whatever_it_is_of(tmp_path, name):
    put(tmp_path, "a.pdf", b"%PDF-1.4\n")
    put(tmp_path, "a.xlsx", b"PK\x03\x04")
    put(tmp_path, "a.md", "# One\n")
    told = ask(tmp_path, name, view="outline", pages="1").text
    assert told == (
        "[error INVALID_PARAM] Invalid pages. It must be left out: an outline is always of the whole, "
        "and its offset counts rows."
    )
