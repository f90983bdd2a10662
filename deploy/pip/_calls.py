"""What the clients of the pipe and of the service share."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._tools import PARAMS, Tools


class PwpipeError(Exception):
    """A call that failed. Its text is what pwpipe answered.

    The service also tells its kind ("timed out", "over a limit", ...), and after
    how many seconds the call may succeed.
    """

    def __init__(self, message: str, kind: Optional[str] = None, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.kind, self.retry_after = kind, retry_after


class Page(Tools):
    """The tools, on one page of a browser or of a session."""

    def __init__(self, browser: Tools, handle: str) -> None:
        self.browser, self.handle = browser, handle

    def call(self, tool: str, params: Any = None, *, page: Optional[str] = None, timeout: Optional[float] = None) -> Any:
        return self.browser.call(tool, params, page=page or self.handle, timeout=timeout)


def by_name(tool: str, params: Any) -> "dict[str, Any]":
    """Name parameters that are given by position."""
    if params is None or isinstance(params, Mapping):
        return dict(params or {})
    names = PARAMS.get(tool, ())
    if len(params) > len(names):
        raise PwpipeError(f"{tool}: expected at most {len(names)} parameters")
    return dict(zip(names, params))


def timeout_of(tool: str, seconds: Optional[float]) -> Optional[float]:
    """A time-out as a tool reads it. Those with a dot in their names read milliseconds."""
    return seconds * 1000 if seconds is not None and "." in tool else seconds
