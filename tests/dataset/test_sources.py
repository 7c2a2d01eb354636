"""`find_sources`: what globs stand for, and that nothing they could match is left out without a word."""

import pytest

from ordinary_user import as_an_ordinary_user
from readwell.corpus import convert, find_sources


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name in ("docs/a.txt", "docs/b/c.txt", "docs/b/d/e.txt", "docs/.git/f.txt", "other/b/g.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_stars_at_the_end_are_every_file_below(here):
    assert find_sources("docs/**") == ["docs/a.txt", "docs/b/c.txt", "docs/b/d/e.txt"]
    assert find_sources(f"{here}/docs/**") == [f"{here}/docs/{name}" for name in ("a.txt", "b/c.txt", "b/d/e.txt")]
    assert find_sources("**") == ["docs/a.txt", "docs/b/c.txt", "docs/b/d/e.txt", "other/b/g.txt"]


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*/b/*.txt", ["docs/b/c.txt", "other/b/g.txt"]),
        ("**/b/**", ["docs/b/c.txt", "docs/b/d/e.txt", "other/b/g.txt"]),
        ("docs/**/d/*", ["docs/b/d/e.txt"]),
        ("docs/**/.git/*", ["docs/.git/f.txt"]),
        ("docs/.*/*", ["docs/.git/f.txt"]),
        ("docs/a.txt/*", ["docs/a.txt/*"]),
    ],
)
def test_globs_of_several_folders(here, glob, found):
    assert find_sources(glob) == found


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("docs/**/*.txt", ["docs/a.txt", "docs/b"]),
        ("docs/**", ["docs/a.txt", "docs/b"]),
        ("docs/b/*.txt", ["docs/b"]),
        ("*/b/d/*.txt", ["docs/b"]),
        ("docs/*.txt", ["docs/a.txt"]),
        ("docs/d*/*.txt", ["docs/d*/*.txt"]),
        ("*/*.txt", ["docs/a.txt"]),
    ],
)
def test_a_folder_that_cannot_be_listed_is_told_where_a_match_may_be_in_it(here, glob, found):
    (here / "docs" / "b").chmod(0)
    (here / "docs" / ".git").chmod(0)
    with as_an_ordinary_user(here):
        assert find_sources(glob) == found
        codes = {convert(source).error.code for source in found if source == "docs/b"}
    assert codes <= {"PERMISSION_DENIED"}
    (here / "docs" / "b").chmod(0o700)
    (here / "docs" / ".git").chmod(0o700)


def test_a_current_directory_that_cannot_be_listed_is_told(here):
    here.chmod(0o100)
    with as_an_ordinary_user(here):
        assert find_sources("*.txt") == ["."]
    here.chmod(0o700)


@pytest.mark.parametrize("path", ["a\0b", "a\0*.txt", "lone \ud800.txt", "x" * 5000, "n" * 300 + "/a.txt"])
def test_what_can_be_no_path_stays_and_is_a_row(here, path):
    assert find_sources("docs/a.txt", path) == ["docs/a.txt", path]
    found = convert(path)
    assert (found.source, found.error and found.error.code) == (path, "INVALID_PARAM")
    assert convert(b"words\n", name=path).source == path
