"""`Gate`: lets an authorised HTTP message in once its client is within limits and has its turn."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.types import Scope

from ...errors import TooManyCalls
from .client_limits import ClientLimits, LimitsPerClient
from .client_turns import Turn, Turns
from .http_callers import Caller, Callers
from .server_config import VISIT

CALLER = "readwell.caller"
CALLS = ("tools/call", "resources/read")
"""The methods that limits count."""
UNLIMITED = LimitsPerClient()


class Visit:
    """One message. A client is the owner of a token; where all have the same token, an address."""

    refusal: TooManyCalls | None = None
    """Why the call must be refused."""
    turn: Turn | None = None

    def __init__(self, gate: Gate, caller: Caller, client: str) -> None:
        self._gate, self.caller, self.client = gate, caller, client

    @property
    def is_withdrawn(self) -> bool:
        """Whether the token was withdrawn or has expired since the message arrived."""
        return not self._gate.callers.still_allows(self.caller)

    def count_conversion(self) -> AbstractAsyncContextManager[None]:
        """Counts a conversion inside the block, and ends the turn; raises TooManyCalls."""
        self.end_turn()
        return self._gate.limits.count_conversion(self.client)

    def end_turn(self) -> None:
        """Lets the client's next message in."""
        if self.turn:
            self.turn.end()


class Gate:
    """Lets messages in. Used by one event loop."""

    def __init__(self, callers: Callers, limits: LimitsPerClient = UNLIMITED) -> None:
        self.callers, self.limits, self._turns = callers, ClientLimits(limits), Turns()

    @asynccontextmanager
    async def visit(self, scope: Scope, method: str) -> AsyncGenerator[None]:
        """Waits for room and for the client's turn; the message is let in inside the block."""
        caller = scope[CALLER]
        visit = scope[VISIT] = Visit(self, caller, caller.name or _client_address(scope))
        if method not in CALLS:
            async with self._take_turn(visit):
                yield
            return
        async with self.limits.count_call(visit.client) as visit.refusal, self._take_turn(visit):
            yield

    @asynccontextmanager
    async def _take_turn(self, visit: Visit) -> AsyncGenerator[None]:
        visit.turn = await self._turns.begin(visit.client)
        try:
            yield
        finally:
            visit.turn.end()


def _client_address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
