"""What a bearer token looks like: makes a new one, validates one, takes one from the environment; keeps none."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_urlsafe

MIN_LENGTH = 16


def new_token() -> str:
    """Returns a new random token."""
    return token_urlsafe(32)


def is_token(word: str) -> bool:
    """Returns whether a word may be a token: long enough, and of visible ASCII characters."""
    return len(word) >= MIN_LENGTH and word.isascii() and word.isprintable() and " " not in word


def token_from_environment(environment: Mapping[str, str], variable: str) -> str:
    """Returns the token in an environment variable; raises ValueError if it is too short or not visible ASCII."""
    token = environment.get(variable, "")
    if not is_token(token):
        raise ValueError(f"{variable} must hold a token of at least {MIN_LENGTH} visible ASCII characters")
    return token
