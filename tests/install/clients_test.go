//go:build evidence

package install_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// The examples of docs/clients do what they say, against a service of the built binary. No
// session is left open.
func checkService(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	svc := pipetest.StartService(t)
	shot := filepath.Join(t.TempDir(), "shot.png") // on the service's machine
	service := append([]string{"API=" + svc.URL, "API_KEY=" + pipetest.Key, "SHOT=" + shot}, env...)
	pipetest.Has(t, run(t, dir, service, name, args...), "Fog bellNo place yet", "Form | Skerry | Projects | Skerry\n", "the lamp is lit\n",
		`failed: txt: nothing matches "#nothing" after 1 s`)
	read, err := os.ReadFile(filepath.Join(dir, "projects.png"))
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(shot); err != nil || !bytes.Equal(read, written) || !bytes.HasPrefix(read, []byte("\x89PNG")) {
		t.Errorf("the file that was read is another one: %d bytes, %v", len(read), err)
	}
	if n := svc.Metric("pwpipe_sessions_open"); n != "0" {
		t.Errorf("%s sessions are left open", n)
	}
}

const jsRefused = `import { PwpipeError, Service } from 'pwpipe';
const say = (err) => console.log(err instanceof PwpipeError && err.kind, err.retryAfter, err.message);
const url = process.env.API;
await new Service({ url: 'http://127.0.0.1:1' }).open().catch(say);
await new Service({ url, key: 'wrong' }).open().catch(say);
await new Service({ url: url + '/healthz?', key: process.env.API_KEY }).open().catch(say);
const service = new Service({ url, key: process.env.API_KEY });
const first = await service.open();
await first.sessionStorageState();
await service.open().catch(say);
await first.call('page.text', ['#nothing', 10, true, 1]).catch(say);
await first.call('page.text', { selector: 'html >> nth=9' }, { timeout: 2 }).then((r) => console.log(r.fallback));
await first.file('shot', ['/nowhere/a.png']).catch(say);
await first.file('title').catch(say);
console.log(await first.close());
await first.title().catch(say);
`

const pyRefused = `import os
from pwpipe import PwpipeError, Service

def say(call, *args, **named):
    try:
        print(call(*args, **named))
    except PwpipeError as err:
        print(err.kind, err.retry_after or "undefined", err)

url, key = os.environ["API"], os.environ["API_KEY"]
say(Service("http://127.0.0.1:1").open)
say(Service(url, key="wrong").open)
say(Service(url + "/healthz?", key=key).open)
service = Service(url, key=key)
first = service.open()
first.session_storage_state()
say(service.open)
say(first.call, "page.text", ["#nothing", 10, True, 1])
say(first.call, "page.text", {"selector": "html >> nth=9"}, timeout=2)
say(first.file, "shot", ["/nowhere/a.png"])
say(first.file, "title")
say(first.close)
say(first.title)
`

// checkRefused checks what the programs above say about calls that a service refuses. A
// time-out is in seconds, also where the tool's own is in milliseconds.
func checkRefused(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	svc := pipetest.StartService(t, "--max-contexts=1", "--queue-timeout=0")
	out := run(t, dir, append([]string{"API=" + svc.URL, "API_KEY=" + pipetest.Key}, env...), name, args...)
	pipetest.Has(t, out, "unavailable undefined no answer from http://127.0.0.1:1: ", "blocked undefined missing or wrong API key", "invalid request undefined /healthz is not for POST",
		"over a limit 120 all 1 sessions are open", "page.text: expected at most 3 parameters", "after 2 s on p1",
		"path: /nowhere/a.png: it is outside of the allowed folders", "title wrote no file", "no such target undefined session s_", " is gone: it was closed")
}
