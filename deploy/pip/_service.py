"""A client of `pwpipe serve`: it speaks HTTP, and starts nothing."""

from __future__ import annotations

import base64
import http.client
import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Mapping, Optional

from ._calls import Page, PwpipeError, by_name, timeout_of
from ._tools import SessionOptions, Tools

if TYPE_CHECKING:
    from typing_extensions import Unpack

_VERSION = "2026-07-28"  # of the Model Context Protocol, by which files are read
_META = {
    "io.modelcontextprotocol/protocolVersion": _VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "pwpipe", "version": "1"},
}


class Service:
    """A `pwpipe serve` that runs. key is its API_KEY. Threads may call at the same time."""

    def __init__(self, url: str = "http://127.0.0.1:3337", *, key: Optional[str] = None) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if key:
            self._headers["X-Api-Key"] = key

    def open(self, **options: "Unpack[SessionOptions]") -> "Session":
        """Open a session: a browser context of its own with one page."""
        return Session(self, self._ask("session.create", options)["session_id"])

    def _ask(self, method: str, params: Mapping[str, object], route: str = "/rpc", headers: Mapping[str, str] = {}) -> Any:
        """Send one JSON-RPC request."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(self._url + route, body, {**self._headers, **headers})
        try:
            with urllib.request.urlopen(request) as response:
                status, wait, text = response.status, None, response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                status, wait, text = refused.code, refused.headers.get("Retry-After"), refused.read()
        except (OSError, http.client.HTTPException) as err:
            raise PwpipeError(f"no answer from {self._url}: {err}", "unavailable") from err
        if text.startswith((b"event:", b"data:")):  # the only event of a stream
            text = text[text.index(b"data:") + 5 :]
        try:
            answer = json.loads(text)
        except ValueError:
            raise PwpipeError(f"status {status}, and no JSON") from None
        error = answer.get("error")
        if error is None:
            return answer["result"]
        if isinstance(error, str):  # what is refused before it is read has a text alone
            raise PwpipeError(error, answer.get("kind"), float(wait) if wait else None)
        data = error.get("data") or {}
        raise PwpipeError(error["message"], data.get("kind"), data.get("retry_after"))


class Session(Tools):
    """A session of a service, with the tools."""

    def __init__(self, service: Service, id: str) -> None:
        self.id = id
        self._service = service
        self._headers = {"X-Session-Id": id}  # a balancer reads it too

    def call(self, tool: str, params: Any = None, *, page: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Run a tool. params are a dict by name, or a list by position. timeout is in seconds."""
        named = {"page": page, "timeout": timeout_of(tool, timeout), **by_name(tool, params)}
        return self._service._ask(tool, {k: v for k, v in named.items() if v is not None}, headers=self._headers)

    def file(self, tool: str, params: Any = None) -> bytes:
        """Run a tool that writes a file on the service's machine, and read the file."""
        answer = self._mcp("tools/call", tool, name=tool, arguments=by_name(tool, params))
        if answer.get("isError"):
            raise PwpipeError(answer["content"][0]["text"])
        links = [part["uri"] for part in answer["content"] if part["type"] == "resource_link"]
        if not links:
            raise PwpipeError(f"{tool} wrote no file")
        content = self._mcp("resources/read", links[0], uri=links[0])["contents"][0]
        return base64.b64decode(content["blob"]) if "blob" in content else content["text"].encode()

    def _mcp(self, method: str, about: str, **params: Any) -> Any:
        named = {"Mcp-Protocol-Version": _VERSION, "Mcp-Method": method, "Mcp-Name": about}
        return self._service._ask(method, {**params, "_meta": _META}, "/mcp", {**self._headers, **named})

    def page(self, handle: str) -> Page:
        """The tools of the page with this handle."""
        return Page(self, handle)

    def close(self) -> Any:
        """Close the session and everything in it; with its HAR, if one was recorded."""
        return self._service._ask("session.close", {"session_id": self.id}, headers=self._headers)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
