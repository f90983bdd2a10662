package logins

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 names it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// totp makes codes that depend on the time (RFC 6238).
type totp struct {
	key    []byte
	hash   func() hash.Hash
	digits int
	period time.Duration
}

// hashes lists the hash functions of the RFC by name.
var hashes = map[string]func() hash.Hash{"": sha1.New, "SHA1": sha1.New, "SHA256": sha256.New, "SHA512": sha512.New}

// parseTOTP reads a secret in base32, as sites show it, or an otpauth: address. Its errors
// do not quote it.
func parseTOTP(text string) (t totp, err error) {
	t = totp{hash: sha1.New, digits: 6, period: 30 * time.Second}
	secret := text
	if strings.HasPrefix(text, "otpauth:") {
		u, err := url.Parse(text)
		if err != nil || u.Host != "totp" {
			return t, errors.New("the address is not otpauth://totp/…")
		}
		q := u.Query()
		secret = q.Get("secret")
		if t.hash = hashes[strings.ToUpper(q.Get("algorithm"))]; t.hash == nil {
			return t, errors.New("the address names a hash that is none of SHA1, SHA256 and SHA512")
		}
		if d := q.Get("digits"); d != "" {
			if t.digits, err = strconv.Atoi(d); err != nil || t.digits < 6 || t.digits > 8 {
				return t, errors.New("the address asks for digits that are not 6 to 8")
			}
		}
		if p := q.Get("period"); p != "" {
			n, err := strconv.Atoi(p)
			if err != nil || n < 1 || n > 600 {
				return t, errors.New("the address has a period that is not 1 to 600 seconds")
			}
			t.period = time.Duration(n) * time.Second
		}
	}
	plain := strings.TrimRight(strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(secret)), "=")
	t.key, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(plain)
	if err != nil || len(t.key) == 0 {
		return t, errors.New("the secret is not base32, nor an otpauth: address")
	}
	return t, nil
}

// step returns the number of the period that contains a time.
func (t totp) step(at time.Time) int64 { return at.Unix() / int64(t.period.Seconds()) }

func (t totp) code(step int64) string {
	mac := hmac.New(t.hash, t.key)
	_ = binary.Write(mac, binary.BigEndian, step)
	sum := mac.Sum(nil)
	n := binary.BigEndian.Uint32(sum[sum[len(sum)-1]&15:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", t.digits, n%uint32(math.Pow10(t.digits)))
}
