package endpoint_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A request below /json counts as a client while it runs.
func TestManyWhoAskForLists(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestPipe is quick")
	t.Parallel()
	svc, ours, _, _, _ := startPair(t)
	for range 15 {
		connect(t, svc, ours)
	}
	path := "/cdp/" + ours.ID + "/json/list"
	if status, body := fetched(t, svc.URL+path, "X-Api-Key", svc.Key); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	connect(t, svc, ours)
	if status, body := fetched(t, svc.URL+path, "X-Api-Key", svc.Key); status == http.StatusOK || !strings.Contains(body, "16 DevTools clients") {
		t.Errorf("beside 16 clients: %d %s", status, body)
	}
	// A request aborted by its client frees its place.
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(svc.URL, "http://"))
	for range 3 {
		at, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(at, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nX-Api-Key: %s\r\n\r\n", path, port, svc.Key))
		_ = at.Close()
	}
}

// Chromium parses the deepest nesting that pwpipe allows, and answers.
func TestNestedParams(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHostileClient is quick")
	t.Parallel()
	svc, ours, _, _, _ := startPair(t)
	c := connect(t, svc, ours)
	at := c.settle()
	for _, depth := range []int{297, 298, 9000} {
		id := c.next()
		nested := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		r := c.say(id, fmt.Sprintf(`{"id":%d,"sessionId":%q,"method":"Runtime.evaluate","params":{"expression":"1","x":%s}}`, id, at.session, nested))
		if deep := r.Error != nil && strings.Contains(r.Error.Message, "deep"); deep != (depth > 298) {
			t.Errorf("%d: %s %+v", depth, r.Result, r.Error)
		}
	}
	pipetest.Eventually(t, "the page goes on", func() bool { return c.evaluate(at.session, "'on'") == "on" })
}
