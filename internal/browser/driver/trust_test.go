package driver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExtraCertificates: the driver's own requests trust all certificates of
// NODE_EXTRA_CA_CERTS, the last of several too, and no others that the driver
// does not know.
func TestExtraCertificates(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("up")) }))
	defer site.Close()
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw})
	others := another(t)
	o := options(t)
	for name, test := range map[string]struct {
		text  string
		trust bool
	}{
		"it": {string(own), true}, "it, after another": {others + string(own), true},
		"another": {others, false}, "junk": {"junk", false}, "none": {"", false},
	} {
		file := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("NODE_EXTRA_CA_CERTS", file)
		d := start(t, o)
		r, err := d.Playwright.Request.NewContext()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			reply, err := r.Get(site.URL)
			if (err == nil) != test.trust {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil {
				if body, _ := reply.Text(); body != "up" {
					t.Errorf("%s: %q", name, body)
				}
			}
		}
		stop(t, d)
	}
}

// another is an unrelated certificate.
func another(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "another"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}))
}
