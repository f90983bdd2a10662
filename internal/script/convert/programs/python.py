#!/usr/bin/env python3
# Arguments are pwpipe's: --base-url https://example.com
import json, subprocess, sys

browser = subprocess.Popen(["pwpipe", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def call(request):
    print(json.dumps(request), file=browser.stdin, flush=True)
    line = browser.stdout.readline()
    reply = json.loads(line) if line else {"error": "pwpipe ended"}
    if "error" in reply:
        sys.exit(reply["error"])
    return reply["result"]


call(STEP)
browser.stdin.close()
sys.exit(browser.wait())
