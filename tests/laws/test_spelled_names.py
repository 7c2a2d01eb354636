r"""Whatever way a reply spells a name opens that very entry when it is given back, and a search misses none.

Where a spelling is also the name of another entry, neither is opened, and the error says how to name each.
"""

import os
import re
import shutil
import tempfile

from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from readwell import Reader
from readwell.path_names import name_as_listed, unescape_name

PIECES = [
    "a",
    "b",
    ".x",
    " ",
    "é",
    "\\",
    "|",
    "]",
    "[",
    "] ",
    "] | ",
    '"',
    "'",
    ", ",
    "\n",
    "\t",
    "\u200b",
    "\u202e",
    "*",
]
PIECES += ["~", "\udcff", "\x7f", "\\x0a", "\\x5c", "\\x7c", "\\x22", "\\u202e", "\\udcff", "\\x5cx0a", ":1", "{", "#"]
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join).filter(lambda name: name[0] != ".")
PATHS = st.one_of(NAMES, st.tuples(NAMES, NAMES).map("/".join))
law = settings(max_examples=examples(60), deadline=None)
HEADER = re.compile(r"\[(.*?) \| (?:lines|\d+ match|directory)")


def tree(paths):
    """Makes a folder with these files, each with its number in it, as far as none is also a folder."""
    root, numbers = tempfile.mkdtemp(), {}
    for path in paths:
        try:
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "x") as file:
                file.write(f"hit no. {len(numbers)}\nhit again\n")
        except OSError:
            continue
        numbers[path] = f"hit no. {len(numbers)}\n"
    return root, numbers


def may_be_meant(path, spelling):
    """Whether each name of a path is that of the spelling, as it is or as it is shown."""
    names, parts = path.split("/"), spelling.split("/")
    return len(names) == len(parts) and all(
        name in (part, unescape_name(part)) for name, part in zip(names, parts, strict=True)
    )


def assert_opens(reader, spelling, content, paths):
    """Asserts that a spelling opens the file with this content, or is told to be the name of another one, too."""
    for reply in (
        reader.reply({"path": spelling}),
        reader.reply({"paths": [spelling]}),
        reader.search_reply({"pattern": "hit", "path": spelling}),
        reader.search_reply({"pattern": "hit", "paths": [spelling]}),
    ):
        if reply.is_error:
            entries = {*paths, *map(os.path.dirname, paths)}
            assert sum(may_be_meant(path, spelling) for path in entries) > 1, (spelling, reply.text)
            assert r"It must be spelled with \x5c for its backslash" in reply.text
        else:
            assert content in reply.text + "\n", (spelling, reply.text)


def matches_of(reader, **params):
    """All matches or files, by following a search as its data says, or as its text does."""
    for way in ("data", "text"):
        found, asked = [], {"pattern": "hit", **params}
        while asked:
            reply = reader.search_reply(asked)
            found += [(each["path"], each.get("line"), each.get("text")) for each in reply.data["matches"]]
            after = (reply.data["next"] or {}).get("after")
            if way == "text":
                named = re.match(r'\[more: after="([^"]*)" \| ', reply.text.split("\n")[-1])
                assert (named is None) == (after is None)
                after = named and named[1]
            asked = after and {**asked, "after": after}
        yield found


@law
@given(st.sets(PATHS, min_size=1, max_size=6), st.integers(1, 3))
@example({"a\nb", "a\\x0ab"}, 2)
@example({"n\nl\\x0a", "a|b.txt", "c] d.txt", 'q"q', "'q\""}, 1)
@example({"a\nb/c", "a\\x0ab/d", "a\\x0ab/e\nf", "a\nb/e\nf"}, 1)
@example({"a\n", "a\\x0a", "a\\x5cx0a"}, 1)
@example({"~/a", "b/~", "b/a~", "~ "}, 1)
@example({"~"}, 1)
@example({"\n" * 250, "b/" + "\udcff" * 200}, 1)
def test_every_spelling_opens_its_file_and_a_search_finds_every_match_once(paths, limit):
    root, numbers = tree(paths)
    try:
        with Reader(root, cache_dir=None) as reader:
            at_once = reader.search_reply({"pattern": "hit", "limit": 1000})
            shown = {each["path"]: each["text"] + "\n" for each in at_once.data["matches"] if each["line"] == 1}
            assert sorted(shown.values()) == sorted(numbers.values())
            headers = [match[1] for line in at_once.text.split("\n")[1:] if (match := HEADER.match(line))]
            assert len(headers) == len(numbers)
            for spelling, content in [*shown.items(), *zip(headers, shown.values(), strict=True)]:
                assert_opens(reader, spelling, content, numbers)
            expected = [(each["path"], each["line"], each["text"]) for each in at_once.data["matches"]]
            for params in ({}, {"paths": ["."]}, {"paths": ["?*", "?*/?*"]}):
                assert all(found == expected for found in matches_of(reader, limit=limit, **params)), params
            files = [each[0] for found in matches_of(reader, limit=limit, only="files") for each in found]
            assert files == 2 * list(shown)
    finally:
        shutil.rmtree(root)


@law
@given(st.sets(PATHS, min_size=1, max_size=6))
@example({"a\nb", "a\\x0ab"})
@example({"[a|b] c/d\\x0a\n"})
@example({"~/a", "b/~", "a/~ "})
def test_listings_and_reads_spell_names_that_open(paths):
    root, numbers = tree(paths)
    try:
        with Reader(root, cache_dir=None) as reader:
            for path, content in numbers.items():
                raw = reader.reply({"path": f"./{path}"})
                if raw.is_error:  # another file is shown so
                    assert r"spelled with \x5c" in raw.text
                    continue
                assert content in raw.text
                header = HEADER.match(raw.text)[1]
                assert_opens(reader, header, content, numbers)
                assert_opens(reader, raw.data["path"], content, numbers)
            folders = [""]
            while folders:
                folder = folders.pop()
                listing = reader.reply({"path": folder or "."})
                if listing.is_error:
                    assert folder.rstrip("/") in {os.path.dirname(path) for path in numbers}
                    continue
                for entry in (line for line in listing.text.split("\n") if not line.startswith("[")):
                    name = folder + entry.partition("\t")[0]
                    if name.endswith("/"):
                        folders.append(name)
                    else:
                        real = [
                            each for each in numbers if reader.reply({"path": f"./{each}"}).data.get("path") == name
                        ]
                        assert_opens(reader, name, numbers[real[0]] if len(real) == 1 else "hit no. ", numbers)
            batch = reader.reply({"paths": ["?*", "?*/?*"]}).text + "\n"
            assert all(content in batch for content in numbers.values())
    finally:
        shutil.rmtree(root)


@law
@given(st.text(max_size=8) | NAMES, st.sampled_from(["", '"', "|", "]", '"[]|']))
@example("\\\\x5c\\x0a\u200d\ufe0f\U000e0041\ud800", "")
def test_a_name_is_found_again_from_how_it_is_shown(name, escaped):
    shown = name_as_listed(name)
    for character in escaped:
        shown = shown.replace(character, f"\\x{ord(character):02x}")
    if "\0" not in name and not any("\ud800" <= each < "\udc80" or "\udcff" < each <= "\udfff" for each in name):
        assert unescape_name(shown) == name


def test_a_column_of_a_directory_is_ignored_and_told_unless_its_entry_is_cut(tmp_path):
    for name in ("a" * 150, "m.py"):
        (tmp_path / name).touch()
    with Reader(tmp_path, cache_dir=None, line_length=100) as reader:
        ignored = [reader.reply({"path": ".", "offset": 2, "column": column}).text for column in (2, 50)]
        beyond = reader.reply({"path": ".", "offset": 9, "column": 2}).text
        cut = reader.reply({"path": ".", "limit": 1}).text
        rest = reader.reply({"path": ".", "limit": 1, "column": 101}).text
    assert [re.sub(" [|] rev [0-9a-f]+", "", each) for each in ignored] == 2 * [
        "[./ | directory | entries 2-2 of 2]\nm.py\t0\n"
        "[note: column ignored: it holds for texts, and this is read as a directory]\n[end]"
    ]
    assert beyond.startswith("[error OUT_OF_RANGE] Offset 9 is past the end of '.' (2 entries).")
    assert "a …[+52 characters: offset=1 column=101]" in cut
    assert f"\n{'a' * 50}\t0\n" in rest
    assert "ignored" not in rest


def test_an_entry_is_named_in_remarks_so_that_it_can_be_given_back(tmp_path):
    folder = tmp_path / "we] | ird"
    folder.mkdir()
    (folder / 'a, "b"].pdf').write_bytes(b"%PDF-1.4 broken")
    (folder / 'c"d').write_text("hit\nhit\n")
    (folder / "z\\x41.txt").write_text("hit\n")
    (tmp_path / "~").mkdir()
    (tmp_path / "~" / "f").write_text("hit\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        whole = reader.search_reply({"pattern": "hit", "path": "we] | ird"}).text
        first = reader.search_reply({"pattern": "hit", "path": "we] | ird", "limit": 1})
        globs = ("z\\x41.txt", "z\\x5cx41.txt", "~/*", "\\x7e/*")
        chosen = [reader.search_reply({"pattern": "hit", "glob": glob}).data["count"] for glob in globs]
    assert r'[search "hit" in we\x5d \x7c ird/ | matches 1-3 of 3 in 2 files]' in whole
    assert r"""could not be read: 'we\x5d \x7c ird/a, "b"].pdf']""" in whole
    assert first.text.endswith('[more: after="we] | ird/c\\x22d:1" | 1 match]')
    assert first.data["next"] == {"after": 'we] | ird/c"d:1'}
    assert chosen == [1, 1, 1, 1]


def test_look_alikes_and_what_patterns_match_are_told_apart(tmp_path):
    for name in ("x\nl.txt", "x\\x0al.txt"):
        (tmp_path / name).write_text(f"{len(name)} characters\n")
    with Reader(tmp_path, cache_dir=None) as reader:
        missing = reader.reply({"path": "x\\x0al.tx"}).text
        batch = reader.reply({"paths": ["x*"]})
        opened = [reader.reply({"path": path}).text for path in ("x\nl.txt", "x\\x5cx0al.txt")]
    assert missing.endswith(r"Did you mean: x\x5cx0al.txt, x\x0al.txt?")
    assert [each["path"] for each in batch.data["files"]] == ["x\\x0al.txt", "x\\x5cx0al.txt"]
    assert ["7 characters" in opened[0], "10 characters" in opened[1]] == [True, True]
