"""Connecting to a server: names, addresses and TLS, none of which waits beyond the deadline of a call."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from errno import EINPROGRESS
from select import POLLOUT, poll
from typing import cast

from ..deadline import Deadline
from ..named_tuple import NamedTuple
from .deadline_threads import SLICE_S, AbandonableCalls

CONNECT_S = 10.0
"""How long one address is tried before the next."""

Socket = socket.socket


class Endpoint(NamedTuple):
    """The one server that requests go to."""

    secure: bool
    host: str
    port: int

    @property
    def host_header(self) -> str:
        """Its name as requests spell it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def tls_handshake(secured: ssl.SSLSocket, deadline: Deadline) -> None:
    """Agrees on keys with the server; raises OSError, also where its certificate is wrong."""
    secured.settimeout(SLICE_S)
    while True:
        deadline.check()
        with suppress(TimeoutError):
            return secured.do_handshake()


def connect_to(endpoint: Endpoint, resolving: AbandonableCalls, deadline: Deadline) -> Socket:
    """Connects to the first address of a server that answers; raises OSError."""
    failure: OSError = OSError("the server has no address")
    for family, kind, protocol, _, address in _resolve_addresses(endpoint, resolving, deadline):
        opened = socket.socket(family, kind, protocol)
        try:
            _connect(opened, address, deadline)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            opened.close()
            failure = error
        except BaseException:
            opened.close()
            raise
        else:
            return opened
    raise failure


def _connect(opened: Socket, address: tuple[object, ...], deadline: Deadline) -> None:
    """Connects to an address, within the deadline."""
    opened.setblocking(False)
    number = opened.connect_ex(address)
    until = deadline.clock() + CONNECT_S
    if number == EINPROGRESS:
        waiting = poll()
        waiting.register(opened.fileno(), POLLOUT)
        while not waiting.poll(SLICE_S * 1000):
            deadline.check()
            if deadline.clock() > until:
                raise TimeoutError("the server does not answer")
        number = opened.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if number:
        raise OSError(number, "the server cannot be reached")
    opened.settimeout(SLICE_S)


_Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[object, ...]]


def _resolve_addresses(endpoint: Endpoint, resolving: AbandonableCalls, deadline: Deadline) -> list[_Address]:
    """Resolves the name of a server in a thread: the resolver knows no deadline."""
    try:
        addresses = resolving.call(
            lambda: socket.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM), deadline
        )
    except UnicodeError:
        raise OSError("no host name") from None
    return cast("list[_Address]", addresses)
