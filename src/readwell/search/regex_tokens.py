"""Splits a regular expression into tokens, and derives what every match contains and the form for documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from ..named_tuple import NamedTuple

TOKEN = re.compile(
    r"(?P<quoted>\\Q.*?(?:\\E|\Z))"
    r"|(?P<escape>\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\x..|\\0?[0-7]{1,3}|\\.)"
    r"|(?P<several>\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\])"
    r"|(?P<flags>\(\?[a-zA-Z-]*\))"
    r"|(?P<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z-]*:))?)"
    r"|(?P<close>\))|(?P<either>\|)|(?P<often>[*+?]\??|\{\d+(?:,\d*)?\}\??)|(?P<zero>[\^$])|(?P<any>\.)|(?P<plain>.)",
    re.DOTALL,
)
MAX_DEPTH = 100
"""Groups within each other that are looked into."""
MAY_BE_NONE = ("*", "?", "{0")
NOT_IN_SEQUENCE = ("quoted", "flags", "open", "close", "either")
ASCII_CLASS = re.compile(r"\\[dws]|\[[A-Za-z0-9_ .,:/-]+\]")
"""Classes of characters that are the same bytes in every encoding that contains ASCII."""
PLAIN_ESCAPES = {"t": "\t"}
REPLACED = "\ufffd"
"""Replaces invalid bytes in decoded text, so it cannot be found among bytes."""


class Token(NamedTuple):
    """A token of a valid expression: its kind and its text."""

    kind: str
    text: str


def tokens_of(expression: str) -> list[Token]:
    """Returns the tokens of an expression that RE2 accepts."""
    return [Token(match.lastgroup or "", match[0]) for match in TOKEN.finditer(expression)]


def has_line_end(tokens: list[Token]) -> bool:
    """Whether the expression contains a line end outside of a set of characters, where it is harmless."""
    return any(
        (
            token.kind == "escape"
            and token.text in (r"\n", r"\r", r"\x0a", r"\x0A", r"\x0d", r"\x0D", r"\x{a}", r"\x{d}")
        )
        or (token.kind in ("plain", "quoted") and re.search("[\r\n]", token.text))
        for token in tokens
    )


def ignores_case(tokens: list[Token]) -> bool:
    """Whether a flag makes the expression, or a part of it, ignore case."""
    return any("i" in _flags_switched_on(token) for token in tokens)


def needs_each_line(tokens: list[Token]) -> bool:
    """Whether a flag switches off `m`, so that `^` and `$` do not match inside a text of many lines."""
    return any("m" in token.text.partition("-")[2] for token in tokens if token.kind in ("flags", "open"))


def _flags_switched_on(token: Token) -> str:
    """Returns the flags that a token switches on."""
    return token.text.partition("-")[0] if token.kind in ("flags", "open") and "<" not in token.text else ""


def expression_for_many_lines(tokens: list[Token]) -> str:
    r"""Returns the expression with `\A` and `\z` as ends of lines."""
    ends = {r"\A": "^", r"\z": "$"}
    return "".join(ends.get(token.text, token.text) if token.kind == "escape" else token.text for token in tokens)


def expression_for_documents(tokens: list[Token]) -> str:
    """Returns the expression for documents: a space also matches a line end, and a word may be hyphenated there."""
    return "".join(map(_token_for_documents, tokens))


def _token_for_documents(token: Token) -> str:
    """Returns a token in the form that matches across printed lines."""
    kind, text = token
    if kind == "quoted":
        inside = text.removeprefix(r"\Q").removesuffix(r"\E")
        return "".join(_token_for_documents(_token_of_quoted_character(each)) for each in inside)
    if kind == "escape" and text in (r"\A", r"\z"):
        return "^" if text == r"\A" else "$"
    if kind == "several":
        return _with_optional_hyphenation(_set_without_line_ends(text))
    if text in (" ", "\\ "):
        return r"[ \n]"
    if text in ("-", r"\-"):
        return r"(?:-\n?)"
    is_of_word = text.isalpha() if kind == "plain" else kind == "escape" and text[1] in "wdpP"
    return _with_optional_hyphenation(text) if is_of_word else text


def _token_of_quoted_character(each: str) -> Token:
    """Returns a character of a quoted stretch as a token of its own."""
    return Token("escape", f"\\{each}") if each.isascii() and not re.match(r"[\w\s]", each) else Token("plain", each)


def _with_optional_hyphenation(one: str) -> str:
    """Returns the expression for one character of a word that may be followed by a hyphen and a line end."""
    return rf"(?:{one}(?:-\n)?)"


def _set_without_line_ends(several: str) -> str:
    """Returns a set of characters; a negated one is made to exclude line ends."""
    if not several.startswith("[^"):
        return several
    at = 3 if several[2] == "]" else 2
    return f"{several[:at]}\\n{several[at:]}"


def required_literal(tokens: list[Token], ascii_only: bool) -> str:
    """Returns the longest text that every match must contain; empty where none is known, or groups are nested deep."""
    depths = accumulate({"open": 1, "close": -1}.get(kind, 0) for kind, _ in tokens)
    if max(depths, default=0) > MAX_DEPTH:
        return ""
    return longest_run(_required_texts(iter(tokens)), ascii_only)


def longest_run(runs: list[str], ascii_only: bool) -> str:
    """Returns the longest part of some texts that can be found among bytes."""
    if ascii_only:
        runs = [part for run in runs for part in re.findall("[\0-\x7f]+", run)]
    return max((part for run in runs for part in run.split(REPLACED)), key=len, default="")


def needle_with_next_class(tokens: list[Token], needle: str) -> str:
    """Returns an expression for the needle with the ASCII class that follows it in every match; empty: none does.

    Only for a plain sequence, without groups and alternatives.
    """
    if any(token.kind in NOT_IN_SEQUENCE for token in tokens):
        return ""
    for first in range(len(tokens) - len(needle)):
        last = first + len(needle)
        if [_literal_text(*token) for token in tokens[first:last]] == list(needle):
            following = tokens[last]
            behind = tokens[last + 1].text if last + 1 < len(tokens) and tokens[last + 1].kind == "often" else ""
            if ASCII_CLASS.fullmatch(following.text) and not behind.startswith(MAY_BE_NONE):
                return "".join(token.text for token in tokens[first : last + 1])
    return ""


def _required_texts(tokens: Iterator[Token]) -> list[str]:
    """Returns texts that a match of these tokens must contain, up to the end of their group."""
    runs, run = list[str](), ""
    inside: list[str] = []
    either = False
    for kind, text in tokens:
        literal = _literal_text(kind, text)
        if literal:
            runs, inside = runs + inside, []
            run += literal
            continue
        if kind == "often":
            if text.startswith(MAY_BE_NONE):
                run, inside = run[:-1], []
        elif kind == "open":
            runs, inside = runs + inside, _required_texts(tokens)
        elif kind == "close":
            break
        either = either or kind == "either"
        if kind != "often" or run:
            runs.append(run)
            run = ""
        if kind not in ("often", "open"):
            runs, inside = runs + inside, []
    return [] if either else [*runs, run, *inside]


def _literal_text(kind: str, text: str) -> str:
    """Returns the text that a token stands for; empty where it is none."""
    if kind == "quoted":
        return text.removeprefix(r"\Q").removesuffix(r"\E")
    if kind == "escape" and len(text) == 2:
        return PLAIN_ESCAPES.get(text[1], "" if text[1].isalnum() else text[1])
    return text if kind == "plain" else ""
