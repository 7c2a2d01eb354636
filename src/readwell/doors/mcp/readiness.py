"""Whether a server can answer: a trial conversion, made again from time to time."""

from __future__ import annotations

from asyncio import Lock, get_running_loop
from collections.abc import Callable

from ...errors import ReadError

CHECKED_EVERY_S = 15.0


class Readiness:
    """Says whether the server is ready, and why not. Used by one event loop."""

    def __init__(self, try_conversion: Callable[[], None]) -> None:
        """`try_conversion` raises a ReadError where no document can be converted; it runs in a thread."""
        self._try_conversion = try_conversion
        self._checking = Lock()
        self._problem, self._checked_at = "starting", float("-inf")
        self.is_draining = False

    async def find_problem(self) -> str | None:
        """Returns why the server is not ready; None if it is."""
        loop = get_running_loop()
        async with self._checking:
            if not self.is_draining and loop.time() - self._checked_at > CHECKED_EVERY_S:
                self._problem = await loop.run_in_executor(None, self._conversion_problem) or ""
                self._checked_at = loop.time()
        return "draining" if self.is_draining else self._problem or None

    def _conversion_problem(self) -> str | None:
        try:
            self._try_conversion()
        except ReadError as error:
            return f"documents cannot be converted: {error}"
        return None
