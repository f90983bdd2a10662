//go:build evidence

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestClientCertificatesElsewhere: the other doors, and the other forms of a file.
func TestClientCertificatesElsewhere(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClientCertificatesRefused is quick")
	t.Parallel()
	a := newAuthority(t)
	site := a.site()
	a.issue("ada", false, nil)
	plain := a.file(map[string]string{"origin": site, "certPath": "ada.pem",
		"keyPath": filepath.Join(a.dir, "ada.key")})

	script := filepath.Join(a.dir, "script.ndjson")
	steps := fmt.Appendf(nil, `{"method":"nav","params":[%q]}`+"\n"+
		`{"method":"expect-title","params":["hello ada"]}`+"\n", site)
	if err := os.WriteFile(script, steps, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := a.command("run", script, "--client-certificates", plain).CombinedOutput(); err != nil {
		t.Errorf("run: %v, %s", err, out)
	}

	config := filepath.Join(a.dir, "config.json")
	list, _ := os.ReadFile(plain)
	list = bytes.ReplaceAll(list, []byte(`"ada.pem"`), fmt.Appendf(nil, "%q", filepath.Join(a.dir, "ada.pem")))
	list = fmt.Appendf(nil, `{"browser": {"contextOptions": {"clientCertificates": %s}}}`, list)
	if err := os.WriteFile(config, list, 0o600); err != nil {
		t.Fatal(err)
	}
	trust := []string{"NODE_EXTRA_CA_CERTS=" + filepath.Join(a.dir, "authority.pem")}
	s, _ := startPeer(t, trust, "--headless", "--config", config)
	got, _ := callTool(t, s, "browser_navigate", map[string]any{"url": site})
	pipetest.Has(t, got, "Page Title: hello ada")

	svc := pipetest.StartService(t, append(trust, "--client-certificates="+plain, "--allow-dir="+a.allowed)...)
	session := svc.Open(nil)
	session.On("nav", pipetest.Object{"url": site})
	pipetest.Has(t, session.Said("title", session.With(nil)), "hello ada")
	mine := []any{pipetest.Object{"origin": site, "certPath": filepath.Join(a.dir, "ada.pem")}}
	if got := svc.Try("session.create", pipetest.Object{"clientCertificates": mine}); got.Error == nil {
		t.Error("a client named a certificate")
	}

	if _, err := exec.LookPath("openssl"); err == nil {
		a.tryPFX(site)
	}
}

// tryPFX tries a file of the form PKCS 12, with a passphrase and with a wrong one.
func (a *authority) tryPFX(site string) {
	made := exec.Command("openssl", "pkcs12", "-export", "-in", "ada.pem", "-inkey", "ada.key",
		"-out", "ada.pfx", "-passout", "pass:"+certPhrase)
	made.Dir = a.dir
	if out, err := made.CombinedOutput(); err != nil {
		a.t.Fatalf("%v, %s", err, out)
	}
	start := func(phrase string) *pipetest.Pipe {
		return pipetest.StartCmd(a.t, a.command("--client-certificates",
			a.file(map[string]string{"origin": site, "pfxPath": "ada.pfx", "passphrase": phrase})))
	}
	p := start(certPhrase)
	p.Call("nav", pipetest.List(site))
	if got := p.Text("title", nil); got != "hello ada" {
		a.t.Errorf("pfx: title %q", got)
	}
	got := start("not-the-phrase").Fail("nav", pipetest.List(site))
	if !strings.Contains(got, "client certificate") || strings.Contains(got, "not-the-phrase") {
		a.t.Errorf("a wrong passphrase: %s", got)
	}
}
