#!/bin/sh
# What a client does with `pwpipe serve`, by curl and jq. Start a service first:
#
#   API_KEY=dev-key-123 pwpipe serve --site
#
# and then run docs/service.sh. API, API_KEY and PAGE may be set.
set -eu
API=${API:-http://localhost:3337/rpc}
KEY=${API_KEY:-dev-key-123}
PAGE=${PAGE:-/projects}

# rpc METHOD PARAMS prints the result, or the error and ends.
rpc() {
  curl -sS -H "x-api-key: $KEY" -H 'content-type: application/json' "$API" \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" |
    jq -ce 'if .error then error(.error.message) else .result end'
}

# Open a session; it is closed at the end, whatever happens.
S=$(rpc session.create '{}' | jq -r .session_id)
trap 'rpc session.close "{\"session_id\":\"$S\"}" >/dev/null' EXIT

# Go, and wait until the network is quiet.
rpc page.goto "{\"session_id\":\"$S\",\"url\":\"$PAGE\",\"waitUntil\":\"networkidle\"}"

# Read what can be seen.
rpc page.text "{\"session_id\":\"$S\",\"selector\":\"main\"}" | jq -r .text

# Act by role, and read again.
BUTTON=$(rpc find.byRole "{\"session_id\":\"$S\",\"role\":\"button\",\"name\":\"New Project\"}" | jq -c .selector)
rpc page.click "{\"session_id\":\"$S\",\"selector\":$BUTTON}"
rpc page.fill "{\"session_id\":\"$S\",\"selector\":\"#project\",\"value\":\"Fog bell\"}"
rpc page.press "{\"session_id\":\"$S\",\"selector\":\"#project\",\"key\":\"Enter\"}"
rpc page.text "{\"session_id\":\"$S\",\"selector\":\"[data-testid=projects]\"}" | jq -r .text | tail -n 2

# What went wrong meanwhile: nothing.
rpc logs.pull "{\"session_id\":\"$S\"}"
rpc network.pull "{\"session_id\":\"$S\",\"onlyErrors\":true}"
