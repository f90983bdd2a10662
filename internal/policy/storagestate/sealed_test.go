package storagestate

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// TestSealed: a state can be read with its passphrase, but not without it, and not if it was
// changed.
func TestSealed(t *testing.T) {
	text := []byte(`{"cookies":[{"name":"a","value":"hunter2"}],"origins":[]}`)
	k, line := NewKey("correct horse", nil), len(Passphrase.line())
	one, err := k.Seal(text)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := k.Seal(text)
	if bytes.Contains(one, []byte("hunter2")) || bytes.Contains(one, []byte("cookies")) || bytes.Equal(one, two) || SealingOf(one) != Passphrase {
		t.Errorf("%q", one)
	}
	later := NewKey("correct horse", nil)
	if got, err := later.Open(one); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	if three, _ := later.Seal(text); !bytes.Equal(three[:line+saltLength], one[:line+saltLength]) {
		t.Error("another salt: each save would make a key")
	}
	for i := range one {
		bad := bytes.Clone(one)
		bad[i] ^= 1
		if i <= line || i >= line+saltLength { // each salt takes long
			if got, err := k.Open(bad); bytes.Equal(got, text) || err == nil && SealingOf(bad) != Plain {
				t.Errorf("byte %d: %q, %v", i, got, err)
			}
		}
	}
	for n := range len(one) {
		if got, err := k.Open(one[:n]); n > line && err == nil {
			t.Errorf("cut at %d: %q", n, got)
		}
	}
	if _, err := NewKey("wrong", nil).Open(one); err != errWrongPassphrase {
		t.Error(err)
	}
	none := NewKey("", nil)
	if _, err := none.Open(one); err != errNoPassphrase {
		t.Error(err)
	}
	if got, err := none.Seal(text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := k.Open(text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("one that is not encrypted: %q, %v", got, err)
	}
	if got, err := none.Prepare(); got != Plain || err == nil {
		t.Errorf("an empty passphrase is one: %q, %v", got, err)
	}
}

// A key from a keyring is asked for once. What it encrypts is read with it, also where there
// is a passphrase, which is stronger.
func TestSealedByKeyring(t *testing.T) {
	text, asked := []byte(`{"cookies":[],"origins":[]}`), 0
	var kept []byte
	ring := func(create bool) ([]byte, error) {
		if asked++; kept == nil && !create {
			return nil, errors.New("it has no such key")
		}
		if kept == nil {
			kept = bytes.Repeat([]byte{7}, 32)
		}
		return kept, nil
	}
	k := NewKey("", ring)
	if got, err := k.Seal(text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("before the keyring was asked: %q, %v", got, err)
	}
	if got, err := k.Prepare(); got != Keyring || err != nil {
		t.Fatal(got, err)
	}
	one, err := k.Seal(text)
	if err != nil || SealingOf(one) != Keyring || k.Sealing() != Keyring || bytes.Contains(one, []byte("cookies")) {
		t.Fatalf("%q, %v", one, err)
	}
	if got, err := k.Open(one); err != nil || !bytes.Equal(got, text) || asked != 1 {
		t.Errorf("%q, %v; asked %d times", got, err, asked)
	}
	both := NewKey("correct horse", ring)
	if got, err := both.Open(one); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	if two, err := both.Seal(text); err != nil || SealingOf(two) != Passphrase {
		t.Errorf("%q, %v", two, err)
	}
	for i := range one {
		bad := bytes.Clone(one)
		bad[i] ^= 1
		if got, err := k.Open(bad); err == nil && SealingOf(bad) != Plain {
			t.Errorf("byte %d: %q", i, got)
		}
	}
	kept = bytes.Repeat([]byte{8}, 32)
	if _, err := NewKey("", ring).Open(one); err != errWrongRinged {
		t.Error(err)
	}
	kept = nil
	if _, err := NewKey("", ring).Open(one); err == nil || !strings.Contains(err.Error(), "it has no such key") {
		t.Error(err)
	}
}

// A name is one part of a path.
func TestStoreNames(t *testing.T) {
	s := &Store{Dir: "states"}
	for _, name := range []string{"shop", "a", "Shop-2.old_1", strings.Repeat("x", 64)} {
		if path, err := s.Path(name); err != nil || path != filepath.Join("states", name+".json") {
			t.Errorf("%s: %s, %v", name, path, err)
		}
	}
	for _, name := range []string{"", ".", "..", ".a", "-a", "a/b", `a\b`, "a b", "a:b", "ä", "a\x00", strings.Repeat("x", 65)} {
		if path, err := s.Path(name); err == nil {
			t.Errorf("%q: %s", name, path)
		}
	}
	if _, err := (&Store{}).Path("shop"); err == nil {
		t.Error("a store without a folder")
	}
}

// What an origin has stored is left out where it is not to be kept.
func TestOnly(t *testing.T) {
	const state = `{"cookies":[{"name":"a","value":"1"}],"origins":[` +
		`{"origin":"https://a.example","localStorage":[]},{"origin":"https://b.example","localStorage":[{"name":"k","value":"<v>"}]}]}`
	got, err := Only([]byte(state), func(origin string) bool { return origin == "https://b.example" })
	want := strings.Replace(state, `{"origin":"https://a.example","localStorage":[]},`, "", 1)
	if err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := Only([]byte(state), func(string) bool { return true }); err != nil || string(got) != state {
		t.Errorf("%s, %v", got, err)
	}
}
