"""`Turns`: each client has one call at a time in the event loop, so that one with many calls waits for itself.

Answering a call takes the event loop about a millisecond, and calls in the loop share its time equally. So each client
has only so many calls there; its further ones wait outside, where they cost nothing. A call leaves the loop, and lets
the next one in, when it has been answered, begins a conversion, or has taken long.
"""

from __future__ import annotations

from asyncio import Future, get_running_loop
from collections import deque

CALLS_A_CLIENT = 1
MAX_TURN_S = 0.02
"""A call that takes longer waits for a disk or a converter, not for the event loop."""


class Turns:
    """Whose calls are in the event loop. Used by one event loop."""

    def __init__(self) -> None:
        self._running: dict[object, int] = {}
        self._waiting: dict[object, deque[Future[None]]] = {}

    async def begin(self, client: object) -> Turn:
        """Waits for the client's turn."""
        if self._running.get(client, 0) >= CALLS_A_CLIENT:
            await self._wait_for_turn(client)
        else:
            self._running[client] = self._running.get(client, 0) + 1
        return Turn(self, client)

    def end(self, client: object) -> None:
        """Lets the next call of a client in."""
        waiting = self._waiting.get(client)
        while waiting:
            following = waiting.popleft()
            if not following.done():
                return following.set_result(None)  # it takes over the place that becomes free
        self._waiting.pop(client, None)
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        return None

    async def _wait_for_turn(self, client: object) -> None:
        admitted: Future[None] = get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(admitted)
        try:
            await admitted
        except BaseException:
            if admitted.done() and not admitted.cancelled():
                self.end(client)
            raise


class Turn:
    """The turn of one call; it ends once."""

    def __init__(self, turns: Turns, client: object) -> None:
        self._turns, self._client = turns, client
        self._timer = get_running_loop().call_later(MAX_TURN_S, self.end)
        self._ended = False

    def end(self) -> None:
        """Ends the turn, unless it has ended."""
        if not self._ended:
            self._ended = True
            self._timer.cancel()
            self._turns.end(self._client)
