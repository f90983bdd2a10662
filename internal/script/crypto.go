package script

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/dop251/goja"
)

var hashes = map[string]func() hash.Hash{"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New}

// hash digests data, with a key if there is one.
func (r *Runtime) hash(name string, data goja.Value, key goja.Value) (goja.Value, error) {
	newHash := hashes[strings.ToLower(strings.ReplaceAll(name, "-", ""))]
	if newHash == nil {
		return nil, fmt.Errorf("no digest %q; there are md5, sha1, sha256, sha384, sha512", name)
	}
	h := newHash()
	if !isMissing(key) {
		k, _ := bytesOf(key)
		h = hmac.New(newHash, k)
	}
	b, _ := bytesOf(data)
	h.Write(b)
	return r.bytes(h.Sum(nil)), nil
}

func (r *Runtime) random(n int) (goja.Value, error) {
	if n < 0 || n > 1<<20 {
		return nil, fmt.Errorf("0 to %d random bytes, not %d", 1<<20, n)
	}
	b := make([]byte, n)
	_, err := rand.Read(b)
	return r.bytes(b), err
}

// maxUnzipped bounds what a compressed text may grow to, in bytes.
const maxUnzipped = 64 << 20

// zip compresses and decompresses: gzip, gunzip, deflate, inflate.
func (r *Runtime) zip(how string, data goja.Value) (goja.Value, error) {
	in, ok := bytesOf(data)
	if !ok {
		in = []byte(data.String())
	}
	var out bytes.Buffer
	var err error
	write := func(w io.WriteCloser) error {
		_, err := w.Write(in)
		return errors.Join(err, w.Close())
	}
	read := func(rd io.Reader, err error) error {
		if err == nil {
			_, err = io.Copy(&out, io.LimitReader(rd, maxUnzipped))
		}
		return err
	}
	switch how {
	case "gzip":
		err = write(gzip.NewWriter(&out))
	case "deflate":
		err = write(zlib.NewWriter(&out))
	case "gunzip":
		err = read(gzip.NewReader(bytes.NewReader(in)))
	case "inflate":
		err = read(zlib.NewReader(bytes.NewReader(in)))
	}
	return r.bytes(out.Bytes()), err
}
