"""Remote roots by name: what `s3://bucket/prefix` and its like mean, and the store behind each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from time import time
from urllib.parse import unquote, urlsplit

from ..deadline import Deadline
from ..model import FsspecRoot
from ..named_tuple import NamedTuple
from ..path_names import is_remote_root
from ..policy import Denials
from ..source import Opener
from ..source.routes import Route, RoutedOpener
from .credentials import RenewedCredentials, Token, aws_credentials, azure_token, google_token
from .fsspec_store import FsspecStore
from .http_store import HttpStore
from .open_root import RemoteRoot
from .remote_opener import RemoteOpener
from .s3_store import ObjectStore, UnsignedRequest, aws_signature_headers
from .sdk_settings import aws_profile, first_set_variable
from .sockets import Endpoint
from .store_contract import Store

BUCKET = r"[A-Za-z0-9][A-Za-z0-9._-]{1,221}"
HOST = r"[A-Za-z0-9._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]"
ACCOUNT = r"[a-z0-9]{3,24}"


class ParsedAddress(NamedTuple):
    """A root as it was written: the scheme, the bucket or server, the path below it without slashes at its ends."""

    scheme: str
    host_or_bucket: str
    path: str


def remote_opener(roots: Sequence[str | FsspecRoot], denials: Denials, takes_relative: bool) -> RemoteOpener:
    """Returns the opener of remote roots; raises ValueError for one that is invalid. Sends nothing.

    `takes_relative`: relative paths are below the first of them.
    """
    return RemoteOpener([_parse_root(root) for root in roots], denials, takes_relative)


def opener_with_remote_roots(disk: Opener, roots: Sequence[str | FsspecRoot], denials: Denials) -> Opener:
    """Returns the opener of remote roots, beside `disk` where some roots are directories; raises ValueError."""
    is_remote = [not isinstance(root, str) or is_remote_root(root) for root in roots]
    remote = remote_opener(
        [root for root, far in zip(roots, is_remote, strict=True) if far], denials, takes_relative=is_remote[0]
    )
    return remote if all(is_remote) else RoutedOpener([Route(remote.matches, remote)], disk)


def _parse_root(given: str | FsspecRoot) -> RemoteRoot:
    """Returns a root by its address; raises ValueError for an invalid one."""
    if isinstance(given, FsspecRoot):
        return _fsspec_root(given)
    parsed = _parse_address(given)
    make = STORES[parsed.scheme]
    is_web = parsed.scheme in ("http", "https")
    prefix = "" if is_web or not parsed.path else f"{parsed.path}/"
    address = f"{parsed.scheme}://{parsed.host_or_bucket}/{parsed.path}".rstrip("/")
    return RemoteRoot(given, address, prefix, make(parsed))


def _fsspec_root(given: FsspecRoot) -> RemoteRoot:
    """Returns the root of a file system that a caller brings."""
    protocol = getattr(given.filesystem, "protocol", "fsspec")
    name = protocol if isinstance(protocol, str) else next(iter(protocol), "fsspec")
    path = _checked_path(given.path, given.path)
    address = f"fsspec://{name}/{path}".rstrip("/")
    leading = "/" if given.path.startswith("/") else ""
    prefix = f"{leading}{path}/" if path else leading
    return RemoteRoot(address, address, prefix, FsspecStore(given.filesystem, prefix))


def _parse_address(given: str) -> ParsedAddress:
    """Reads an address; raises ValueError, which does not repeat what may be a password."""
    scheme = given.partition("://")[0]
    if re.search(r"[\0-\x1f\x7f]", given):  # some of which would be dropped without a word
        raise ValueError(f"the root is no valid {scheme}:// address")
    try:
        parts = urlsplit(given, allow_fragments=True)
        port = parts.port
    except ValueError:
        raise ValueError(f"the root is no valid {scheme}:// address") from None
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise ValueError(f"a root must not contain user info: {scheme}://…; credentials come from the environment")
    if "?" in given or "#" in given:
        raise ValueError(f"a root must not contain a query or a fragment: {scheme}://…")
    host = parts.netloc if port is None else parts.netloc.rpartition(":")[0]
    is_web = scheme in ("http", "https")
    if (
        not re.fullmatch(HOST if is_web else BUCKET, host, re.ASCII)
        or ".." in host
        or (port is not None and not is_web)
    ):
        what = "server" if is_web else "bucket"
        wrong = f"has no valid name of a {what}" if host else f"names no {what}"
        raise ValueError(f"the root {wrong}: {given!r}")
    path = unquote(parts.path, errors="strict") if is_web else parts.path
    return ParsedAddress(scheme, parts.netloc, _checked_path(path, given))


def _checked_path(path: str, given: str) -> str:
    """Returns the path of a root; raises ValueError for one that is not plain."""
    names = path.strip("/").split("/") if path.strip("/") else []
    if any(name in ("", ".", "..") or re.search(r"[\0-\x1f\x7f\\]", name) for name in names):
        raise ValueError(f"the path of a root must be plain: {given!r}")
    return "/".join(names)


def parse_endpoint(address: str) -> tuple[Endpoint, str]:
    """Returns the server of an `http(s)://` address and the path on it, with a slash at its end."""
    if not address.startswith(("http://", "https://")):
        raise ValueError("an endpoint begins with http:// or https://")
    return _endpoint_and_path(_parse_address(address))


def _endpoint_and_path(parsed: ParsedAddress) -> tuple[Endpoint, str]:
    """Returns the endpoint of a web address and the path on it."""
    parts = urlsplit(f"//{parsed.host_or_bucket}")
    secure = parsed.scheme == "https"
    endpoint = Endpoint(secure, parts.hostname or "", parts.port or (443 if secure else 80))
    return endpoint, f"/{parsed.path}/" if parsed.path else "/"


def _web_store(parsed: ParsedAddress) -> Store:
    """Returns the store of an HTTP root."""
    return HttpStore(*_endpoint_and_path(parsed))


def _s3_store(parsed: ParsedAddress) -> Store:
    """Returns the store of an S3 root, with the endpoint and region of the environment."""
    profile = aws_profile()
    region = first_set_variable("AWS_REGION", "AWS_DEFAULT_REGION") or profile.get("region", "") or "us-east-1"
    if not re.fullmatch(r"[A-Za-z0-9-]{1,40}", region, re.ASCII):
        raise ValueError("AWS_REGION is no region")
    given = first_set_variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") or profile.get("endpoint_url", "")
    if given:
        endpoint, path = parse_endpoint(given)
        base = f"{path}{parsed.host_or_bucket}/"
    elif "." in parsed.host_or_bucket:
        endpoint, base = Endpoint(True, f"s3.{region}.{_aws_domain(region)}", 443), f"/{parsed.host_or_bucket}/"
    else:
        endpoint, base = Endpoint(True, f"{parsed.host_or_bucket}.s3.{region}.{_aws_domain(region)}", 443), "/"
    find = RenewedCredentials(aws_credentials)

    def sign(request: UnsignedRequest, deadline: Deadline) -> dict[str, str]:
        credentials = find(deadline)
        return aws_signature_headers(request, credentials, region, time()) if credentials.key else {}

    return ObjectStore(endpoint, base, sign, {})


def _aws_domain(region: str) -> str:
    """Returns the domain of a region."""
    return "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"


def _google_store(parsed: ParsedAddress) -> Store:
    """Returns the store of a Google root."""
    given = first_set_variable("STORAGE_EMULATOR_HOST")
    if given and "://" not in given:
        given = f"http://{given}"
    endpoint, path = parse_endpoint(given or "https://storage.googleapis.com")
    # What a login gives is sent to Google alone.
    find = RenewedCredentials(partial(google_token, not given))

    def sign(_request: UnsignedRequest, deadline: Deadline) -> dict[str, str]:
        token: Token = find(deadline)
        return {"Authorization": f"Bearer {token.text}"} if token.text else {}

    # Otherwise Google unpacks what was stored packed, and ranges are ignored.
    return ObjectStore(endpoint, f"{path}{parsed.host_or_bucket}/", sign, {"Accept-Encoding": "gzip"})


def _azure_store(parsed: ParsedAddress) -> Store:
    """Returns the store of an Azure root, with the account of the environment."""
    from .azure_store import AzureAccount, AzureStore

    told = dict(
        part.split("=", 1) for part in first_set_variable("AZURE_STORAGE_CONNECTION_STRING").split(";") if "=" in part
    )
    name = first_set_variable("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME") or told.get("AccountName", "")
    if not re.fullmatch(ACCOUNT, name, re.ASCII):
        raise ValueError("an az:// root needs the name of the account in AZURE_STORAGE_ACCOUNT")
    key = first_set_variable("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY") or told.get("AccountKey", "")
    signature = first_set_variable("AZURE_STORAGE_SAS_TOKEN") or told.get("SharedAccessSignature", "")
    given = first_set_variable("AZURE_STORAGE_ENDPOINT") or told.get("BlobEndpoint", "")
    endpoint, path = parse_endpoint(given or f"https://{name}.blob.core.windows.net")
    try:
        account = AzureAccount(name, key, signature, RenewedCredentials(azure_token))
    except ValueError:
        raise ValueError("AZURE_STORAGE_KEY is no key: it is not written in base64") from None
    return AzureStore(endpoint, f"{path}{parsed.host_or_bucket}/", account)


STORES: dict[str, Callable[[ParsedAddress], Store]] = {
    "http": _web_store,
    "https": _web_store,
    "s3": _s3_store,
    "gs": _google_store,
    "az": _azure_store,
}
