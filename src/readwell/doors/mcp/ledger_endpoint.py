"""The HTTP endpoint `/ledger`: login by token, then the page of the live report, or its data."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest, digest
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from .http_callers import Caller, Callers

if TYPE_CHECKING:
    from .live_report import LiveReport

LEDGER, LEDGER_DATA = "/ledger", "/ledger/data"
COOKIE = "readwell-ledger"
MAX_FORM_BYTES = 4096
DAY_S = 86400
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",  # with less, a browser hides the origin of its own form
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;"
    "margin:15vh auto;padding:0 1rem}"
    "input,button{font:inherit;padding:.4rem .7rem}input{width:100%;box-sizing:border-box;margin:.3rem 0 .8rem}"
)
LOGIN = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>readwell</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>
<body><main><h1>What was read</h1><form method="post" action="/ledger"><label>The token of this server
<input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Show</button><p>{remark}</p></form></main></body></html>
"""
WRONG = "That is no token of this server that may see what others read."


class LedgerEndpoint:
    """An ASGI application for the paths of the ledger."""

    paths = (LEDGER, LEDGER_DATA)

    def __init__(self, ledger: LiveReport, callers: Callers, allowed: TransportSecuritySettings) -> None:
        self._ledger, self._callers, self._allowed = ledger, callers, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        response = self._refusal(request) or await self._response(request)
        response.headers.update(HEADERS)
        await response(scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        """Refuses other hosts and pages of others, as for `/mcp`: a browser could be led here."""
        origin = request.headers.get("origin")
        if request.headers.get("host") not in self._allowed.allowed_hosts:
            return Response("This host is not served here.", 421)
        if origin and origin not in self._allowed.allowed_origins:
            return Response("Only pages of this server may ask.", 403)
        return None

    async def _response(self, request: Request) -> Response:
        if request.url.path == LEDGER and request.method == "POST":
            return await self._log_in(request)
        if request.method != "GET":
            return Response("Use GET.", 405, {"Allow": "GET"})
        if not self._may_see_ledger(request):
            return _login_page("", 401)
        if request.url.path == LEDGER:
            return HTMLResponse(await asyncio.to_thread(self._ledger.page))
        return await self._data_response(request)

    async def _data_response(self, request: Request) -> Response:
        mark = f'"{await asyncio.to_thread(lambda: self._ledger.data_mark)}"'
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers={"ETag": mark})
        return Response(await asyncio.to_thread(self._ledger.page_data), media_type="application/json")

    def _may_see_ledger(self, request: Request) -> bool:
        caller = self._callers.of_headers(request.scope["headers"])
        return bool(caller and caller.sees_all) or self._has_valid_cookie(request.headers.getlist("cookie"))

    def _has_valid_cookie(self, cookies: Iterable[str]) -> bool:
        for cookie in cookies:
            try:
                sent = SimpleCookie(cookie).get(COOKIE)
            except CookieError:
                continue
            if sent and any(_is_cookie_of(caller, sent.value) for caller in self._callers.valid_callers()):
                return True
        return False

    async def _log_in(self, request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_FORM_BYTES:
                return _login_page(WRONG, 401)
        sent = parse_qs(body.decode(errors="replace")).get("token", [""])[0]
        caller = self._callers.of_token(sent)
        if not caller or not caller.sees_all:
            return _login_page(WRONG, 401)
        response = RedirectResponse(LEDGER, 303)
        response.set_cookie(COOKIE, _cookie_of(caller), max_age=DAY_S, path=LEDGER, httponly=True, samesite="strict")
        return response


def _cookie_of(caller: Caller) -> str:
    """Returns the cookie of a caller. It is not the token: whoever sees it can look at this page, and call no tool."""
    return digest(caller.digest, COOKIE.encode(), "sha256").hex()


def _is_cookie_of(caller: Caller, sent: str) -> bool:
    return caller.sees_all and compare_digest(sent.encode(errors="replace"), _cookie_of(caller).encode())


def _login_page(remark: str, status: int) -> Response:
    allowed = b64encode(sha256(STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{allowed}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    headers = {"Content-Security-Policy": policy, "WWW-Authenticate": 'Bearer realm="readwell"'}
    return HTMLResponse(LOGIN.format(style=STYLE, remark=remark), status, headers)
