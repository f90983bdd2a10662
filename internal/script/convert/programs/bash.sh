#!/usr/bin/env bash
# Arguments are pwpipe's: --base-url https://example.com
set -eu
exec pwpipe --strict "$@" <<'REQUESTS'
STEP
REQUESTS
