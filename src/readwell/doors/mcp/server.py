"""The MCP request handlers: tools of dialects, and files as resources."""

from __future__ import annotations

from asyncio import to_thread
from time import perf_counter
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError

from ... import __version__
from ...model import Reply
from ...toolspec import ToolSpec
from .executors import CallExecutors, SendProgress
from .metrics import Metrics
from .results import (
    APPS,
    FILES,
    LEDGER_APP,
    LEDGER_URI,
    as_app,
    as_contents,
    as_result,
    as_root,
    as_tool,
    instructions,
    no_such_tool,
    params_of,
)
from .server_config import ServerConfig


def make_server(config: ServerConfig, executors: CallExecutors, metrics: Metrics | None = None) -> Server[Any]:
    """Returns a server for any transport; `executors` run its calls, `metrics` count them."""
    handlers = _Handlers(config, executors, metrics or Metrics(config.behind, executors.waiting))
    server = Server(
        "readwell",
        version=__version__,
        title="readwell",
        instructions=instructions(config.roots, [spec.name for spec in config.tools]),
        get_tool_input_schema={spec.name: spec.schema for spec in config.tools}.get,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_prompts=handlers.list_prompts,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )
    # Replaces the SDK's tracing, which costs time in every call and has no consumer here.
    server.middleware = [handlers.keep_schemas]
    if config.ledger:
        server.extensions = APPS
    return server


class _Handlers:
    def __init__(self, config: ServerConfig, executors: CallExecutors, metrics: Metrics) -> None:
        self._config, self._executors, self._metrics = config, executors, metrics
        self._specs = {spec.name: spec for spec in config.tools}
        self._tools = types.ListToolsResult(tools=[as_tool(spec, config.structured) for spec in config.tools])

    async def list_tools(self, _context: ServerRequestContext, _params: object) -> types.ListToolsResult:
        return self._tools

    async def keep_schemas(self, ctx: ServerRequestContext, call_next: CallNext) -> HandlerResult:
        """Restores the order of keys in the schemas, which the SDK changes."""
        result = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(result, dict):
            for tool in result["tools"]:
                tool["inputSchema"] = self._specs[tool["name"]].schema
        return result

    async def call_tool(
        self, context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        spec = self._specs.get(params.name)
        if spec is None:
            return no_such_tool(params.name, self._specs)
        reply = await self._reply(spec, params.arguments or {}, context)
        return as_result(reply, self._config, spec)

    async def list_prompts(self, _context: ServerRequestContext, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[])

    async def list_resources(self, _context: ServerRequestContext, _params: object) -> types.ListResourcesResult:
        roots = [as_root(root) for root in self._config.roots]
        return types.ListResourcesResult(resources=[*roots, LEDGER_APP] if self._config.ledger else roots)

    async def list_templates(
        self, _context: ServerRequestContext, _params: object
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[FILES])

    async def read_resource(
        self, context: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        if params.uri == LEDGER_URI and self._config.ledger:
            return as_app(await to_thread(self._config.ledger.page, app=True))
        reply = await self._reply(self._config.resources, params_of(params.uri), context)
        if reply.is_error:
            raise MCPError(types.INVALID_PARAMS, reply.text, {"uri": params.uri, **reply.data})
        return as_contents(params.uri, reply, self._config)

    async def _reply(self, spec: ToolSpec, params: object, context: ServerRequestContext) -> Reply:
        began = perf_counter()
        with self._metrics.call_in_flight():
            reply = await self._executors.reply(spec, params, _progress_sender(context), _caller_of(context))
        self._metrics.count(spec.name, self._config.dialects.get(spec.name, ""), reply, perf_counter() - began)
        return reply


def _progress_sender(context: ServerRequestContext) -> SendProgress | None:
    """Returns a function that sends progress notifications, if the caller asked for them."""
    wanted = context.meta is not None and context.meta.get("progress_token") is not None
    return context.session.report_progress if wanted else None


def _caller_of(context: ServerRequestContext) -> str | None:
    """Returns the name of the client, if it introduced itself."""
    introduced = context.session.client_params
    return introduced.client_info.name if introduced else None
