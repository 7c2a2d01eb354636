"""The address the HTTP server listens on, and the host names that clients may use for it."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from ...named_tuple import NamedTuple

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LAST_PORT = 65535
BACKLOG = 1024


class ListenAddress(NamedTuple):
    """A host and a port; `names` are further values that a Host header may have."""

    host: str
    port: int
    names: Sequence[str] = ()

    @property
    def is_loopback(self) -> bool:
        """Whether only processes on this machine can connect."""
        return self.host in LOOPBACK

    @property
    def url(self) -> str:
        """The URL of the MCP endpoint."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{PATH}"


def listen(address: ListenAddress) -> tuple[socket.socket, ListenAddress]:
    """Opens the listening socket; returns it with its real address, since port 0 means any free port.

    Raises ValueError if the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        bound = socket.create_server((address.host, address.port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise ValueError(f"cannot listen on {address.host}:{address.port}: {error.strerror or error}") from error
    # Inherited by every connection: a body that waits for the acknowledgement of its headers costs 40 ms a call.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound, address._replace(port=bound.getsockname()[1])


def parse_address(written: str, names: Sequence[str]) -> ListenAddress:
    """Parses `HOST:PORT`; raises ValueError."""
    host, colon, port = written.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > LAST_PORT:
        raise ValueError(f"--http takes HOST:PORT, such as 127.0.0.1:8000, not {written!r}")
    return ListenAddress(host.strip("[]"), int(port), names)
