"""A proxy in front of a server that can be frozen: it still accepts connections, and passes nothing on."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit


class FreezableProxy:
    """Passes bytes between clients and a server until ``frozen`` is set, as if the server had received SIGSTOP."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._server = (parts.hostname or "localhost", parts.port or 7687)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listener]
        self.address = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        self._running = threading.Event()
        self._running.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Pass nothing on from now on."""
        self._running.clear()

    def thaw(self) -> None:
        """Pass on what has waited."""
        self._running.set()

    def close(self) -> None:
        """Close all connections."""
        self._running.set()
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                self._sockets += [client, server]
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._running.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def freezable(address: str) -> Iterator[FreezableProxy]:
    """Run a proxy in front of a server."""
    proxy = FreezableProxy(address)
    try:
        yield proxy
    finally:
        proxy.close()
