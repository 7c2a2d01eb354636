"""The bearer token of the HTTP server: creation, lookup, comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hmac import compare_digest
from secrets import token_urlsafe

MIN_LENGTH = 16


def new_token() -> str:
    """Returns a new random token."""
    return token_urlsafe(32)


def token_from(environment: Mapping[str, str], variable: str) -> str:
    """Returns the token in an environment variable; raises ValueError if it is too short or not visible ASCII."""
    token = environment.get(variable, "")
    if len(token) < MIN_LENGTH or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{variable} must hold a token of at least {MIN_LENGTH} visible ASCII characters")
    return token


def has_bearer_token(token: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Returns whether exactly one Authorization header carries the token; compares in constant time."""
    sent = [value for name, value in headers if name == b"authorization"]
    scheme, _, word = (sent[0] if len(sent) == 1 else b"").partition(b" ")
    return compare_digest(word.strip(b" "), token.encode()) and scheme.lower() == b"bearer"
