package logins

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestHeldByFile: a password is found in files in the forms in which programs write texts.
func TestHeldByFile(t *testing.T) {
	const value = `pa"ss <wörd>?/+&1`
	b := &Book{carried: newCarried()}
	c := &b.carried
	shop := &Login{Name: "shop", Origins: []string{"https://shop.example"}}
	for _, err := range []error{c.add("PASSWORD", value, shop, false), c.add("USER", "ada@mail.example", shop, true),
		c.add("PIN", "1234", shop, false), c.add("FIVE", "v5#k2", shop, false), c.add("SIX", "w6#k2m", shop, false)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	packed := func(write func(w *bytes.Buffer)) string { var w bytes.Buffer; write(&w); return w.String() }
	inJSON, _ := json.Marshal(value)
	var wide, big []byte
	for _, u := range utf16.Encode([]rune(value)) {
		wide, big = append(wide, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	far := strings.Repeat("x", filePiece-5)
	for name, c := range map[string]struct {
		text string
		held bool
	}{
		"plain":    {"a" + value + "b", true},
		"far":      {far + value + far, true},
		"json":     {string(inJSON), true},
		"js":       {`"` + strings.ReplaceAll(value, `"`, `\"`) + `"`, true},
		"html":     {html.EscapeString(value), true},
		"form":     {"p=" + url.QueryEscape(value), true},
		"path":     {url.PathEscape(value), true},
		"utf-16":   {string(wide), true},
		"utf-16be": {string(big), true},
		"base64":   {base64.StdEncoding.EncodeToString([]byte("x" + value + "yz")), true},
		"base64-2": {base64.URLEncoding.EncodeToString([]byte("xy" + value)), true},
		"zip": {packed(func(w *bytes.Buffer) {
			z := zip.NewWriter(w)
			member, _ := z.Create("a/b")
			_, _ = io.WriteString(member, value)
			_ = z.Close()
		}), true},
		"gzip": {packed(func(w *bytes.Buffer) {
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, value)
			_ = z.Close()
		}), true},
		"user":  {"ada@mail.example 1234 v5#k2", false},
		"part":  {value[:10], false},
		"empty": {"", false},
	} {
		at := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(at, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := b.HeldByFile(at)
		if err != nil || (got == "PASSWORD") != c.held || !c.held && got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := b.HeldByFile(t.TempDir()); err != nil {
		t.Error(err)
	}
}
