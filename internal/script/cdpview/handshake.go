package cdpview

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"net"
	"net/http"
)

// The answer to a WebSocket's key is no secret, and no check of the client: it tells
// the client that a server understood it. Chromium answers whatever key it is sent, and
// go-rod sends "nil". The library below wants one of 16 bytes. So a client that sends
// another key is answered for the key that it sent; all else is checked as before.

const keyName = "Sec-Websocket-Key"

// keyed is a request, and the way to answer it, whose key the library takes. bare: the
// client sent a key that is none.
func keyed(w http.ResponseWriter, r *http.Request) (_ http.ResponseWriter, _ *http.Request, bare bool) {
	sent := r.Header[keyName]
	if len(sent) != 1 || sent[0] == "" {
		return w, r, false
	}
	if raw, err := base64.StdEncoding.DecodeString(sent[0]); err == nil && len(raw) == 16 {
		return w, r, false
	}
	var random [16]byte
	_, _ = rand.Read(random[:])
	ours := base64.StdEncoding.EncodeToString(random[:])
	r = r.Clone(r.Context())
	r.Header.Set(keyName, ours)
	return &rekeyed{w, accept(ours), accept(sent[0])}, r, true
}

// accept is the answer to a key (RFC 6455, 4.2.2).
func accept(key string) []byte {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return []byte(base64.StdEncoding.EncodeToString(sum[:]))
}

// rekeyed answers for the key that the client sent.
type rekeyed struct {
	http.ResponseWriter
	ours, theirs []byte
}

// Hijack is how a WebSocket takes the connection: http.Hijacker.
func (w *rekeyed) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return &rekeyedConn{Conn: c, of: w}, rw, nil
}

type rekeyedConn struct {
	net.Conn
	of *rekeyed // nil once the handshake is answered, which is the first write
}

// Write has the first text that is written carry the other answer, of the same length.
func (c *rekeyedConn) Write(p []byte) (int, error) {
	if c.of != nil {
		p = bytes.Replace(p, c.of.ours, c.of.theirs, 1)
		c.of = nil
	}
	return c.Conn.Write(p)
}
