"""Clients of pwpipe. Browser starts the binary and speaks to it over its pipes. Service
speaks to a `pwpipe serve` that runs.

    from pwpipe import Browser

    with Browser() as browser:
        browser.nav("https://example.com")
        print(browser.txt("h1"))
"""

from __future__ import annotations

import json
import subprocess
import threading
from concurrent.futures import Future
from typing import Any, Mapping, Optional, Sequence

from ._calls import Page, PwpipeError, timeout_of
from ._program import environment, program
from ._service import Service, Session
from ._tools import Tools

__all__ = ["Browser", "Page", "PwpipeError", "Service", "Session"]


class Browser(Tools):
    """A pwpipe process. The browser starts with the first call that needs one.

    args are flags of pwpipe, env are variables on top of the environment, path is
    another binary. Threads may call at the same time.
    """

    def __init__(self, args: Sequence[str] = (), *, env: Optional[Mapping[str, str]] = None, path: Optional[str] = None) -> None:
        self._process = subprocess.Popen(
            [path or program(), *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment(), **(env or {})},
        )
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._waiting: "dict[int, Future[Any]]" = {}
        self._last = 0
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            reply = json.loads(line)
            with self._lock:
                call = self._waiting.pop(reply.get("id"), None)
            if call is None:
                continue
            if "error" in reply:
                call.set_exception(PwpipeError(reply["error"]))
            else:
                call.set_result(reply.get("result"))
        status = self._process.wait()
        with self._lock:
            self._ended = True
            waiting, self._waiting = self._waiting, {}
        for call in waiting.values():
            call.set_exception(PwpipeError(f"pwpipe ended (status {status})"))

    def call(self, tool: str, params: Any = None, *, page: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        """Run a tool. params are a dict by name, or a list by position. timeout is in seconds."""
        call: "Future[Any]" = Future()
        request = {"method": tool, "params": [] if params is None else params, "page": page, "timeout": timeout_of(tool, timeout)}
        with self._lock:
            if self._ended:
                raise PwpipeError("pwpipe has ended")
            self._last += 1
            self._waiting[self._last] = call
            line = json.dumps({"id": self._last, **{k: v for k, v in request.items() if v is not None}})
        with self._writing:  # not the other lock: a write waits until pwpipe reads, and the reader must go on
            assert self._process.stdin is not None
            try:
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                pass  # the end of the process is reported by the reader
        return call.result()

    def page(self, handle: str) -> Page:
        """The tools of the page with this handle."""
        return Page(self, handle)

    def close(self) -> None:
        """Let what runs finish, close the browser and wait for the end."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            pass
        self._reader.join()

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
