"""A Hugging Face hub on loopback with one model, for real HTTP requests of ``huggingface_hub``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

COMMIT = "0123456789" * 4


@contextmanager
def hub(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve the model in a folder under any name; yield the address of the hub, and the list of requested paths."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._respond()

        def do_GET(self) -> None:
            requests.append(self.path)
            self._respond()

        def log_message(self, *arguments: Any) -> None:
            pass

        def _respond(self) -> None:
            path = self.path.partition("?")[0]
            file = folder / path.rpartition("/")[2]
            headers: dict[str, str] = {}
            if path.startswith("/api/models/"):
                content = json.dumps(_tree(folder) if "/tree/" in path else _model_info(folder)).encode()
            elif "/resolve/" in path and file.is_file():
                content = file.read_bytes()
                headers = {"ETag": f'"{_digest(file)}"', "X-Repo-Commit": COMMIT}
            else:
                content = b"{}"
            self.send_response(200)
            for name, value in {**headers, "Content-Length": str(len(content)), "Content-Type": "application/json"}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", requests
        server.shutdown()


def _files(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_file())


def _digest(file: Path) -> str:
    return hashlib.sha1(file.read_bytes()).hexdigest()


def _model_info(folder: Path) -> dict[str, Any]:
    siblings = [{"rfilename": each.name, "size": each.stat().st_size} for each in _files(folder)]
    return {"id": "some/model", "sha": COMMIT, "siblings": siblings, "private": False, "tags": [], "downloads": 0, "likes": 0}


def _tree(folder: Path) -> list[dict[str, Any]]:
    return [{"type": "file", "path": each.name, "size": each.stat().st_size, "oid": _digest(each)} for each in _files(folder)]
