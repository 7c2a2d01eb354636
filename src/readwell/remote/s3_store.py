"""Buckets of S3, of services that speak its protocol, and of Google: signed requests, pages of keys."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from time import gmtime, strftime

from ..deadline import Deadline
from ..named_tuple import NamedTuple
from .credentials import AwsCredentials
from .http_request import Request
from .http_store import HttpStore, quoted_path, quoted_query
from .key_pages import parse_s3_page
from .sockets import Endpoint
from .store_contract import ListedEntry

NO_BODY = hashlib.sha256(b"").hexdigest()
PAGE = 1000


class UnsignedRequest(NamedTuple):
    """What a signature is about."""

    method: str
    path: str
    """Quoted."""
    query: str
    """Quoted, in the order of its names."""
    host: str
    headers: Mapping[str, str]


Signer = Callable[[UnsignedRequest, Deadline], Mapping[str, str]]
"""Returns the headers that say who asks."""


class ObjectStore(HttpStore):
    """A bucket. `base` is the path of its keys on the server, `/` or `/bucket/`; `sign` adds who asks."""

    can_list = True

    def __init__(self, endpoint: Endpoint, base: str, sign: Signer, headers: Mapping[str, str]) -> None:
        super().__init__(endpoint, base)
        self._sign, self._more = sign, headers

    def entries(self, folder: str, deadline: Deadline, name_prefix: str = "") -> Iterator[ListedEntry]:
        """Yields the entries of a folder, page by page."""
        query = {"list-type": "2", "delimiter": "/", "encoding-type": "url", "max-keys": str(PAGE)}
        query["prefix"] = folder + name_prefix
        return self._list_pages(
            query, "continuation-token", lambda content: parse_s3_page(content, folder, deadline), deadline
        )

    def _request(
        self, method: str, key: str, query: Mapping[str, str], headers: Mapping[str, str], most: int, deadline: Deadline
    ) -> Request:
        """Returns a signed request."""
        request = super()._request(method, key, query, {**headers, **self._more}, most, deadline)
        unsigned = UnsignedRequest(
            method=method,
            path=quoted_path(f"{self._base}{key}"),
            query=quoted_query(query),
            host=self._pool.endpoint.host_header,
            headers=request.headers,
        )
        return request._replace(headers={**request.headers, **self._sign(unsigned, deadline)})


def aws_signature_headers(
    request: UnsignedRequest, credentials: AwsCredentials, region: str, now: float, body_hash: str = NO_BODY
) -> dict[str, str]:
    """Returns the headers of AWS's signature, version 4; `body_hash` is that of the request's body."""
    moment = strftime("%Y%m%dT%H%M%SZ", gmtime(now))
    signed = {"host": request.host, "x-amz-content-sha256": body_hash, "x-amz-date": moment}
    if credentials.token:
        signed["x-amz-security-token"] = credentials.token
    names = ";".join(sorted(signed))
    lines = [f"{name}:{signed[name]}" for name in sorted(signed)]
    canonical = "\n".join([request.method, request.path, request.query, *lines, "", names, body_hash])
    scope = f"{moment[:8]}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", moment, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{credentials.secret}".encode()
    for part in (moment[:8], region, "s3", "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    del signed["host"]
    name = f"AWS4-HMAC-SHA256 Credential={credentials.key}/{scope}, SignedHeaders={names}, Signature={signature}"
    return {**signed, "Authorization": name}
