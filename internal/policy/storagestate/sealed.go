package storagestate

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"slices"
	"sync"

	"golang.org/x/crypto/scrypt"
)

// Key encrypts states with a passphrase. A nil Key leaves them as they are.
type Key struct {
	passphrase []byte

	mu    sync.Mutex
	salt  []byte                 // of the states that Seal writes, nil before the first
	aeads map[string]cipher.AEAD // by salt: making one is slow
}

// NewKey makes a key of a passphrase, nil for an empty one.
func NewKey(passphrase string) *Key {
	if passphrase == "" {
		return nil
	}
	return &Key{passphrase: []byte(passphrase), aeads: map[string]cipher.AEAD{}}
}

// A sealed state consists of this line, a salt, a nonce, and the state, encrypted with
// AES-256-GCM. scrypt makes the key of the passphrase and the salt.
const sealedAs = "pwpipe state, encrypted (scrypt, AES-256-GCM) 1\n"

const (
	saltLength = 16
	scryptN    = 1 << 17 // a third of a second and 128 MiB, once for a salt
	scryptR    = 8
	scryptP    = 1
)

// IsSealed reports whether a state is encrypted.
func IsSealed(data []byte) bool { return bytes.HasPrefix(data, []byte(sealedAs)) }

// Seal encrypts a state.
func (k *Key) Seal(text []byte) ([]byte, error) {
	if k == nil {
		return text, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	salt := k.salt
	if salt == nil {
		salt = make([]byte, saltLength)
		_, _ = rand.Read(salt)
	}
	aead, err := k.derive(salt)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce)
	head := slices.Concat([]byte(sealedAs), salt)
	return aead.Seal(slices.Concat(head, nonce), nonce, text, head), nil
}

// Open returns these errors.
var (
	errNoKey    = errors.New("it is encrypted, and there is no passphrase: give it in PWPIPE_STATE_PASSPHRASE or with --state-passphrase-file")
	errWrongKey = errors.New("it is encrypted with another passphrase, or was changed")
)

// Open decrypts a state. It returns a state that is not encrypted as it is.
func (k *Key) Open(data []byte) ([]byte, error) {
	if !IsSealed(data) {
		return data, nil
	}
	if k == nil {
		return nil, errNoKey
	}
	head := len(sealedAs) + saltLength
	if len(data) < head {
		return nil, errWrongKey
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	aead, err := k.derive(bytes.Clone(data[len(sealedAs):head]))
	if err != nil {
		return nil, err
	}
	rest := data[head:]
	if len(rest) < aead.NonceSize() {
		return nil, errWrongKey
	}
	text, err := aead.Open(nil, rest[:aead.NonceSize()], rest[aead.NonceSize():], data[:head])
	if err != nil {
		return nil, errWrongKey
	}
	return text, nil
}

// derive makes the key for a salt. Seal uses the first salt, too, so most programs make only
// one key. The caller holds the lock.
func (k *Key) derive(salt []byte) (cipher.AEAD, error) {
	if aead := k.aeads[string(salt)]; aead != nil {
		return aead, nil
	}
	key, err := scrypt.Key(k.passphrase, salt, scryptN, scryptR, scryptP, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	k.aeads[string(salt)] = aead
	if k.salt == nil {
		k.salt = salt
	}
	return aead, nil
}
