package guard_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// harOf returns a HAR that answers this URL with this content.
func harOf(url, content string) string {
	return `{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[{"request":{"method":"GET","url":"` + url +
		`","headers":[]},"response":{"status":200,"headers":[{"name":"content-type","value":"text/plain"}],"content":` + content + `}}]}}`
}

// put writes files into a folder; names and contents alternate.
func put(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A HAR in an allowed folder reads no file outside of it, whatever it names and
// whoever replays it.
func TestHARReadsNoOtherFiles(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPrivateFiles is quick")
	t.Parallel()
	p, in := pipetest.SharedIn(t)
	out := t.TempDir()
	climb, err := filepath.Rel(in, out)
	if err != nil {
		t.Fatal(err)
	}
	put(t, out, "secret.txt", "tide at nine", "own.har", harOf("http://har.example/x", `{"text":"tide at nine"}`))
	const url = "http://har.example/x"
	secret := filepath.Join(out, "secret.txt")
	entry := func(file string) string { return harOf(url, `{"_file":`+quote(file)+`}`) }
	put(t, in, "absolute.har", entry(secret), "climbs.har", entry(climb+"/secret.txt"), "link.har", entry("link/secret.txt"), "file.har", entry("a-link.txt"),
		"sent.har", strings.Replace(harOf(url, `{}`), `"headers":[]`, `"headers":[],"postData":{"_file":`+quote(secret)+`}`, 1),
		"twice.har", harOf(url, `{"_file":"x","_file":`+quote(secret)+`}`))
	for name, to := range map[string]string{"link": out, "a-link.txt": secret, "whole.har": filepath.Join(out, "own.har")} {
		if err := os.Symlink(to, filepath.Join(in, name)); err != nil {
			t.Skip(err)
		}
	}
	put(t, in, "a.zip", string(pipetest.Zip(t, "har.har", entry(secret))))
	put(t, in, "climbing.zip", string(pipetest.Zip(t, "har.har", harOf(url, `{"text":"x"}`), climb+"/new.txt", "x")))
	p.Call("nav", []any{"/"})
	for name, want := range map[string]string{
		"absolute.har": `log.entries[0].response.content._file: \"` + secret + `\": it is an absolute path`, "climbs.har": `\"` + climb + `/secret.txt\": it climbs`,
		"link.har": "goes through a link", "file.har": "goes through a link", "sent.har": "log.entries[0].request.postData._file", "twice.har": "twice",
		"whole.har": "outside of the allowed folders", "a.zip": "absolute path", "climbing.zip": `\"` + climb + `/new.txt\": it climbs`, climb + "/own.har": "outside of the allowed folders",
	} {
		path := filepath.Join(in, name)
		want = strings.ReplaceAll(want, `\"`, `"`)
		pipetest.Has(t, p.Fail("har-replay", []any{path}), "har-replay: path: ", want)
		for _, of := range []string{"page", "context"} {
			code := `await ` + of + `.routeFromHAR(` + quote(path) + `); await page.goto('` + url + `'); await page.textContent('body')`
			r := p.Try("execute", map[string]any{"code": code}, "timeout", 60)
			if !strings.Contains(r.Error, want) || strings.Contains(string(r.Result)+r.Error, "tide at nine") {
				t.Errorf("%s.routeFromHAR of %s: %s %s", of, name, r.Result, r.Error)
			}
		}
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// A HAR's redirects lead neither to files nor to the browser's own pages.
func TestHARLeadsToNoFiles(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	put(t, filepath.Dir(secret), "secret.txt", "tide at nine")
	const url = "http://har.example/x"
	p, in := pipetest.SharedIn(t)
	for name, target := range map[string]string{"file": "file://" + secret, "frame": "file:///none.html", "own": "chrome://version/"} {
		path := filepath.Join(in, name+".har")
		put(t, in, name+".har", `{"log":{"entries":[{"request":{"method":"GET","url":"`+url+`"},"response":{"status":302,"headers":[{"name":"location","value":"`+target+`"}]}},
{"request":{"method":"GET","url":"`+target+`"},"response":{"status":200,"headers":[{"name":"content-type","value":"text/html"}],"content":{"text":`+quote(`<iframe src="file://`+secret+`">`)+`}}}]}}`)
		for _, options := range pipetest.Some([]string{`{notFound: 'fallback'}`, `{notFound: 'fallback', url: 'http://har.example/**'}`, `{}`}, 2) {
			p.Call("reset", nil)
			p.Call("nav", []any{"/"})
			r := p.Try("execute", map[string]any{"code": `await page.routeFromHAR(` + quote(path) + `, ` + options + `); await page.goto('` + url + `').catch(() => 0);
const out = [page.url()]; for (const f of page.frames()) out.push(await f.evaluate(() => document.documentElement.innerText).catch(() => '')); await page.goto('/'); out`}, "timeout", 10)
			if got := string(r.Result) + r.Error; strings.Contains(got, "tide at nine") || strings.Contains(got, target) || strings.Contains(got, "driver died") {
				t.Errorf("%s, %s: %s", name, options, got)
			}
		}
	}
}

// Replay serves the files that a HAR may name, as they were when it was read.
func TestHARIsReplayedAsItWasRead(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPrivateFiles is quick")
	t.Parallel()
	const url = "http://har.example/x"
	for _, name := range []string{"beside.har", "embedded.har", "packed.zip"} {
		t.Run(name, func(t *testing.T) {
			p, in := pipetest.SharedIn(t)
			put(t, in, "beside.har", harOf(url, `{"_file":"body.txt"}`), "body.txt", "as it was", "embedded.har", "\ufeff"+harOf(url, `{"text":"YXMgaXQgd2Fz","encoding":"base64"}`))
			put(t, in, "packed.zip", string(pipetest.Zip(t, "body.txt", "as it was", "har.har", harOf(url, `{"_file":"body.txt"}`))))
			path := filepath.Join(in, name)
			p.Call("har-replay", map[string]any{"path": path, "url": "http://har.example/**"})
			put(t, in, "body.txt", "changed")
			p.Call("nav", []any{url})
			if got := p.Text("txt", []any{"body"}); got != "as it was" {
				t.Errorf("%s: %s", name, got)
			}
			put(t, in, "body.txt", "as it was")
			got := p.Call("execute", map[string]any{"code": `const c = await browser.newContext(), p = await c.newPage(), fs = require('fs');
await p.routeFromHAR(` + quote(path) + `, {url: /har\.example/}); fs.writeFileSync(` + quote(filepath.Join(in, "body.txt")) + `, 'changed');
await p.goto('` + url + `'); const text = await p.textContent('body'); await c.close(); text`})
			pipetest.Has(t, got, "as it was")
		})
	}
}
