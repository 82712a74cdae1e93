"""A simulated JupyterHub: a proxy under a user's address, like jupyter-server-proxy behind TLS.

`/user/me/proxy/PORT/rest` goes to `/rest` of this machine's port; the hub's name stands in Host, and its address in Origin.
"""

import contextlib
import re
import socket
import threading

PREFIX, HUB = "/user/me/", "hub.example.org"


class HubProxy:
    """Listens on a free port until it is closed; `paths` are the requested ones."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.paths = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(65536)
            found = re.match(rb"GET " + PREFIX.encode() + rb"proxy/(\d+)(/\S*) ", head)
            if found is None:
                client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            self.paths.append(found[2].decode())
            head = b"GET " + found[2] + b" " + head[found.end() :]
            head = re.sub(rb"(?i)\r\nHost: [^\r]*", b"\r\nHost: " + HUB.encode(), head)
            head = re.sub(rb"(?i)\r\nOrigin: [^\r]*", b"\r\nOrigin: https://" + HUB.encode(), head)
            with socket.create_connection(("127.0.0.1", int(found[1]))) as server:
                server.sendall(head)
                back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
                back.start()
                self._copy(client, server)
                back.join(10)

    @staticmethod
    def _copy(one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
