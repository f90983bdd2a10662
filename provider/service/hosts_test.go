package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestHostHeaders: which names a service answers to.
func TestHostHeaders(t *testing.T) {
	loopback, any, named := Door{Loopback: true}, Door{}, Door{Hosts: []string{"shop.example"}}
	both, only, all := named, named, Door{Hosts: []string{"*"}, Only: true}
	both.Loopback, only.Only = true, true
	for host, want := range map[string]string{ // a letter for each that lets it in
		"localhost": "LANB*", "LOCALHOST.:80": "LANB*", "a.localhost": "LANB*", "127.0.0.5": "LANB*",
		"[::1]:80":         "LANB*",
		"::ffff:127.0.0.1": "LANB*", "Shop.Example:80": "ANBO*", "shop.example.": "ANBO*", "a.shop.example": "A*",
		"evil.example": "A*",
		"192.0.2.1:80": "AN*", "[2001:db8::1]": "AN*", "localhost.evil.example": "A*", "alocalhost": "A*", "": "A*",
	} {
		got := ""
		for i, d := range []Door{loopback, any, named, both, only, all} {
			if d.hostAllowed(host) {
				got += "LANBO*"[i : i+1]
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}

// TestKeyOfARequest: the header of its own comes before that of all.
func TestKeyOfARequest(t *testing.T) {
	for _, c := range [][3]string{{"own", "", "own"}, {"own", "Bearer other", "own"}, {"", "Bearer  other ", "other"},
		{"", "BEARER other", "other"},
		{"", "Basic other", ""}, {"", "other", ""}, {"", "", ""}} {
		if got := keyOf(http.Header{"X-Api-Key": {c[0]}, "Authorization": {c[1]}}); got != c[2] {
			t.Errorf("%q: %q", c, got)
		}
	}
}

// TestKeysAreReadAgain: a key that is gone, or another team's now, ends what it let in, and no other does. A file
// that can't
// be read changes nothing, and is reported once.
func TestKeysAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	write := func(text string) {
		if err := errors.Join(os.WriteFile(file+"-", []byte(text), 0o600), os.Rename(file+"-", file)); err != nil {
			t.Fatal(err)
		}
	}
	var key, hash [4]string
	for i := range key {
		key[i], hash[i] = NewKey()
	}
	write(fmt.Sprintf(`{"teams":[{"name":"a","keys":[%q,%q,%q]},{"name":"b","keys":[%q],"rate":5}]}`, hash[0],
		hash[1], hash[2], hash[3]))
	k, err := ReadKeys(file, func(hosts []string) error {
		if hosts[0] == "*" {
			return errors.New("no host")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var good [4]context.Context
	for i := range key {
		_, its := k.find(key[i])
		good[i] = its.good
	}
	for _, bad := range []string{`{"teams":[]}`, fmt.Sprintf(`{"teams":[{"name":"a","keys":[%q],"hosts":["*"]}]}`,
		hash[0])} {
		write(bad)
		if first, second := k.again(), k.again(); first == nil || second != nil || k.count() != 2 {
			t.Errorf("%s: %v, then %v", bad, first, second)
		}
	}
	write(fmt.Sprintf(`{"teams":[{"name":"b","keys":[%q,%q],"rate":7,"max-sessions":3},`+
		`{"name":"a","keys":[%q],"hosts":["x"]}]}`, hash[3], hash[1], hash[0]))
	if err := k.again(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		team string
		good bool
	}{{"a", true}, {"b", false}, {"", false}, {"b", true}} {
		of, its := k.find(key[i])
		if of == nil {
			of = &team{}
		}
		if of.Name != want.team || (good[i].Err() == nil) != want.good || its != nil && its.good.Err() != nil {
			t.Errorf("key %d: of %q, its connections go on: %t", i, of.Name, good[i].Err() == nil)
		}
	}
	if b := k.named("b"); b.rate != 7 || b.MaxSessions != 3 || b.Hosts != nil || len(k.named("a").Hosts) != 1 ||
		k.named("c") != nil {
		t.Errorf("%+v", b)
	}
}

// TestWaitForGuesses: a client waits until the first of its last wrong keys is a minute old. Words that could be
// guessed
// themselves prove nothing.
func TestWaitForGuesses(t *testing.T) {
	g, began := newGuesses(), time.Now()
	now := began
	g.clock = func() time.Time { return now }
	r := httptest.NewRequest("GET", "/", nil)
	try := func(role string) (bool, time.Duration) { return g.judge(r, asClient, func() string { return role }) }
	for i := range wrongKeys {
		now = began.Add(time.Duration(i) * time.Second)
		if ok, wait := try(""); ok || wait != 0 {
			t.Fatalf("wrong key %d: %t, %s", i, ok, wait)
		}
	}
	if ok, wait := try(asClient); ok || wait != wrongTime-(wrongKeys-1)*time.Second {
		t.Errorf("the right key after these: %t, in %s", ok, wait)
	}
	now = began.Add(wrongTime)
	if ok, wait := try(""); ok || wait != 0 {
		t.Errorf("when the first is a minute old: %t, in %s", ok, wait)
	}
	if ok, wait := try(asClient); ok || wait != time.Second {
		t.Errorf("and after that one: %t, in %s", ok, wait)
	}
	for length, want := range map[int]int{provenWords - 1: 0, provenWords: 1, 199: 1, 200: 0} {
		r.Header.Set("X-Session-Id", strings.Repeat("x", length))
		if words := wordsOf(r, "a"); len(words) != want {
			t.Errorf("an id of %d letters: %q", length, words)
		}
	}
	g.remember(asClient, []string{"new"}, now)
	if !g.isProven(asClient, "new", now) || g.isProven(asOperator, "new", now) || g.isProven(asClient, "new",
		now.Add(provenTime)) {
		t.Error("what a right key proves")
	}
}
