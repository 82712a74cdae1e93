"""Address of the live view: by default only for this machine, on a free port."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from typing import Any

from opendynamics.api import checks

LOOPBACK = "127.0.0.1"


def checked_address(host: Any, port: Any) -> tuple[str, int]:
    """Host and port to listen on; port 0 or None lets the system choose a free one.

    TypeError or ValueError for invalid addresses, OSError if the host is not this machine's or the port is in use.
    """
    if not isinstance(host, str) or not host:
        wrong = ValueError if host == "" else TypeError
        raise wrong(f"the host of the live view must be a name or an address like {LOOPBACK!r}, not {host!r}")
    number = 0 if port is None else checks.count("the port of the live view", port, 0, 65535)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        # As the server will: a port that a server has just released can be used, one that is listened on cannot. (On Windows
        # it could, with this option.)
        if os.name == "posix":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, number))
            trial.listen()
        except socket.gaierror:
            raise OSError(f"there is no host {host!r}; {LOOPBACK!r} is this machine") from None
        except OSError as error:
            raise _refused(host, number, error) from None
    return host, number


def _refused(host: str, port: int, error: OSError) -> OSError:
    if error.errno == errno.EADDRNOTAVAIL:
        return OSError(
            error.errno, f"{host} is no address of this machine; {LOOPBACK!r} is, and '0.0.0.0' stands for all"
        )
    if not port or isinstance(error, PermissionError):
        return OSError(error.errno, f"the live view cannot listen on {host}, port {port}: {error.strerror}")
    return OSError(
        error.errno,
        f"port {port} of {host} cannot be used ({error.strerror}): give the live view another port, "
        "or none to have a free one chosen",
    )


def url_of(host: str, port: int, token: str) -> str:
    """The address to open in a browser on this machine."""
    name = {"0.0.0.0": LOOPBACK, "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/{token}/"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def start_message(name: str, host: str, url: str) -> str:
    """The text to print: the address of the view, and who can reach it."""
    where = f"opendynamics: {name} is shown at {url}"
    if is_loopback(host):
        return f"{where} (reachable from this machine only)"
    return (
        f"{where} (listening on {host}: whoever can reach this machine and has this address can see and move the scene)"
    )


def proxied_url(port: int, token: str) -> str | None:
    """Address on a JupyterHub server, by jupyter-server-proxy; None elsewhere."""
    prefix = os.environ.get("JUPYTERHUB_SERVICE_PREFIX")
    return None if prefix is None else f"{prefix.rstrip('/')}/proxy/{port}/{token}/"
