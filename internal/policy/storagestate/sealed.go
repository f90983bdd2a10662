package storagestate

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/crypto/scrypt"
)

// Key encrypts states: with a passphrase, or else with a key from a keyring, or else not at all.
type Key struct {
	passphrase string
	ring       Ring

	mu     sync.Mutex
	ringed []byte                 // the key from the keyring, nil before it was had
	salts  map[Sealing][]byte     // of the states that Seal writes, none before the first
	aeads  map[string]cipher.AEAD // by kind and salt: making one may be slow
}

// Ring reads a key from a keyring. With create it makes one where there is none.
type Ring func(create bool) (key []byte, err error)

// NewKey makes a key of a passphrase, "" for none, and a keyring, nil for none.
func NewKey(passphrase string, ring Ring) *Key {
	if ring == nil {
		ring = func(bool) ([]byte, error) { return nil, errors.New("there is none") }
	}
	return &Key{passphrase: passphrase, ring: ring,
		salts: map[Sealing][]byte{}, aeads: map[string]cipher.AEAD{}}
}

// Sealing is how a state is encrypted.
type Sealing string

// The kinds of encryption.
const (
	Plain      Sealing = ""        // none
	Passphrase Sealing = "scrypt"  // scrypt makes the key of a passphrase and the salt
	Keyring    Sealing = "keyring" // HKDF makes the key of one from a keyring and the salt
)

// An encrypted state consists of this line, a salt, a nonce, and the state under AES-256-GCM.
func (s Sealing) line() []byte {
	return []byte("pwpipe state, encrypted (" + string(s) + ", AES-256-GCM) 1\n")
}

const (
	saltLength  = 16
	nonceLength = 12
	scryptN     = 1 << 17 // a third of a second and 128 MiB, once for a salt
	scryptR     = 8
	scryptP     = 1
)

// SealingOf reports how a state is encrypted.
func SealingOf(data []byte) Sealing {
	for _, s := range []Sealing{Passphrase, Keyring} {
		if bytes.HasPrefix(data, s.line()) {
			return s
		}
	}
	return Plain
}

// Prepare finds out how states will be encrypted. The error says why a keyring is not used.
func (k *Key) Prepare() (Sealing, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.passphrase != "" {
		return Passphrase, nil
	}
	if err := k.ask(true); err != nil {
		return Plain, err
	}
	return Keyring, nil
}

// ask reads the key from the keyring, once.
func (k *Key) ask(create bool) (err error) {
	if k.ringed == nil {
		k.ringed, err = k.ring(create)
	}
	return err
}

// Sealing is how Seal encrypts, as [Key.Prepare] has found it out.
func (k *Key) Sealing() Sealing {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.sealing()
}

func (k *Key) sealing() Sealing {
	switch {
	case k.passphrase != "":
		return Passphrase
	case k.ringed != nil:
		return Keyring
	}
	return Plain
}

// Seal encrypts a state.
func (k *Key) Seal(text []byte) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.sealing()
	if s == Plain {
		return text, nil
	}
	salt := k.salts[s]
	if salt == nil {
		salt = make([]byte, saltLength)
		_, _ = rand.Read(salt)
	}
	aead, err := k.derive(s, salt)
	if err != nil {
		return nil, err
	}
	head := slices.Concat(s.line(), salt)
	return slices.Concat(head, aead.Seal(nil, nil, text, head)), nil
}

// Open returns these errors.
var (
	errNoPassphrase = errors.New("it is encrypted, and there is no passphrase: " +
		"give it in PWPIPE_STATE_PASSPHRASE or with --state-passphrase-file")
	errWrongPassphrase = errors.New("it is encrypted with another passphrase, or was changed")
	errWrongRinged     = errors.New("it is encrypted with another key than the keyring has, or was changed")
)

// Open decrypts a state. It returns a state that is not encrypted as it is.
func (k *Key) Open(data []byte) ([]byte, error) {
	s := SealingOf(data)
	if s == Plain {
		return data, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	wrong := errWrongPassphrase
	if s == Keyring {
		wrong = errWrongRinged
		if err := k.ask(false); err != nil {
			return nil, fmt.Errorf("it is encrypted with a key from the keyring, and that can't be had: %w", err)
		}
	} else if k.passphrase == "" {
		return nil, errNoPassphrase
	}
	head := len(s.line()) + saltLength
	if len(data) < head {
		return nil, wrong
	}
	aead, err := k.derive(s, bytes.Clone(data[len(s.line()):head]))
	if err != nil {
		return nil, err
	}
	text, err := aead.Open(nil, nil, data[head:], data[:head])
	if err != nil {
		return nil, wrong
	}
	return text, nil
}

// derive makes the key for a salt. Seal uses the first salt, too, so most programs make only
// one key. The caller holds the lock.
func (k *Key) derive(s Sealing, salt []byte) (cipher.AEAD, error) {
	of := string(s) + string(salt)
	if aead := k.aeads[of]; aead != nil {
		return aead, nil
	}
	var key []byte
	var err error
	if s == Keyring {
		key, err = hkdf.Key(sha256.New, k.ringed, salt, "pwpipe state", 32)
	} else {
		key, err = scrypt.Key([]byte(k.passphrase), salt, scryptN, scryptR, scryptP, 32)
	}
	if err != nil {
		return nil, err
	}
	aead, err := sealer(key)
	if err != nil {
		return nil, err
	}
	k.aeads[of] = aead
	if k.salts[s] == nil {
		k.salts[s] = salt
	}
	return aead, nil
}

// sealer encrypts with AES-256-GCM. It writes a random nonce before what it encrypts.
func sealer(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
