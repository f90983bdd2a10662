package storagestate

import (
	"bytes"
	"testing"
)

// TestSealed: a state can be read with its passphrase, but not without it, and not if it was
// changed.
func TestSealed(t *testing.T) {
	text := []byte(`{"cookies":[{"name":"a","value":"hunter2"}],"origins":[]}`)
	k := NewKey("correct horse")
	one, err := k.Seal(text)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := k.Seal(text)
	if bytes.Contains(one, []byte("hunter2")) || bytes.Contains(one, []byte("cookies")) || bytes.Equal(one, two) || !IsSealed(one) {
		t.Errorf("%q", one)
	}
	later := NewKey("correct horse")
	if got, err := later.Open(one); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	if three, _ := later.Seal(text); !bytes.Equal(three[:len(sealedAs)+saltLength], one[:len(sealedAs)+saltLength]) {
		t.Error("another salt: each save would make a key")
	}
	for i := range one {
		bad := bytes.Clone(one)
		bad[i] ^= 1
		if i <= len(sealedAs) || i >= len(sealedAs)+saltLength { // each salt takes long
			if got, err := k.Open(bad); bytes.Equal(got, text) || err == nil && IsSealed(bad) {
				t.Errorf("byte %d: %q, %v", i, got, err)
			}
		}
	}
	for n := range len(one) {
		if got, err := k.Open(one[:n]); n > len(sealedAs) && err == nil {
			t.Errorf("cut at %d: %q", n, got)
		}
	}
	if _, err := NewKey("wrong").Open(one); err != errWrongKey {
		t.Error(err)
	}
	var none *Key
	if _, err := none.Open(one); err != errNoKey {
		t.Error(err)
	}
	if got, err := none.Seal(text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := k.Open(text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("one that is not encrypted: %q, %v", got, err)
	}
	if NewKey("") != nil {
		t.Error("an empty passphrase is one")
	}
}
