"""The bearer token: made, found, compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hmac import compare_digest
from secrets import token_urlsafe

SHORTEST = 16


def new_token() -> str:
    """Returns a token that nobody can guess."""
    return token_urlsafe(32)


def token_from(environment: Mapping[str, str], variable: str) -> str:
    """Returns the token that a variable holds; raises ValueError where it is no good."""
    token = environment.get(variable, "")
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{variable} must hold a token of at least {SHORTEST} visible ASCII characters")
    return token


def has_bearer_token(token: str, headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether exactly one header of the request carries the token; how long it takes tells nothing of it."""
    sent = [value for name, value in headers if name == b"authorization"]
    scheme, _, word = (sent[0] if len(sent) == 1 else b"").partition(b" ")
    return compare_digest(word.strip(b" "), token.encode()) and scheme.lower() == b"bearer"
