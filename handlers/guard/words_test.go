package guard

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"pwpipe/internal/policy"
	"pwpipe/internal/policy/guardproxy"
)

// TestWordsOfFailures: behind the proxy an error reads as the browser's, or Node's, without it.
func TestWordsOfFailures(t *testing.T) {
	op := func(name string, err error) error { return fmt.Errorf("x: %w", &net.OpError{Op: name, Err: err}) }
	for _, c := range []struct {
		err        error
		word, node string
	}{
		{nil, "", "a redirect led to a host that can't be reached, or may not be"},
		{&policy.Refusal{}, "net::ERR_BLOCKED_BY_CLIENT", ""},
		{fmt.Errorf("%w: 502", guardproxy.ErrUpstream), "net::ERR_PROXY_CONNECTION_FAILED", ""},
		{op("proxyconnect", syscall.ECONNREFUSED), "net::ERR_PROXY_CONNECTION_FAILED", ""},
		{&net.DNSError{IsTimeout: true}, "net::ERR_NAME_NOT_RESOLVED", "getaddrinfo ENOTFOUND a.example"},
		{op("dial", syscall.ECONNREFUSED), "net::ERR_CONNECTION_REFUSED", "connect ECONNREFUSED a.example:443"},
		{op("dial", os.ErrDeadlineExceeded), "net::ERR_CONNECTION_TIMED_OUT", "connect ETIMEDOUT a.example:443"},
		{op("read", syscall.ECONNRESET), "net::ERR_CONNECTION_RESET", ""},
		{op("dial", syscall.EHOSTUNREACH), "net::ERR_ADDRESS_UNREACHABLE", ""},
		{op("dial", syscall.ENETUNREACH), "net::ERR_ADDRESS_UNREACHABLE", ""},
		{io.EOF, "net::ERR_EMPTY_RESPONSE", ""}, {io.ErrUnexpectedEOF, "net::ERR_EMPTY_RESPONSE", ""},
		{errors.New(`malformed HTTP response "x"`), "net::ERR_INVALID_HTTP_RESPONSE", ""}, {errors.New("y"), "", ""},
	} {
		if c.node == "" {
			c.node = c.err.Error()
		}
		if word, node := NetWord(c.err), nodeWord(c.err, "https://a.example/x"); word != c.word || node != c.node {
			t.Errorf("%v: %q, and %q of Node", c.err, word, node)
		}
	}
}
