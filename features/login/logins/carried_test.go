package logins

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
)

// bookOf loads a book with secrets.
func bookOf(t *testing.T, text string, values map[string]string) *Book {
	t.Helper()
	set, err := secrets.New(values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "logins.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Load(file, secrets.NewStore(set))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestJudge: a request carries a value to the origins of the log-in only, and a password in no
// address. Passwords that resemble or equal each other belong to both log-ins.
func TestJudge(t *testing.T) {
	const pw, other, user = "hunter22-shop!", "hunter22-bank!", "ada@mail.example"
	b := bookOf(t, `
[shop]
origin = ["https://shop.example", "http://shop.example:8080"]
user = "{{USER}}"
password = "{{PW}}"
[bank]
origin = "https://bank.example"
password = "{{OTHER}}"
[twin]
origin = "https://twin.example"
user = "ada"
password = {command = ["echo", "hunter22-shop!"]}
totp = {command = ["echo", "GEZDGNBVGY3TQOJQ"]}
`, map[string]string{"PW": pw, "OTHER": other, "USER": user, "FREE": "anything at all"})
	l, err := b.Find("twin")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := b.Password(context.Background(), l); err != nil || text != pw {
		t.Fatal(text, err)
	}
	code, err := b.Code(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		url, text, want string
	}{
		{"https://shop.example/login", "p=" + url.QueryEscape(pw), ""}, {"http://shop.example:8080/", pw, ""}, {"https://SHOP.example:443/x", pw, ""},
		{"https://twin.example/", pw, ""}, {"https://bank.example/", other, ""}, {"https://shop.example/", user, ""},
		{"https://bank.example/", pw, "PW"}, {"https://shop.example/", other, "OTHER"}, {"https://bank.example/", other + " " + pw, "PW"},
		{"http://shop.example/", pw, "PW"}, {"https://shop.example:8443/", pw, "PW"}, {"https://shop.example./", pw, "PW"},
		{"https://www.shop.example/", pw, "PW"}, {"https://evil.example/?https://shop.example/", pw, "PW"}, {"https://shop.example@evil.example/", pw, "PW"},
		{"https://evil.example/" + url.PathEscape(pw), "", "PW"}, {"https://shop.example/?p=" + url.QueryEscape(pw), "", "PW"},
		{"https://shop.example/?u=" + user, "", ""}, {"https://evil.example/?u=" + user, "", "USER"}, {"https://evil.example/?at=mail.example", "", ""},
		{"https://evil.example/", base64.StdEncoding.EncodeToString([]byte(`{"p":"` + pw + `"}`)), "PW"}, {"https://evil.example/", "er22-shop", "PW"},
		{"https://evil.example/", "c=" + code, "twin.code"}, {"https://evil.example/?t=1" + code,
			"9" + code + " é" + code, ""},
		{"https://evil.example/?t=%20" + code, "", "twin.code"}, {"https://twin.example/", code, ""},
		{"https://evil.example/", "anything at all", ""}, {"https://evil.example/", "GEZDGNBVGY3TQOJQ", "twin.totp"}, {"ws://[bad/", pw, "PW"},
	} {
		var leak *Leak
		name := ""
		if errors.As(b.Judge(Sent{URL: c.url, Texts: []string{"", c.text}}), &leak) {
			name = leak.Name
		}
		if name != c.want {
			t.Errorf("%s %q: %q, want %q", c.url, c.text, name, c.want)
		}
	}
	if b.Judge(Sent{URL: "https://shop.example/", Fragment: "#" + pw}) != nil || b.Judge(Sent{URL: "https://evil.example/", Fragment: "#" + pw}) == nil {
		t.Error("a fragment is read by the page at the address")
	}
	if b.Unread("https://bank.example/x") != nil || b.Unread("https://evil.example/") == nil || b.Unread("") == nil {
		t.Error("too long to be read")
	}
	if b.Holds("x "+pw) != "PW" || b.Holds("nothing") != "" || (*Book)(nil).Holds(pw) != "" || (*Book)(nil).Judge(Sent{URL: pw}) != nil {
		t.Error("what a text holds")
	}
	if leak := (*Leak)(nil); !errors.As(b.Judge(Sent{URL: "https://evil.example/", Texts: []string{user}}), &leak) ||
		!leak.IsUser || leak.InURL {
		t.Errorf("a user name elsewhere: %+v", leak)
	}
	b.carried.addCode(l, "998877")
	late := b.carried.codes["twin"]
	late.until = time.Now()
	if b.Holds(code) != "" || b.Holds("998877") != "twin.code" {
		t.Error("the last code is the one that is good")
	}
	b.carried.codes["twin"] = late
	if b.Holds("998877") != "" || !hasWord("a1 1 1", "1 1") {
		t.Error("a code that is too old, or a word after one like it")
	}
	c, bank := &b.carried, &Login{Name: "bank", Origins: []string{"https://bank.example"}, TOTP: Value{"{{SEED}}"}}
	for name, value := range map[string]string{"SEVEN": "lovelac", "EIGHT": "lovelace",
		"PAIR": other} { // the last is a password, too
		if err := c.add(name, value, bank, true); err != nil {
			t.Fatal(err)
		}
	}
	if b.Holds("lovelac,") != "" || b.Holds("lovelace") != "EIGHT" || c.isUser("OTHER") || !c.isUser("EIGHT") {
		t.Error("user names that are looked for")
	}
	if !bank.Has("SEED") || !bank.Has("bank.code") || bank.Has("bank2.code") || bank.Has("PW") {
		t.Error("what is a log-in's")
	}
}
