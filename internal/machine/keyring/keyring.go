// Package keyring keeps random keys in the platform's keyring: a Secret Service over D-Bus on
// Linux, the Keychain of macOS, the Credential Manager of Windows. It asks nobody: a keyring
// that is locked, or does not answer soon, is none.
package keyring

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// Size is the size of a key in bytes.
const Size = 32

// service is under what the keyring lists the keys.
const service = "pwpipe"

// patience is how long a keyring may take.
const patience = 5 * time.Second

// ErrNoKey says that the keyring has no key of that name.
var ErrNoKey = errors.New("it has no such key")

// ErrLate says that a keyring does not answer.
var ErrLate = fmt.Errorf("it has not answered in %s", patience)

// Key reads the key of a name. With create it makes one where there is none.
func Key(name string, create bool) ([]byte, error) {
	return soon(func() ([]byte, error) {
		if err := usable(); err != nil {
			return nil, err
		}
		text, err := keyring.Get(service, name)
		if errors.Is(err, keyring.ErrNotFound) {
			if !create {
				return nil, ErrNoKey
			}
			key := make([]byte, Size)
			_, _ = rand.Read(key)
			text = base64.StdEncoding.EncodeToString(key)
			if err = keyring.Set(service, name, text); err == nil {
				text, err = keyring.Get(service, name) // what it really keeps
			}
		}
		if err != nil {
			return nil, err
		}
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(key) != Size {
			return nil, errors.New("what it has is no key")
		}
		return key, nil
	})
}

// Check says why no key can be kept, nil if one can.
func Check() error {
	_, err := soon(func() ([]byte, error) { return nil, usable() })
	return err
}

// soon bounds the wait for a keyring.
func soon(ask func() ([]byte, error)) ([]byte, error) {
	type answer struct {
		key []byte
		err error
	}
	done := make(chan answer, 1)
	go func() {
		key, err := ask()
		done <- answer{key, err}
	}()
	select {
	case a := <-done:
		return a.key, a.err
	case <-time.After(patience):
		return nil, ErrLate
	}
}
