"""The command pwpipe: it becomes the binary of this platform."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import environment, program


def main() -> None:
    command = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=environment()))
    os.execve(command[0], command, environment())


if __name__ == "__main__":
    main()
