"""Objects of an HTTP server, read in ranges; each answer is checked against what was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from errno import EIO
from urllib.parse import quote

from ..deadline import Deadline
from ..errors import ChangedWhileReading, InvalidRequest, NotFound, Unreadable
from ..named_tuple import NamedTuple
from .connection_pool import ConnectionPool
from .http_request import FullResponse, Request, failure_of, send_request
from .key_pages import MAX_OF_A_PAGE, ListingPage
from .sockets import Endpoint
from .store_contract import FetchedRange, ListedEntry, Version

CONTENT_RANGE = r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})"
TAG = r'(W/)?"[\x21\x23-\x7e\x80-\xff]{0,256}"'
NO_LISTING = "a file: an HTTP root cannot be listed"
ENCODED_TRAVERSAL = r"\\|%(00|2e|2f|5c)"
"""What some servers take for a part of a path, though it is quoted or no slash."""
PLAIN = "/-_.~"
"""What is not quoted in a path, beside letters and digits."""
AGENT = "readwell"


class HttpStore:
    """Files of an HTTP server below a path; it cannot be listed."""

    can_list = False

    def __init__(self, endpoint: Endpoint, base: str) -> None:
        self._pool = ConnectionPool(endpoint)
        self._base = base
        self.store_id = f"{'https' if endpoint.secure else 'http'}://{endpoint.host_header}{base}"

    def close(self) -> None:
        """Closes the connections that nobody uses."""
        self._pool.close()

    def fetch(self, key: str, start: int, count: int, known: Version | None, deadline: Deadline) -> FetchedRange:
        """Returns a range of an object; raises a ReadError for an answer that is anything else."""
        self._refuse_encoded_traversal(key)
        headers = {"Range": f"bytes={start}-{start + count - 1}"}
        if known and known.tag.startswith('"'):
            headers["If-Match"] = known.tag
        answer = self._send("GET", key, headers, count, deadline)
        if answer.status == 206 and answer.headers.get("content-length") != "0":
            fetched = FetchedRange(answer.content, _version(answer, _checked_range(answer, start, count).total))
            if known and fetched.version != known:
                raise ChangedWhileReading
            return fetched
        return FetchedRange(b"", self._version_of_empty(answer, key, known, deadline))

    def version_of(self, key: str, deadline: Deadline) -> Version:
        """Returns the version that the server tells without the content."""
        self._refuse_encoded_traversal(key)
        answer = self._send("HEAD", key, {}, 0, deadline)
        if answer.status != 200:
            raise failure_of(answer, deadline)
        size = answer.headers.get("content-length", "")
        if not re.fullmatch(r"\d{1,18}", size, re.ASCII):
            raise Unreadable(EIO, "the server does not tell the size")
        return _version(answer, int(size))

    def entries(self, folder: str, deadline: Deadline, name_prefix: str = "") -> Iterator[ListedEntry]:
        """Raises InvalidRequest: an HTTP server has no way to list."""
        del folder, deadline, name_prefix
        raise InvalidRequest("path", wants=NO_LISTING)

    def _list_pages(
        self, query: dict[str, str], marker: str, parse: Callable[[bytes], ListingPage], deadline: Deadline
    ) -> Iterator[ListedEntry]:
        """Yields the entries of a listing page by page; `marker` is the name by which a query says where to go on."""
        while True:
            deadline.check()
            answer = send_request(self._pool, self._request("GET", "", query, {}, MAX_OF_A_PAGE, deadline), deadline)
            if answer.status != 200:
                raise failure_of(answer, deadline)
            page = parse(answer.content)
            yield from page.entries
            if page.continuation in ("", query.get(marker)):  # some servers never end
                return
            query[marker] = page.continuation

    def _refuse_encoded_traversal(self, key: str) -> None:
        """Raises NotFound for a name with escaped slashes or dots, which some servers take for another path."""
        if not self.can_list and re.search(ENCODED_TRAVERSAL, key, re.IGNORECASE):
            raise NotFound

    def _version_of_empty(self, answer: FullResponse, key: str, known: Version | None, deadline: Deadline) -> Version:
        """Returns the version of an empty object, to which every range is an error; raises what else it is."""
        status, headers = answer.status, answer.headers
        if status == 412 or (known and status in (404, 410)):
            raise ChangedWhileReading
        if status == 200:
            if headers.get("content-length") != "0":
                raise Unreadable(EIO, "the server ignores ranges, so that the whole file would have to be loaded")
            version = _version(answer, 0)
        elif status in (206, 416):
            version = self.version_of(key, deadline)
        else:
            raise failure_of(answer, deadline)
        if known and version != known:
            raise ChangedWhileReading
        if version.size:
            raise Unreadable(EIO, "the server refuses ranges that the file has")
        return version

    def _send(self, method: str, key: str, headers: Mapping[str, str], most: int, deadline: Deadline) -> FullResponse:
        """Sends a request and returns the answer."""
        return send_request(self._pool, self._request(method, key, {}, headers, most, deadline), deadline)

    def _request(
        self, method: str, key: str, query: Mapping[str, str], headers: Mapping[str, str], most: int, deadline: Deadline
    ) -> Request:
        """Returns a request that is complete; stores that need it add who asks."""
        del deadline
        target = quoted_path(f"{self._base}{key}") + (f"?{quoted_query(query)}" if query else "")
        every = {"Accept-Encoding": "identity", "User-Agent": AGENT, "Accept": "*/*"}
        return Request(method, target, {**every, **headers}, most)


class ContentRange(NamedTuple):
    """What `Content-Range` tells."""

    first: int
    last: int
    total: int


def _checked_range(answer: FullResponse, start: int, count: int) -> ContentRange:
    """Returns the range of an answer; raises Unreadable where it is not what was asked for."""
    match = re.fullmatch(CONTENT_RANGE, answer.headers.get("content-range", ""), re.ASCII)
    told = ContentRange(int(match[1]), int(match[2]), int(match[3])) if match else ContentRange(-1, -1, -1)
    if told.first != start or told.last != min(start + count, told.total) - 1:
        raise Unreadable(EIO, "the server sent another range than was asked for")
    if len(answer.content) != told.last - told.first + 1:
        raise Unreadable(EIO, "the server sent another number of bytes than it announced")
    return told


def _version(answer: FullResponse, size: int) -> Version:
    """Returns the version of an object, by its tag or time."""
    tag = answer.headers.get("etag", "")
    if tag and not tag.startswith(("W/", '"')):
        tag = f'"{tag}"'
    return Version(size, tag if re.fullmatch(TAG, tag) else "", _time_ns(answer.headers.get("last-modified", "")))


def _time_ns(date: str) -> int:
    """Returns a date as nanoseconds; 0 where it is none."""
    try:
        return int(parsedate_to_datetime(date).timestamp()) * 1_000_000_000 if date else 0
    except (ValueError, TypeError, OverflowError):
        return 0


def quoted_path(path: str) -> str:
    """Returns a path as requests spell it; raises NotFound for one that no server can have."""
    try:
        return quote(path, safe=PLAIN)
    except UnicodeEncodeError:
        raise NotFound from None


def quoted_query(query: Mapping[str, str]) -> str:
    """Returns a query in the order of its names, as signatures want it."""
    try:
        return "&".join(f"{quote(name, safe='-_.~')}={quote(query[name], safe='-_.~')}" for name in sorted(query))
    except UnicodeEncodeError:
        raise NotFound from None
