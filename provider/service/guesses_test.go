package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/provider"
)

const (
	clientKey   = "the-key-of-clients"
	operatorKey = "the-key-of-the-operator"
	sessionID   = "s_0f8fad5b-d9cb-469f-a165-70867728950e"
)

// guarded starts a service with keys. It returns the address and the server.
func guarded(t *testing.T) (host string, s *server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s = newServer(ctx, Service{Table: testTable(), Grace: time.Second, Watch: func(context.Context, provider.Viewer) {},
		Door: Door{MaxBody: 1 << 20, Loopback: true, APIKey: clientKey, OperatorKey: operatorKey}})
	web := &http.Server{Handler: s.handler(), ConnContext: named, ReadHeaderTimeout: readHeaderTime}
	go func() { _ = web.Serve(l) }()
	t.Cleanup(func() { stop(); s.stop(); _ = web.Close() })
	return l.Addr().String(), s
}

// somebody sends requests from an address of this machine, on own connections.
type somebody struct {
	t    *testing.T
	host string
	web  *http.Client
}

func from(t *testing.T, host, address string) somebody {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	l, err := net.Listen("tcp", address+":0")
	if err != nil {
		t.Skipf("this machine has one loopback address only: %v", err)
	}
	_ = l.Close()
	return somebody{t, host, &http.Client{Transport: &http.Transport{DialContext: d.DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// at tries a key at one of the doors.
func (p somebody) at(door, key string, headers ...string) (status int, wait string) {
	p.t.Helper()
	method, path, body, header := "GET", "/openrpc.json", "", "X-Api-Key: "+key
	switch door {
	case "bearer":
		header = "Authorization: Bearer " + key
	case "ws":
		path = "/ws"
	case "health":
		path = "/healthz"
	case "tool":
		method, path, body = "POST", "/tools/echo", `["a"]`
	case "mcp":
		method, path, body = "POST", "/mcp", `{}`
	case "cdp":
		path = "/cdp/" + sessionID
	case "drain":
		path = "/drain"
	case "login":
		method, path, body, header = "POST", "/watch/login", "key="+key, "Content-Type: application/x-www-form-urlencoded"
	}
	req, _ := http.NewRequest(method, "http://"+p.host+path, strings.NewReader(body))
	for _, h := range append(headers, header) {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := p.web.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After")
}

// wrong sends guesses, and returns how many of the keys were checked.
func (p somebody) wrong(n int, door string, headers ...string) (heard int) {
	for i := range n {
		if status, _ := p.at(door, "guess-"+strconv.Itoa(i), headers...); status == 401 {
			heard++
		}
	}
	return heard
}

var doors = []string{"header", "bearer", "ws", "tool", "mcp", "cdp", "drain", "login"}

// TestGuessesStop: wrong keys are counted together at all doors. Above the bound even
// a right key is refused.
func TestGuessesStop(t *testing.T) {
	host, _ := guarded(t)
	guesser := from(t, host, "127.0.0.1")
	heard := 0
	for range 10 {
		for _, door := range doors {
			heard += guesser.wrong(1, door)
		}
	}
	if heard != wrongKeys {
		t.Errorf("%d wrong keys were looked at, want %d", heard, wrongKeys)
	}
	fresh := from(t, host, "127.0.0.1")
	for _, door := range doors {
		key := clientKey
		if door == "drain" || door == "login" {
			key = operatorKey
		}
		status, wait := fresh.at(door, key)
		if n, err := strconv.Atoi(wait); status != 429 || err != nil || n < 1 || n > 60 {
			t.Errorf("%s, the right key after the bound: %d, Retry-After %q", door, status, wait)
		}
	}
	for range 3 * wrongKeys { // a missing key is not a wrong one
		if status, _ := from(t, host, "127.0.0.2").at("header", ""); status != 401 {
			t.Fatalf("without a key: %d", status)
		}
	}
	if status, _ := from(t, host, "127.0.0.2").at("header", clientKey); status != 200 {
		t.Errorf("from another address: %d", status)
	}
}

// TestGuessesBesideClients: a client that had the right key before goes on at a
// guesser's address: on its connection, or with a session's id or a cookie.
func TestGuessesBesideClients(t *testing.T) {
	host, _ := guarded(t)
	connected, came := from(t, host, "127.0.0.1"), from(t, host, "127.0.0.1")
	session := "X-Session-Id: " + sessionID
	if status, _ := connected.at("header", clientKey); status != 200 {
		t.Fatal(status)
	}
	if status, _ := came.at("header", clientKey, session); status != 200 {
		t.Fatal(status)
	}
	from(t, host, "127.0.0.1").wrong(100, "header")
	for range 3 {
		if status, _ := connected.at("tool", clientKey); status != 200 && status != 400 {
			t.Errorf("over a connection that had the key: %d", status)
		}
	}
	again := from(t, host, "127.0.0.1")
	if status, _ := again.at("header", clientKey); status != 429 {
		t.Errorf("a new connection: %d", status)
	}
	if status, _ := again.at("header", clientKey, session); status != 200 {
		t.Errorf("with the id of a session: %d", status)
	}
	if status, _ := from(t, host, "127.0.0.1").at("header", clientKey, "Mcp-Session-Id: "+sessionID); status != 200 {
		t.Errorf("with the id as MCP has it: %d", status)
	}
}

// TestProofsBound: proof of being a client does not prove an operator, and a proof
// allows no further guesses.
func TestProofsBound(t *testing.T) {
	host, _ := guarded(t)
	client := from(t, host, "127.0.0.1")
	heard, session := 0, "X-Session-Id: "+sessionID
	for range 3 * wrongKeys {
		client.at("header", clientKey, session)
		heard += client.wrong(1, "drain", session)
	}
	if heard != wrongKeys {
		t.Errorf("a client had %d keys of the operator's looked at, want %d", heard, wrongKeys)
	}
	heard = 0
	for range 5 * wrongKeys {
		client.at("header", clientKey, session)
		heard += client.wrong(1, "header", session)
	}
	if heard > wrongKeys {
		t.Errorf("with the right key in between %d wrong ones were looked at, want %d at most", heard, wrongKeys)
	}
}

// TestGuessesOfMany: guesses of all addresses are bounded together. Clients that had
// a right key are not locked out. A minute later all are served again.
func TestGuessesOfMany(t *testing.T) {
	host, s := guarded(t)
	if status, _ := from(t, host, "127.0.0.99").at("header", clientKey); status != 200 {
		t.Fatal(status)
	}
	heard := 0
	for i := range 15 {
		heard += from(t, host, "127.0.0."+strconv.Itoa(i+1)).wrong(wrongKeys, "header")
	}
	if heard != wrongOfAll {
		t.Errorf("%d wrong keys were looked at, want %d", heard, wrongOfAll)
	}
	if status, _ := from(t, host, "127.0.0.98").at("header", clientKey); status != 429 {
		t.Errorf("a stranger: %d", status)
	}
	if status, _ := from(t, host, "127.0.0.99").at("header", clientKey); status != 200 {
		t.Errorf("an address that had the right key: %d", status)
	}
	s.guesses.mu.Lock()
	s.guesses.clock = func() time.Time { return time.Now().Add(wrongTime) }
	s.guesses.mu.Unlock()
	if status, _ := from(t, host, "127.0.0.98").at("header", clientKey); status != 200 {
		t.Errorf("a stranger, a minute later: %d", status)
	}
	if status, _ := from(t, host, "127.0.0.1").at("header", clientKey); status != 200 {
		t.Errorf("a guesser, a minute later: %d", status)
	}
	from(t, host, "127.0.0.98").wrong(1, "header")
	if n := len(s.guesses.wrong); n > 2 {
		t.Errorf("%d addresses are remembered, a minute later", n)
	}
}

// Event streams whose clients never begin are bounded. A client that has begun takes no place of
// theirs.
func TestStreamsWithoutSession(t *testing.T) {
	host, _ := guarded(t)
	open := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/sse", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Api-Key", clientKey)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Body.Close() })
		return a.StatusCode
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "older", Version: "1"}, nil).Connect(t.Context(),
		&mcp.SSEClientTransport{Endpoint: "http://" + host + "/sse", HTTPClient: &http.Client{Transport: keyed(clientKey)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	statuses := map[int]int{}
	for range 40 {
		statuses[open()]++
	}
	if statuses[http.StatusOK] != 32 || statuses[http.StatusTooManyRequests] != 8 {
		t.Errorf("40 streams: %v", statuses)
	}
	if list, err := client.ListTools(t.Context(), nil); err != nil || len(list.Tools) == 0 {
		t.Errorf("the client that had begun: %v", err)
	}
}

// keyed adds the key to requests.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Api-Key", string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// TestRate: above the limit of an address, or of a team wherever it is, its requests are refused, but not those about
// health. A team's own limit is in the place of the service's. Teams, and those without a key, are counted apart.
func TestRate(t *testing.T) {
	own, ownHash := NewKey()
	plain, plainHash := NewKey()
	file := filepath.Join(t.TempDir(), "keys.json")
	text := fmt.Sprintf(`{"teams":[{"name":"own","keys":[%q],"rate":8},{"name":"plain","keys":[%q]}]}`, ownHash, plainHash)
	err := os.WriteFile(file, []byte(text), 0o600)
	keys, unread := ReadKeys(file, nil)
	if err = errors.Join(err, unread); err != nil {
		t.Fatal(err)
	}
	one, teams := Door{APIKey: clientKey}, Door{Keys: keys}
	for _, c := range []struct {
		door       Door
		rate       int // the service's
		key        string
		status, of int    // what is answered, and to how many of 40 requests from two addresses
		other      string // a key that may go on
	}{{one, 5, clientKey, 200, 10, ""}, {one, 5, "", 401, 10, clientKey}, {teams, 1000, own, 200, 8, plain},
		{teams, 4, own, 200, 8, plain}, {teams, 8, plain, 200, 8, own}, {teams, 5, "", 401, 10, plain}} {
		c.door.MaxBody, c.door.Loopback, c.door.RatePerMinute = 1<<20, true, c.rate
		s := newServer(t.Context(), Service{Table: testTable(), Grace: time.Second, Door: c.door})
		web := httptest.NewServer(s.handler())
		t.Cleanup(func() { s.stop(); web.Close() })
		host, seen := strings.TrimPrefix(web.URL, "http://"), map[int]int{}
		clients := []somebody{from(t, host, "127.0.0.1"), from(t, host, "127.0.0.2")}
		for i := range 40 { // the limiter's window may restart in between
			status, wait := clients[i%2].at("header", c.key)
			if seen[status]++; status == 429 && wait == "" {
				t.Fatal("429 without Retry-After")
			}
		}
		if n := seen[c.status]; n < c.of || n > 2*c.of || n+seen[429] != 40 {
			t.Errorf("%d a minute, %d expected for %d of 40: %v", c.rate, c.status, c.of, seen)
		}
		if status, _ := clients[0].at("health", c.key); status != 200 {
			t.Errorf("health is limited too: %d", status)
		}
		if status, _ := clients[0].at("header", c.other); status == 429 {
			t.Errorf("%q is counted together with %q", c.other, c.key)
		}
	}
}
