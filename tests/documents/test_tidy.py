"""The output contract of every converter."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from readwell.documents.clean_markdown import FORBIDDEN, tidy

TEXTS = st.text(st.one_of(st.sampled_from("ab \t\n\r\v\f\0\x1b\x7f\x85\xa0\u2028\ud800"), st.characters()), max_size=60)


@pytest.mark.parametrize(
    "markdown, tidied",
    [
        ("", ""),
        ("\n \n\t\n", ""),
        ("one", "one"),
        ("one\n", "one"),
        ("\r\none\rtwo\r\nthree\n", "one\ntwo\nthree"),
        ("one  \ntwo\t\nthree\xa0", "one\ntwo\nthree"),
        ("one\n\n\n\ntwo\n \n\t\nthree", "one\n\ntwo\n\nthree"),
        ("one\n\0\n\ntwo", "one\n\ntwo"),
        ("\n\n  - one\n\n", "  - one"),
        ("a\tb", "a\tb"),
        ("a\0b\x1b[1mc\x7f", "ab[1mc"),
        ("page\fpage\vline", "page\npage\nline"),
        ("a\ud800b\udfffc", "a\ufffdb\ufffdc"),
        ("𝄞 é 中", "𝄞 é 中"),
    ],
)
def test_a_text_is_tidied(markdown, tidied):
    assert tidy(markdown) == tidied


def test_what_looks_like_an_anchor_of_a_document_that_has_such_units_gets_a_backslash():
    assert tidy("<!-- record 5 -->", "record") == "\\<!-- record 5 -->"
    assert tidy("<!-- page 5 -->", "record") == tidy("<!-- page 5 -->") == "\\<!-- page 5 -->"
    assert tidy("<!-- record 5 -->") == "<!-- record 5 -->"
    assert tidy("<!-- 5 -->") == "<!-- 5 -->"


@settings(max_examples=examples(300))
@given(TEXTS)
def test_what_is_tidy_keeps_the_contract_and_stays(markdown):
    text = tidy(markdown)
    lines = text.split("\n")
    assert tidy(text) == text
    assert not FORBIDDEN.search(text)
    assert lines == [line.rstrip() for line in lines]
    assert not re.search("\n\n\n", text)
    assert text == text.strip("\n")
    text.encode()


@settings(max_examples=examples(300))
@given(TEXTS)
def test_tidying_loses_nothing_that_can_be_seen(markdown):
    def seen(text):
        return re.sub(r"[\s\x00-\x1f\x7f]", "", text)

    assert seen(tidy(markdown)) == re.sub("[\ud800-\udfff]", "\ufffd", seen(markdown))
