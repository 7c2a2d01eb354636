"""The MCP request handlers: tools of dialects, files as resources, and which visit of a client a request is of."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError

from ... import __version__
from ...model import Reply
from ...toolspec import ToolSpec
from .executors import CallExecutors, SendProgress
from .mcp_results import (
    APPS,
    FILES,
    LEDGER_APP,
    LEDGER_URI,
    as_ledger_app,
    as_resource_contents,
    as_result,
    as_tool,
    no_such_tool_result,
    params_of_uri,
    root_as_resource,
    server_instructions,
)
from .metrics import Metrics
from .server_config import VISIT, ServerConfig

if TYPE_CHECKING:
    from .request_admission import Visit
    from .telemetry_spans import CallSpans

WITHDRAWN = "The token of this call was withdrawn or has expired. Ask for another one."


def make_server(config: ServerConfig, executors: CallExecutors, metrics: Metrics | None = None) -> Server[Any]:
    """Returns a server for any transport; `executors` run its calls, `metrics` count them."""
    handlers = _Handlers(config, executors, metrics or Metrics(config.backing_tools, executors.waiting_count))
    server = Server(
        "readwell",
        version=__version__,
        title="readwell",
        instructions=server_instructions(config.roots, [spec.name for spec in config.tools]),
        get_tool_input_schema={spec.name: spec.schema for spec in config.tools}.get,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_prompts=handlers.list_prompts,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )
    # Replaces the SDK's tracing, which costs time in every call and has no consumer here.
    server.middleware = [handlers.adjust_answers]
    if config.ledger:
        server.extensions = APPS
    return server


class _Handlers:
    def __init__(self, config: ServerConfig, executors: CallExecutors, metrics: Metrics) -> None:
        self._config, self._executors, self._metrics = config, executors, metrics
        self._specs = {spec.name: spec for spec in config.tools}
        self._tools = types.ListToolsResult(tools=[as_tool(spec, config.structured) for spec in config.tools])
        self._spans = _call_spans(config.span_paths)
        self._confined: dict[Sequence[str], ServerConfig] = {}

    async def list_tools(self, _context: ServerRequestContext, _params: object) -> types.ListToolsResult:
        return self._tools

    async def adjust_answers(self, ctx: ServerRequestContext, call_next: CallNext) -> HandlerResult:
        """Restores the order of keys in the schemas, which the SDK changes; names only roots of the caller."""
        result = await call_next(ctx)
        if isinstance(result, dict) and "instructions" in result:
            config = self._config_for(visit_of(ctx))
            result["instructions"] = server_instructions(config.roots, list(self._specs))
        if ctx.method == "tools/list" and isinstance(result, dict):
            for tool in result["tools"]:
                tool["inputSchema"] = self._specs[tool["name"]].schema
        return result

    async def call_tool(
        self, context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        config = self._config_for(visit_of(context))
        spec = next((spec for spec in config.tools if spec.name == params.name), None)
        if spec is None:
            return no_such_tool_result(params.name, self._specs)
        reply = await self._reply(spec, params.arguments or {}, context)
        return as_result(reply, config, spec)

    async def list_prompts(self, _context: ServerRequestContext, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[])

    async def list_resources(self, context: ServerRequestContext, _params: object) -> types.ListResourcesResult:
        config = self._config_for(visit_of(context))
        roots = [root_as_resource(root) for root in config.roots]
        return types.ListResourcesResult(resources=[*roots, LEDGER_APP] if config.ledger else roots)

    async def list_templates(
        self, _context: ServerRequestContext, _params: object
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[FILES])

    async def read_resource(
        self, context: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        config = self._config_for(visit_of(context))
        if params.uri == LEDGER_URI and config.ledger:
            return as_ledger_app(await to_thread(config.ledger.page, app=True))
        reply = await self._reply(config.resource_reader, params_of_uri(params.uri), context)
        if reply.is_error:
            raise MCPError(types.INVALID_PARAMS, reply.text, {"uri": params.uri, **reply.data})
        return as_resource_contents(params.uri, reply, config)

    async def _reply(self, spec: ToolSpec, params: object, context: ServerRequestContext) -> Reply:
        if self._spans is None:
            return await self._counted_reply(spec, params, context)
        visit, dialect = visit_of(context), self._config.dialect_by_tool.get(spec.name, "")
        client = visit.caller.name if visit else None
        with self._spans.span_of_call(spec.name, dialect, params, context, client) as answered:
            reply = await self._counted_reply(spec, params, context)
            answered(reply)
            return reply

    async def _counted_reply(self, spec: ToolSpec, params: object, context: ServerRequestContext) -> Reply:
        visit, caller = visit_of(context), _caller_of(context)
        began = perf_counter()
        with self._metrics.call_in_flight():
            if visit and visit.refusal:
                reply = spec.refuse(params, visit.refusal, caller)
            else:
                reply = await self._executors.reply(spec, params, _progress_sender(context), caller, visit)
        name = visit.caller.name if visit else None
        dialect = self._config.dialect_by_tool.get(spec.name, "")
        self._metrics.count(spec.name, dialect, reply, perf_counter() - began, name)
        if visit:
            visit.end_turn()
            if visit.is_withdrawn:
                raise MCPError(types.INVALID_REQUEST, WITHDRAWN)
        return reply

    def _config_for(self, visit: Visit | None) -> ServerConfig:
        """Returns what the caller is served: less where its token is tied to some of the roots."""
        roots = visit.caller.roots if visit else None
        if roots is None or not self._config.confined_to:
            return self._config
        if roots not in self._confined:
            self._confined[roots] = self._config.confined_to(roots)
        return self._confined[roots]


def visit_of(context: ServerRequestContext) -> Visit | None:
    """Returns the visit that a request belongs to; None on stdio."""
    return context.request.scope.get(VISIT) if context.request is not None else None


def _call_spans(with_paths: bool) -> CallSpans | None:
    """Returns what makes spans, if this process has a tracer provider; the SDK has loaded the interface of it."""
    from opentelemetry import trace

    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return None
    from .telemetry_spans import CallSpans

    return CallSpans(with_paths)


def _progress_sender(context: ServerRequestContext) -> SendProgress | None:
    """Returns a function that sends progress notifications, if the caller asked for them."""
    wanted = context.meta is not None and context.meta.get("progress_token") is not None
    return context.session.report_progress if wanted else None


def _caller_of(context: ServerRequestContext) -> str | None:
    """Returns the name of the token's owner, or else of the client, if it introduced itself."""
    visit = visit_of(context)
    if visit and visit.caller.name:
        return visit.caller.name
    introduced = context.session.client_params
    return introduced.client_info.name if introduced else None
