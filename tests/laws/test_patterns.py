"""Patterns mean what git says they mean, in every spelling of a name, and none is slow."""

import os
import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from readwell.gitignore import compile_patterns, folded_path, parse_pattern

GIT = shutil.which("git")
NEEDS_GIT = pytest.mark.skipif(GIT is None, reason="NOT TESTED: there is no git to compare with")

NAMES = st.sampled_from(["a", "b", "ab", "ba", "a.b", ".a", "a b", "abc", "-a", "b]"])
PIECES = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "*",
        "**",
        "?",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        ".",
        "\\a",
        "\\*",
        "[[:alpha:]]",
        "-",
        "c",
        "[]a]",
    ]
)
# Git calls stars in a row inside a part regular stars, and yet finds `a` by `a**/**`: not asked here.
PLAIN_PARTS = st.lists(PIECES, min_size=1, max_size=3).map("".join).filter(lambda part: "**" not in part)
PARTS = st.one_of(st.just("**"), PLAIN_PARTS)
LINES = st.builds(
    "{}{}{}{}".format, st.sampled_from(["", "", "", "!"]), st.sampled_from(["", "", "/"]),
    st.lists(PARTS, min_size=1, max_size=3).map("/".join), st.sampled_from(["", "", "/"]),
)  # fmt: skip
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run([GIT, "init", "-q", str(folder)], check=True)
    return folder


def put(folder, paths):
    """Makes files, and what leads to them folders; returns all of them, folders with a slash."""
    kept = []
    for path in paths:
        spot = folder / path
        try:
            spot.parent.mkdir(parents=True, exist_ok=True)
            spot.touch()
        except OSError:
            continue
        kept.append(path)
    found = {path for path in kept if (folder / path).is_file()}
    parents = {"/".join(path.split("/")[:count]) for path in kept for count in range(1, path.count("/") + 1)}
    return sorted(found) + [f"{path}/" for path in sorted(parents)]


def by_git(folder, lines, paths):
    """What git ignores; its own files are moved out of the way."""
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")
    command = [GIT, "-c", "core.ignorecase=false", "-C", folder, "check-ignore", "--no-index", "-z", "--stdin"]
    plain = {path.rstrip("/"): path for path in paths}
    done = subprocess.run(command, input="\0".join(plain).encode(), capture_output=True, check=False)
    return {plain[path] for path in done.stdout.decode().split("\0") if path}


@NEEDS_GIT
@settings(max_examples=examples(150), deadline=None, database=None)
@given(lines=st.lists(LINES, min_size=1, max_size=4), paths=PATHS)
@example(lines=["*.b", "!a.b"], paths=["a.b", "b/a.b"])
@example(lines=["a/", "!a/b"], paths=["a/b", "b/a"])
@example(lines=["a/**"], paths=["a/b", "b/a/b"])
@example(lines=["**/a/**/b"], paths=["a/b", "b/a/c/b"])
@example(
    lines=["[ab]1", "[!ab]2", "[]c]3", "[a-c]4"], paths=["a1", "b1", "c1", "a2", "c2", "]3", "c3", "b4", "d4", "-4"]
)
def test_a_pattern_excludes_what_git_ignores(repository, lines, paths):
    folder = repository / "work"
    folder.mkdir()
    try:
        names = put(folder, paths)
        patterns = compile_patterns(line for line in lines if means_something(line))
        ours = {
            name
            for name in names
            if patterns.excluding_line(folded_path(name).rstrip("/").split("/"), name.endswith("/"))
        }
        assert ours == by_git(folder, lines, names)
    finally:
        shutil.rmtree(folder)


def means_something(line):
    try:
        return parse_pattern(line) is not None
    except ValueError:
        return False


@settings(max_examples=examples(200), deadline=None)
@given(lines=st.lists(st.text(max_size=20), max_size=6), path=st.text(min_size=1, max_size=40))
def test_no_line_and_no_path_breaks_a_pattern(lines, path):
    patterns = compile_patterns(line for line in lines if means_something(line))
    assert patterns.excluding_line(folded_path(path).split("/")) in {None, *(each.text for each in patterns.in_order)}


@settings(max_examples=examples(200), deadline=None)
@given(name=st.text(st.characters(exclude_characters="/", exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_name_is_meant_in_every_spelling(name):
    """A name taken literally excludes itself, composed or not, in capitals, with unseen characters between."""
    from unicodedata import normalize

    literal = "/" + "".join(f"\\{letter}" if letter in "*?[]\\ " else letter for letter in name)
    if not folded_path(name) or "\n" in name or "\r" in name:
        return
    spellings = [name, normalize("NFD", name), normalize("NFC", name), f"\u200b{name}\u2060"]
    patterns = compile_patterns([literal])
    assert [patterns.excluding_line([folded_path(each)]) is None for each in spellings] == [False] * 4


def test_folding_is_stable():
    for name in ("ΐ", "ß", "ẞ", "İ", "ı", "K", "ſ", "Å", "e\u0301", "\u0345\u0301a", "ﬁ"):
        assert folded_path(folded_path(name)) == folded_path(name)
        assert folded_path(name.upper().lower()) == folded_path(folded_path(name.upper().lower()))
    assert os.path.basename(folded_path("A/B")) == "b"
