"""Counts the calls and conversions of each client, in flight and a minute, and refuses those beyond limits.

A call over a limit waits a moment for room, so that a client that calls again and again does not keep the server busy
with refusals; then it is refused, with the time when to come back.
"""

from __future__ import annotations

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from math import ceil, inf
from time import monotonic

from ...errors import TooManyCalls
from ...named_tuple import NamedTuple

PATIENCE_S = 1.0
"""How long a call over a limit waits for room."""
MAX_IDLE_CLIENTS = 1024
MINUTE_S = 60.0


class LimitsPerClient(NamedTuple):
    """What each client may have; inf: no limit."""

    calls: float = inf
    """Calls in flight."""
    minute: float = inf
    """Calls a minute; as many may come at once."""
    conversions: float = inf
    """Conversions in flight."""


def parse_limits_per_client(written: str) -> LimitsPerClient:
    """Parses `calls=16,minute=600,conversions=2`, any of them; raises ValueError."""
    numbers: dict[str, float] = {}
    for word in written.split(","):
        name, _, number = word.strip().partition("=")
        if (
            name not in LimitsPerClient._fields
            or not number.isdecimal()
            or not 0 < int(number) < 1 << 31
            or name in numbers
        ):
            raise ValueError(f"takes numbers by name, such as calls=16,minute=600,conversions=2, not {written!r}")
        numbers[name] = int(number)
    return LimitsPerClient(**numbers)


class _ClientUsage:
    """What one client has in flight, and how many calls it has left of its minute."""

    def __init__(self, calls_left: float, now: float) -> None:
        self.calls = self.conversions = 0
        self.calls_left, self.refilled_at = calls_left, now
        self.waiting: deque[Future[None]] = deque()

    def wake_next(self) -> None:
        """Wakes the one that has waited longest."""
        while self.waiting:
            waiting = self.waiting.popleft()
            if not waiting.done():
                return waiting.set_result(None)
        return None


class ClientLimits:
    """Counts what clients have in flight. Used by one event loop."""

    def __init__(self, limits: LimitsPerClient, clock: Callable[[], float] = monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._clients: dict[object, _ClientUsage] = {}

    @asynccontextmanager
    async def count_call(self, name: object) -> AsyncGenerator[TooManyCalls | None]:
        """Counts a call of a client inside the block; yields why it must be refused, or None."""
        client = self._usage_of(name)
        refusal = await self._wait_for_room(client, self._exceeded_call_limit)
        if refusal:
            yield refusal
            return
        client.calls += 1
        client.calls_left -= 1
        try:
            yield None
        finally:
            client.calls -= 1
            client.wake_next()

    @asynccontextmanager
    async def count_conversion(self, name: object) -> AsyncGenerator[None]:
        """Counts a conversion of a client inside the block; raises TooManyCalls."""
        client = self._usage_of(name)
        refusal = await self._wait_for_room(client, self._exceeded_conversion_limit)
        if refusal:
            raise refusal
        client.conversions += 1
        try:
            yield
        finally:
            client.conversions -= 1
            client.wake_next()

    def _usage_of(self, name: object) -> _ClientUsage:
        client = self._clients.get(name)
        if client is None:
            self._forget_idle_clients()
            client = self._clients[name] = _ClientUsage(self._limits.minute, self._clock())
        return client

    def _forget_idle_clients(self) -> None:
        """Forgets clients that have nothing in flight and could not be refused, once there are many."""
        if len(self._clients) < MAX_IDLE_CLIENTS:
            return
        for name, client in list(self._clients.items()):
            self._refill(client)
            if not client.calls and not client.waiting and client.calls_left >= self._limits.minute:
                del self._clients[name]

    async def _wait_for_room(
        self, client: _ClientUsage, exceeded_limit: Callable[[_ClientUsage], tuple[str, float]]
    ) -> TooManyCalls | None:
        """Waits until there is room, or returns why there is none."""
        until = self._clock() + PATIENCE_S
        while True:
            limit, seconds = exceeded_limit(client)
            if not limit:
                return None
            left = until - self._clock()
            if left <= 0:
                return TooManyCalls(limit, max(1, ceil(seconds)))
            await _wait_until_woken(client.waiting, min(left, seconds))

    def _exceeded_call_limit(self, client: _ClientUsage) -> tuple[str, float]:
        """Returns the limit that one call more would exceed, empty for none, and in how many seconds to try again."""
        if client.calls >= self._limits.calls:
            return "calls in flight", PATIENCE_S
        self._refill(client)
        if client.calls_left < 1:
            return "calls a minute", (1 - client.calls_left) * MINUTE_S / self._limits.minute
        return "", 0.0

    def _exceeded_conversion_limit(self, client: _ClientUsage) -> tuple[str, float]:
        """Returns the same for one conversion more."""
        return ("conversions in flight", PATIENCE_S) if client.conversions >= self._limits.conversions else ("", 0.0)

    def _refill(self, client: _ClientUsage) -> None:
        """Gives a client back the calls that the time since the last refill is worth."""
        now, minute = self._clock(), self._limits.minute
        if minute < inf:
            client.calls_left = min(minute, client.calls_left + (now - client.refilled_at) * minute / MINUTE_S)
        client.refilled_at = now


async def _wait_until_woken(waiting: deque[Future[None]], seconds: float) -> None:
    """Waits until somebody wakes the waiting, but no longer than some seconds."""
    loop = get_running_loop()
    woken: Future[None] = loop.create_future()
    timer = loop.call_later(seconds + 0.001, lambda: woken.done() or woken.set_result(None))
    waiting.append(woken)
    try:
        await woken
    finally:
        timer.cancel()
        if woken in waiting:
            waiting.remove(woken)
