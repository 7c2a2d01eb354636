"""Parses the value of a setting by its type: a word of an option or environment variable becomes a value."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from ..dialects import Setting
from .extras import missing_extra_message


def wrong_value_error(message: str) -> Exception:
    """Returns what an argument parser expects of a function that cannot parse a value."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


def parse_bool(word: str) -> bool:
    """Parses yes or no, also as 1/0, true/false, on/off."""
    if word.lower() not in ("1", "0", "true", "false", "yes", "no", "on", "off"):
        raise wrong_value_error(f"{word!r} is neither yes nor no")
    return word.lower() in ("1", "true", "yes", "on")


def parse_positive(word: str) -> int:
    """Parses a whole number of at least 1."""
    import re

    if not re.fullmatch("[0-9]{1,18}", word) or int(word) < 1:
        raise wrong_value_error(f"{word!r} is not a whole number of at least 1")
    return int(word)


def parse_output_path(word: str) -> str:
    """Parses the path of a file or directory to write; refuses an empty one."""
    if not word:
        raise wrong_value_error("an empty name")
    return word


def _one_of_parser(words: tuple[str, ...]) -> Callable[[str], str]:
    def parse(word: str) -> str:
        if word not in words:
            raise wrong_value_error(f"{word!r} is none of {', '.join(words)}")
        return word

    return parse


def parse_seconds(word: str) -> float:
    """Parses a number of seconds above 0."""
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise wrong_value_error(f"{word!r} is not a number of seconds")
    return number


def _parse_patterns(words: str) -> list[str]:
    return [word for word in words.split(os.pathsep) if word]


def _parse_token_counter(word: str) -> Callable[[str], int]:
    from ..tokens import count_tokens, estimate_tokens, o200k_counter

    if word not in ("auto", "estimate", "o200k"):
        raise wrong_value_error(f"{word!r} is none of auto, estimate, o200k")
    try:
        return o200k_counter() if word == "o200k" else estimate_tokens if word == "estimate" else count_tokens
    except ImportError as error:
        raise wrong_value_error('o200k needs an extra: pip install "readwell[tokens]"') from error


VALUE_PARSERS: dict[str, Callable[[str], object]] = {
    "count": parse_positive,
    "switch": parse_bool,
    "counter": _parse_token_counter,
    "seconds": parse_seconds,
    "patterns": _parse_patterns,
    "text": str,
}


def value_parser(setting: Setting) -> Callable[[str], object]:
    """Returns the function that parses the value of a setting; it raises ArgumentTypeError."""
    parse = _one_of_parser(setting.value_type) if isinstance(setting.value_type, tuple) else _parser_of_type(setting)
    return partial(_parse_with_extra, parse, setting.extra) if setting.extra else parse


def _parser_of_type(setting: Setting) -> Callable[[str], object]:
    if setting.value_type not in VALUE_PARSERS:
        types = ", ".join(VALUE_PARSERS)
        raise ValueError(f"setting {setting.name!r} has no type {setting.value_type!r}: {types}, or a tuple of words")
    return VALUE_PARSERS[str(setting.value_type)]


def _parse_with_extra(parse: Callable[[str], object], extra: str, word: str) -> object:
    value = parse(word)
    if value and (missing := missing_extra_message(extra, "it needs")):
        raise wrong_value_error(missing)
    return value
