//go:build evidence

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLocale: whatever the machine's locale, pages, workers, Intl and the first
// language of the request header agree on one valid tag. A Chromium with windows
// adds the language without its country to the header.
func TestLocale(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestLocaleOf of handlers/launch is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
		_, _ = w.Write([]byte("<p>" + first + "</p>"))
	}))
	t.Cleanup(site.Close)
	const look = `new Promise(r => {
		const own = '[navigator.language, navigator.languages[0], new Intl.DateTimeFormat().resolvedOptions().locale]';
		const w = new Worker(URL.createObjectURL(new Blob(['postMessage(' + own + ')'])));
		w.onmessage = e => r([...eval(own), ...e.data, document.querySelector('p').innerText]);
	})`
	for env, want := range map[string]string{"LANG=C.UTF-8": "en-US", "LANG=": "en-US", "LC_ALL=POSIX": "en-US", "LANG=de_DE.UTF-8": "de-DE"} {
		cmd := exec.Command(pipetest.Binary(t))
		for _, kv := range cmd.Environ() {
			if !strings.HasPrefix(kv, "LANG") && !strings.HasPrefix(kv, "LC_") {
				cmd.Env = append(cmd.Env, kv)
			}
		}
		cmd.Env = append(cmd.Env, env)
		p := pipetest.StartCmd(t, cmd)
		p.Call("nav", []any{site.URL})
		var got []string
		if err := json.Unmarshal([]byte(p.Call("eval", []any{look})), &got); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(got, func(tag string) bool { return tag != want }) {
			t.Errorf("%s: %q, want all %s", env, got, want)
		}
	}
}
