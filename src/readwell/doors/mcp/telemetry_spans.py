"""OpenTelemetry spans of calls: one a call, without content, and without paths unless a setting wants them.

Loaded only where the process has a tracer provider, such as under `opentelemetry-instrument`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from mcp.server import ServerRequestContext
from opentelemetry.context import Context
from opentelemetry.propagate import extract
from opentelemetry.trace import SpanKind, StatusCode, get_tracer

from ... import __version__
from ...model import Reply
from .metrics import outcome_of, tokens_of

PATH_PARAMS = ("path", "filePath", "paths")


class CallSpans:
    """Makes the span of each call; `with_paths` adds the path that was asked for."""

    def __init__(self, with_paths: bool) -> None:
        self._tracer, self._with_paths = get_tracer("readwell", __version__), with_paths

    @contextmanager
    def span_of_call(
        self, tool: str, dialect: str, params: object, context: ServerRequestContext[Any, Any], client: str | None
    ) -> Generator[Callable[[Reply], None]]:
        """Makes a span of the block; yields the function that is told the reply."""
        attributes = {"mcp.method.name": context.method, "gen_ai.tool.name": tool, "readwell.dialect": dialect}
        if client:
            attributes["readwell.client"] = client
        if self._with_paths and (path := _asked_path(params)):
            attributes["readwell.path"] = path
        with self._tracer.start_as_current_span(
            f"{context.method} {tool}",
            _parent_trace(context),
            SpanKind.SERVER,
            attributes,
            record_exception=False,  # the text of an exception may quote a path
            set_status_on_exception=False,
        ) as span:

            def answered(reply: Reply) -> None:
                outcome = outcome_of(reply)
                span.set_attribute("readwell.outcome", outcome)
                span.set_attribute("readwell.reply.bytes", len(reply.text.encode(errors="surrogatepass")))
                span.set_attribute("readwell.reply.tokens", tokens_of(reply))
                if reply.is_error:
                    span.set_attribute("error.type", outcome)
                    span.set_status(StatusCode.ERROR)

            try:
                yield answered
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise


def _parent_trace(context: ServerRequestContext[Any, Any]) -> Context | None:
    """Returns the trace that the caller belongs to: by the message, or by the HTTP request."""
    meta = context.meta or {}
    carrier = {key: value for key in ("traceparent", "tracestate") if isinstance(value := meta.get(key), str)}
    if not carrier and context.request is not None:
        carrier = dict(context.request.headers)
    return extract(carrier) if "traceparent" in carrier else None


def _asked_path(params: object) -> str:
    if not isinstance(params, Mapping):
        return ""
    asked = next((params[name] for name in PATH_PARAMS if params.get(name)), "")  # pyright: ignore - checked below
    return asked if isinstance(asked, str) else ", ".join(map(str, asked)) if isinstance(asked, list) else ""  # pyright: ignore
