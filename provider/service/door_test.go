package service_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// TestClaimedLength: a body with too large a Content-Length is refused before any of it
// arrives.
func TestClaimedLength(t *testing.T) {
	t.Parallel()
	svc := outside(t)
	for _, path := range []string{"/rpc", "/mcp", "/tools/nav"} {
		for _, length := range []string{"1001", "10000000000"} {
			c, err := net.Dial("tcp", strings.TrimPrefix(svc.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n", path, pipetest.Key, length)
			// Well before the service gives up on a slow request (30 s).
			_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("%s, %s bytes: %v", path, length, err)
				continue
			}
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != 413 || !strings.Contains(string(text), "over 1000 bytes") {
				t.Errorf("%s, %s bytes: %d %s", path, length, resp.StatusCode, text)
			}
		}
	}
}
