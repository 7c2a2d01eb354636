"""`CallRunner`, which runs one call of a tool: parse, handle, render within the token budget, record."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from .deadline import Deadline
from .dialects.dialect import DialectTool
from .engine import Handler, Resources
from .errors import ReadError
from .light_typing import TYPE_CHECKING, Any
from .model import Call, Reply, Root
from .named_tuple import NamedTuple

if TYPE_CHECKING:
    from .audit import Recorder

MAX_CUTS = 4  # how often a window is cut again to keep a budget

Render = Callable[[Any, Call], Reply]
"""Renders the reply to a result."""


class ReplyAndResult(NamedTuple):
    """The reply to a call, and the result that it shows."""

    reply: Reply
    result: Any


class CallRunner(NamedTuple):
    """Runs calls with the handlers and resources of a tool; replies name `roots`, `clock` gives seconds."""

    handlers: Mapping[type, Handler]
    resources: Resources
    roots: tuple[Root, ...]
    clock: Callable[[], float]

    def answer(
        self,
        tool: DialectTool,
        params: object,
        deadline: Deadline,
        began: float,
        render: Render,
        recorder: Recorder | None,
    ) -> ReplyAndResult:
        """Runs one call, and records it."""
        if recorder is None:
            return self._reply_within_budget(tool, tool.parse(params), params, deadline, began, render)
        path: str | None = None
        try:
            request = tool.parse(params)
            path = request.path
            answer = self._reply_within_budget(tool, request, params, deadline, began, render)
        except ReadError as error:
            recorder.record_failure((tool.name, deadline.caller, began, path or tool.path_in(params)), error)
            raise
        recorder.record_answer((tool.name, deadline.caller, began, path), *answer)
        return answer

    def _reply_within_budget(
        self, tool: DialectTool, request: Any, params: object, deadline: Deadline, began: float, render: Render
    ) -> ReplyAndResult:
        """Handles a request and renders the reply; asks for less as long as the reply exceeds its token budget."""
        handle = self.handlers[type(request)]
        result = handle(request, tool.rules, self.resources, deadline)
        reply = render(result, self.describe_call(params, began))
        cuts = 0
        while reply.excess > 0 and cuts < MAX_CUTS:
            cuts += 1
            request = request._replace(limits=request.limits._replace(tokens=request.limits.tokens - reply.excess))
            result = handle(request, tool.rules, self.resources, deadline)
            reply = render(result, self.describe_call(params, began))
        return ReplyAndResult(reply, result)

    def describe_call(self, params: object, began: float) -> Call:
        """Returns what a dialect is told of a call: its params, how long it has taken, where paths start."""
        elapsed_ms = int((self.clock() - began) * 1000)
        return Call(params, elapsed_ms, self.resources.opener.cwd, self.roots, _random_mark)


def render_nothing(_result: object, _call: Call) -> Reply:
    """Renders an empty reply, for callers that want the result alone."""
    return Reply("", {})


def _random_mark() -> str:
    return os.urandom(4).hex()
