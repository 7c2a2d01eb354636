"""Containers of Azure Blob Storage."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from email.utils import formatdate
from urllib.parse import parse_qsl

from ..deadline import Deadline
from .credentials import Secret, Token
from .http_request import Request
from .http_store import HttpStore, quoted_path, quoted_query
from .key_pages import parse_azure_page
from .sockets import Endpoint
from .store_contract import ListedEntry

PROTOCOL = "2021-12-02"


class AzureAccount(Secret):
    """An account and how it is asked: by its key, by a shared access signature, by a token, or as the public."""

    def __init__(
        self, name: str, key: str = "", signature: str = "", token: Callable[[Deadline], Token] | None = None
    ) -> None:
        self.name, self._key, self._token = name, b64decode(key, validate=True), token
        self.query = dict(parse_qsl(signature.lstrip("?"), keep_blank_values=True))

    def credential_headers(
        self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str], deadline: Deadline
    ) -> dict[str, str]:
        """Returns the headers that say who asks; `path` is quoted, `query` is not."""
        own = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": PROTOCOL}
        if self._key:
            text = self._text_to_sign(method, path, query, {**headers, **own})
            digest = hmac.digest(self._key, text.encode(), "sha256")
            own["Authorization"] = f"SharedKey {self.name}:{b64encode(digest).decode()}"
        elif self._token and not self.query and (token := self._token(deadline).text):
            own["Authorization"] = f"Bearer {token}"
        return own

    def _text_to_sign(self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> str:
        """Returns what is signed of a request, as the protocol prescribes."""
        plain = ("Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date")
        conditions = ("If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range")
        lines = [method, *(headers.get(name, "") for name in (*plain, *conditions))]
        lines += [f"{name}:{headers[name]}" for name in sorted(headers) if name.startswith("x-ms-")]
        lines += [f"/{self.name}{path}", *(f"{name}:{query[name]}" for name in sorted(query))]
        return "\n".join(lines)


class AzureStore(HttpStore):
    """A container. `base` is the path of its blobs on the server, such as `/container/`."""

    can_list = True

    def __init__(self, endpoint: Endpoint, base: str, account: AzureAccount) -> None:
        super().__init__(endpoint, base)
        self._account = account

    def entries(self, folder: str, deadline: Deadline, name_prefix: str = "") -> Iterator[ListedEntry]:
        """Yields the entries of a folder, page by page."""
        query = {"restype": "container", "comp": "list", "delimiter": "/", "prefix": folder + name_prefix}
        return self._list_pages(query, "marker", lambda content: parse_azure_page(content, folder, deadline), deadline)

    def _request(
        self, method: str, key: str, query: Mapping[str, str], headers: Mapping[str, str], most: int, deadline: Deadline
    ) -> Request:
        """Returns a signed request."""
        path = quoted_path(f"{self._base}{key}" if key else self._base.rstrip("/"))
        request = super()._request(method, key, {}, headers, most, deadline)
        signed = self._account.credential_headers(method, path, query, request.headers, deadline)
        whole = {**query, **self._account.query}
        target = f"{path}?{quoted_query(whole)}" if whole else path
        return request._replace(target=target, headers={**request.headers, **signed})
