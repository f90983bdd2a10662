package main

import (
	"archive/zip"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

const certPhrase = "quiet-harbour-41"

// authority is a certificate authority of a test, with its files in a folder.
type authority struct {
	t   *testing.T
	dir string
	// allowed is the folder that tools may touch, and the working directory: keys lie elsewhere.
	allowed string
	cert    *x509.Certificate
	key     *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir(), allowed: t.TempDir()}
	der := a.issue("authority", true, nil)
	a.cert, _ = x509.ParseCertificate(der)
	return a
}

// issue writes NAME.pem and NAME.key, and NAME.secret.key with a passphrase.
func (a *authority) issue(name string, isCA bool, ips []net.IP) []byte {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: ips,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: isCA,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}}
	parent, by := a.cert, a.key
	if isCA {
		parent, by, a.key = template, key, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	plain, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	//lint:ignore SA1019 the form that OpenSSL has written for decades
	locked, err := x509.EncryptPEMBlock(rand.Reader, "EC PRIVATE KEY", plain, []byte(certPhrase), x509.PEMCipherAES256)
	if err != nil {
		a.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "EC PRIVATE KEY", Bytes: plain},
		name + ".secret.key": locked} {
		if err := os.WriteFile(filepath.Join(a.dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	return der
}

// site demands a certificate of the authority, and says who came.
func (a *authority) site() string {
	a.issue("site", false, []net.IP{net.IPv4(127, 0, 0, 1)})
	own, err := tls.LoadX509KeyPair(filepath.Join(a.dir, "site.pem"), filepath.Join(a.dir, "site.key"))
	if err != nil {
		a.t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>hello %s</title>", r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{own}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	s.StartTLS()
	a.t.Cleanup(s.Close)
	return s.URL
}

// file writes a file of certificates.
func (a *authority) file(list ...map[string]string) string {
	text, err := json.Marshal(list)
	if err != nil {
		a.t.Fatal(err)
	}
	path := filepath.Join(a.dir, fmt.Sprintf("certificates-%d.json", time.Now().UnixNano()))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// command runs pwpipe elsewhere, and trusts the authority.
func (a *authority) command(args ...string) *exec.Cmd {
	cmd := exec.Command(pipetest.Binary(a.t), append(args, "--allow-dir", a.allowed)...)
	cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+filepath.Join(a.dir, "authority.pem"))
	cmd.Dir = a.allowed
	return cmd
}

// TestClientCertificates: a site that demands a certificate gets the one of its origin, under a
// policy too; its key and passphrase are in no answer and no trace.
func TestClientCertificates(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClientCertificatesRefused is quick")
	t.Parallel()
	a := newAuthority(t)
	site, other := a.site(), a.site()
	a.issue("ada", false, nil)
	env := filepath.Join(a.dir, "secrets.env")
	if err := os.WriteFile(env, []byte("PHRASE="+certPhrase+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	locked := a.file(map[string]string{"origin": site, "certPath": "ada.pem", "keyPath": "ada.secret.key",
		"passphrase": "{{PHRASE}}"})
	p := pipetest.StartCmd(t, a.command("--client-certificates", locked, "--secrets", env,
		"--allowed-domains", "127.0.0.1", "--log-level", "debug"))
	p.Call("trace-start", nil)
	p.Call("nav", pipetest.List(site))
	if got := p.Text("title", nil); got != "hello ada" {
		t.Errorf("title %q", got)
	}
	if got := p.Call("eval", pipetest.List(`fetch('/').then(r => r.text())`)); !strings.Contains(got, "hello ada") {
		t.Errorf("fetch: %s", got)
	}
	p.Call("new-page", pipetest.List(p.Text("new-ctx", nil)))
	p.Call("nav", pipetest.List(site), "page", "p2")
	if got := p.Text("title", nil, "page", "p2"); got != "hello ada" {
		t.Errorf("another context: title %q", got)
	}
	if got := p.Fail("nav", pipetest.List("https://elsewhere.test/")); !strings.Contains(got, "elsewhere.test") ||
		!strings.Contains(got, "blocked") {
		t.Errorf("the policy: %s", got)
	}
	const pinned = "pinned to the client certificate of "
	if got := p.Fail("type", pipetest.List("{{PHRASE}}")); !strings.Contains(got, pinned+site) {
		t.Errorf("the passphrase as a secret: %s", got)
	}
	p.Call("nav", pipetest.List(other))
	if got := p.Text("title", nil); got == "hello ada" {
		t.Error("another origin got the certificate")
	}
	pipetest.Has(t, pipetest.Execute(p, fmt.Sprintf(
		`const c = await browser.newContext(), q = await c.newPage(); await q.goto(%q);
const t = await q.title(); await c.close(); t`, site)), "hello ada")
	zipped := filepath.Join(a.allowed, "trace.zip")
	p.Call("trace-stop", pipetest.List(zipped), "timeout", 30)
	lacksKeys(t, a, zipped)
	pipetest.Lacks(t, p.Stderr(), certPhrase, "PRIVATE KEY")
}

// lacksKeys checks that nothing in a trace has the key or the passphrase.
func lacksKeys(t *testing.T, a *authority, file string) {
	key, err := os.ReadFile(filepath.Join(a.dir, "ada.secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	told := false
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		_ = in.Close()
		if err != nil {
			t.Fatal(err)
		}
		told = told || bytes.Contains(text, []byte("context-options"))
		for _, part := range []string{certPhrase, string(key[len(key)/2 : len(key)/2+20]), "passphrase", "<Buffer>"} {
			if bytes.Contains(text, []byte(part)) {
				t.Errorf("%s has %q", f.Name, part)
			}
		}
	}
	if !told {
		t.Error("the trace has no context")
	}
}

// TestClientCertificatesRefused: what can't be is refused at the start, and quotes no passphrase.
func TestClientCertificatesRefused(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	a.issue("ada", false, nil)
	ok := map[string]string{"origin": "https://a.test", "certPath": "ada.pem", "keyPath": "ada.key"}
	for want, args := range map[string][]string{
		"leave it out with --cdp":   {a.file(ok), "--cdp", "9222"},
		"leave out --user-data-dir": {a.file(ok), "--user-data-dir", a.dir},
		"no such file":              {filepath.Join(a.dir, "none.json")},
		"certificate 1: keyPath": {a.file(map[string]string{"origin": "https://a.test", "certPath": "ada.pem",
			"keyPath": "none.key"})},
		`unknown member "Origin"`: {a.file(map[string]string{"Origin": "https://a.test"})},
		"not both": {a.file(map[string]string{"origin": "https://a.test", "certPath": "a",
			"keyPath": "a", "pfxPath": "a"})},
		"belong to https": {a.file(map[string]string{"origin": "http://a.test", "certPath": "ada.pem",
			"keyPath": "ada.key"})},
		"no secret named PHRASE": {a.file(map[string]string{"origin": "https://a.test", "certPath": "ada.pem",
			"keyPath": "ada.key", "passphrase": "{{PHRASE}}"})},
		"no certificates":                       {a.file()},
		"where scripts and uploads can read it": {a.file(ok)},
		"lies in " + a.dir:                      {a.file(ok), "--allow-dir", a.dir},
	} {
		_, got, status := pipetest.Run(t, "", append([]string{"--client-certificates"}, args...)...)
		if status == 0 || !strings.Contains(got, want) {
			t.Errorf("%v: status %d, %s, want %s", args, status, got, want)
		}
	}
}
