"""`Callers`, the token owners of a running server: by a token's hash, who calls, with which roots, until when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from math import inf
from time import time

from ...named_tuple import NamedTuple


class Caller(NamedTuple):
    """The owner of a token."""

    digest: bytes
    """SHA-256 of the token; the token itself is not kept."""
    name: str | None = None
    """None: the server has one token for everybody."""
    roots: tuple[str, ...] | None = None
    """The roots of the server that this caller may read; None: all. Without any it may look at metrics only."""
    expires: float = inf
    """Seconds since 1970 from which on the token is refused."""

    @property
    def sees_all(self) -> bool:
        """Whether the caller may see what others have read."""
        return self.roots is None

    @property
    def may_read(self) -> bool:
        """Whether the caller may read anything."""
        return self.roots is None or bool(self.roots)


class Callers:
    """The callers of a server, who may be replaced while it runs; `clock` returns seconds since 1970."""

    def __init__(self, callers: Iterable[Caller], clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self.replace(callers)

    @classmethod
    def with_token(cls, token: str) -> Callers:
        """Returns one caller without a name, who has this token."""
        return cls([Caller(digest_of(token))])

    def replace(self, callers: Iterable[Caller]) -> None:
        """Replaces all callers; whoever is missing is refused from now on, also in calls that are being answered."""
        self._by_digest = {caller.digest: caller for caller in callers}

    def of_token(self, token: str) -> Caller | None:
        """Returns the owner of a token; None if it is wrong, was withdrawn or has expired.

        Looking up the hash takes the same time for every wrong token.
        """
        caller = self._by_digest.get(digest_of(token))
        return caller if caller and self._clock() < caller.expires else None

    def of_headers(self, headers: Iterable[tuple[bytes, bytes]]) -> Caller | None:
        """Returns the owner of the token in the one Authorization header."""
        sent = [value for name, value in headers if name == b"authorization"]
        scheme, _, word = (sent[0] if len(sent) == 1 else b"").partition(b" ")
        return self.of_token(word.strip(b" ").decode("latin-1")) if scheme.lower() == b"bearer" else None

    def still_allows(self, caller: Caller) -> bool:
        """Returns whether a caller is still allowed to call, with the same roots."""
        return self._by_digest.get(caller.digest) == caller and self._clock() < caller.expires

    def valid_callers(self) -> list[Caller]:
        """Returns the callers whose tokens are valid now."""
        return [caller for caller in self._by_digest.values() if self._clock() < caller.expires]


def digest_of(token: str) -> bytes:
    """Returns the SHA-256 of a token."""
    return sha256(token.encode("latin-1", errors="replace")).digest()
