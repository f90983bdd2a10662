//go:build evidence

package endpoint_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// go-rod sends an invalid key, and checks that the answer matches it.
func TestKeyOfRod(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPipe is quick")
	t.Parallel()
	p := pipetest.Start(t)
	p.Call("nav", []any{"about:blank"})
	at, _ := url.Parse(pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL)
	for key, want := range map[string]string{"nil": "Q67D9eATKx531lK8F7u2rqQNnNI=", "dGhlIHNhbXBsZSBub25jZQ==": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "": "400"} {
		_, _, r := upgrade(t, at, key)
		if got := r.Header.Get("Sec-WebSocket-Accept"); got != want && r.Status[:3] != want {
			t.Errorf("key %q: %s %q, expected %q", key, r.Status, got, want)
		}
	}
}

// TestFramesForRod: a client with an invalid key gets only text frames, as from
// Chromium. go-rod takes every frame for text, and panics at a close frame.
func TestFramesForRod(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPipe is quick")
	t.Parallel()
	p := pipetest.Start(t)
	p.Call("nav", []any{"about:blank"})
	at, _ := url.Parse(pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL)
	for key, last := range map[string]byte{"nil": 0x81, "dGhlIHNhbXBsZSBub25jZQ==": 0x88} {
		c, r, _ := upgrade(t, at, key)
		_ = c.SetReadDeadline(time.Now().Add(pipetest.Patience)) // on a timeout the last frame is another
		const text = `{"id":1,"method":"Browser.close"}`
		_, _ = c.Write(append([]byte{0x81, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)) // masked with zeros
		var first byte
		for { // frames are short: their length is one byte
			head := make([]byte, 2)
			if _, err := io.ReadFull(r, head); err != nil {
				break
			}
			if _, err := io.CopyN(io.Discard, r, int64(head[1])); err != nil {
				t.Fatal(err)
			}
			first = head[0]
		}
		if first != last {
			t.Errorf("key %q: the last frame begins with %x, want %x", key, first, last)
		}
	}
}

// upgrade requests a WebSocket with a key, on a new connection.
func upgrade(t *testing.T, at *url.URL, key string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	c, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_, _ = io.WriteString(c, "GET "+at.Path+" HTTP/1.1\r\nHost: "+at.Host+"\r\nUpgrade: websocket\r\n"+
		"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "+key+"\r\n\r\n")
	buffered := bufio.NewReader(c)
	answer, err := http.ReadResponse(buffered, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, buffered, answer
}
