package eachtool_test

import (
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestState(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	file := filepath.Join(t.TempDir(), "state.json")
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(`{"cookies":[],"origins":[{"origin":"http://elsewhere.example","localStorage":[{"name":"far","value":"away"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Steps(p,
		does("set-cookie", list("a", "1"), "!the page has no address yet"),
		does("storage", nil, "!has no local storage"),
		does("nav", list("/cookies"), "null"),
		does("set-cookie", list("a", "1"), "null"),
		does("set-cookie", pipetest.Object{"name": "b", "value": "2", "domain": "127.0.0.1", "httpOnly": true, "sameSite": "Strict"}, "null"),
		does("set-cookie", pipetest.Object{"name": "c", "value": "3", "domain": "x", "url": "http://x"}, "!give one of url and domain"),
		does("cookies", nil, `~{"name":"b","value":"2","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":true,"secure":false,"sameSite":"Strict"}`),
		does("cookies", list("http://other.example"), "[]"),
		does("eval", list("document.cookie"), `"a=1"`),
		does("set-storage", list("k", "v"), "null"), does("set-storage", list("s", "w", "session"), "null"),
		does("storage", nil, `{"k":"v"}`),
		does("storage", list("k"), `"v"`), does("storage", list("none"), "null"),
		does("storage", pipetest.Object{"kind": "session"}, `{"s":"w"}`),
		does("save-state", list(file), `"`+file+`"`),
		does("clear-cookies", list("a"), "null"),
		does("eval", list("document.cookie"), `""`),
		does("clear-storage", pipetest.Object{"kind": "session"}, "null"),
		does("eval", list("localStorage.k2 = sessionStorage.length"), "0"),
		does("clear-storage", list("k"), "null"),
		does("storage", nil, `{"k2":"0"}`), does("clear-storage", nil, "null"),
		does("load-state", list(file), "null"),
		does("eval", list("document.cookie"), `"a=1"`),
		does("storage", nil, `{"k":"v"}`),
		does("open-ctx", pipetest.Object{"state": file}, `"c2"`),
		does("new-page", list("c2"), `"p2"`),
		does("load-state", list(other), "null"),
		does("route", list("http://elsewhere.example/**", pipetest.Object{"body": "<p>hello", "contentType": "text/html"}), "null"),
		does("nav", list("http://elsewhere.example/"), "null"),
		does("storage", list("far"), `"away"`),
		does("load-state", list(file+".none"), "!no such file"),
		does("load-state", list(os.Args[0]), "!is not a saved state"),
		does("open-ctx", pipetest.Object{"state": file + ".none"}, "!no such file"),
	)
	if got := p.Call("nav", list("/cookies"), "page", "p2") + p.Call("storage", nil, "page", "p2"); got != `null{"k":"v"}` {
		t.Error(got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}
