"""Access control of the view: only for its own pages, whose address contains a token.

A web page that the user visits can make the browser request any address, including this machine; anyone on this machine can
find the port. So a request is rejected unless its path starts with the token, its Host is a name of this server (a foreign
name that points at this machine is not: DNS rebinding), and its Origin, which browsers send for the page that opens a
WebSocket, is the view's own. viser itself checks nothing, so its request handler is wrapped.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hmac
import http
import ipaddress
import secrets
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from opendynamics.viewer.live.disconnects import server_log

# One server is started at a time.
_STARTING = threading.Lock()
_OWN_MODULE = "viser.infra._infra"
EVERYWHERE = ("0.0.0.0", "::")


class Guard:
    """Decides about requests to a server.

    Args:
        host: the address that the server listens on.
        origins: origins of other pages that may connect, such as those of a proxy: "https://hub.example.org".
    """

    def __init__(self, host: str, origins: Iterable[str] = ()) -> None:
        self.token = secrets.token_urlsafe(24)
        self.origins = checked_origins(origins)
        self._everywhere = host in EVERYWHERE
        self._hosts = {"localhost", "127.0.0.1", "::1", host.lower()}
        self._hosts |= {str(urlsplit(origin).hostname) for origin in self.origins}
        if self._everywhere:
            self._hosts |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    def problem(self, path: str, headers: Any) -> str:
        """The reason why a request is rejected; empty if it is not."""
        token = path.lstrip("/").partition("/")[0].partition("?")[0]
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return "the address lacks the token of this live view: open the one that opendynamics printed"
        host = headers.get("Host", "")
        if not self._is_own(host):
            return f"{host!r} is no name of this live view"
        origin = headers.get("Origin")
        if origin is not None and origin not in self.origins and urlsplit(origin).netloc != host:
            return f"pages of {origin!r} may not speak to this live view"
        return ""

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or (self._everywhere and _is_address(name))

    def around(self, answer: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """A server's request handler, wrapped by the check; it gets paths without the token."""

        def process(connection: Any, request: Any) -> Any:
            problem = self.problem(request.path, request.headers)
            if problem:
                return connection.respond(http.HTTPStatus.FORBIDDEN, f"{problem}\n")
            rest = request.path.lstrip("/")[len(self.token) :]
            if not rest.startswith("/") and request.headers.get("Upgrade") != "websocket":
                response = connection.respond(http.HTTPStatus.TEMPORARY_REDIRECT, "")
                response.headers["Location"] = f"/{self.token}/{rest}"
                return response
            response = answer(connection, dataclasses.replace(request, path=rest or "/"))
            if response is not None and "Cache-Control" not in response.headers:
                # Otherwise a browser would keep a page that was left, with its connection, for its Back button.
                response.headers["Cache-Control"] = "no-store"
            return response

        return process

    @contextlib.contextmanager
    def at_the_door(self) -> Iterator[None]:
        """Context in which servers of viser are started with this guard.

        RuntimeError if no server was guarded, so that nothing is ever served without a check.
        """
        import websockets.asyncio.server as server

        started = []
        with _STARTING:
            serve: Any = server.serve

            def guarded(handler: Any, *values: Any, process_request: Any = None, **options: Any) -> Any:
                if getattr(handler, "__module__", "") == _OWN_MODULE and process_request is not None:
                    process_request = self.around(process_request)
                    options.setdefault("logger", server_log())
                    started.append(handler)
                return serve(handler, *values, process_request=process_request, **options)

            server.serve = guarded  # type: ignore[assignment, misc]
            try:
                yield
            finally:
                server.serve = serve  # type: ignore[misc]
        if not started:
            raise RuntimeError(
                "this version of viser starts its server in another way, and cannot be guarded; use viser 1.1"
            )


def checked_origins(origins: Any) -> tuple[str, ...]:
    """Origins of pages: scheme and host, without a path."""
    given = (origins,) if isinstance(origins, str) else tuple(origins)
    for origin in given:
        parts = urlsplit(origin) if isinstance(origin, str) else None
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
            raise ValueError(f"an origin of the live view must be like 'https://hub.example.org', not {origin!r}")
    return given


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
