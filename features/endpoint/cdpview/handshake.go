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

// The answer to a WebSocket's key is no secret, and no check of the client: it shows the
// client that the server speaks WebSocket. Chromium answers to any key, and go-rod sends
// "nil", but the WebSocket library wants a key of 16 bytes. So it gets a key of ours, and
// the client the answer to its own; all else is checked as usual.

const keyName = "Sec-Websocket-Key"

// keyed returns a request with a key that the library takes, and the way to answer it. bare
// reports whether the client's own key is malformed.
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
	ours, client []byte // answers to the two keys
}

// Hijack is http.Hijacker: the WebSocket takes the connection.
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

// Write replaces the answer in the first text that is written by one of the same length.
func (c *rekeyedConn) Write(p []byte) (int, error) {
	if c.of != nil {
		p = bytes.Replace(p, c.of.ours, c.of.client, 1)
		c.of = nil
	}
	return c.Conn.Write(p)
}
