//go:build evidence

package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// BenchmarkWatched times a session's calls with and without a viewer, in turns on
// one service, and prints the medians of the rounds. Every fill and click changes
// the page, so there is something to see. The viewer receives the pictures and
// draws none: a person's browser is on another machine.
//
//	go test -tags evidence ./tests/bench -run '^$' -bench Watched -calls 60 -rounds 10
func BenchmarkWatched(b *testing.B) {
	const operator = "bench-operator"
	url := site(b)
	s := pipetest.StartService(b, "OPERATOR_KEY="+operator, "SESSION_TTL_MS=600000")
	own := s.Open(nil)
	kinds := []string{"nav", "fill", "click", "txt", "all"}
	taken := map[string]map[bool][]float64{}
	for _, k := range kinds {
		taken[k] = map[bool][]float64{}
	}
	pictures := 0
	turn := func(watched bool, times int, keep bool) {
		if watched {
			leave := look(b, s, own.ID, operator, &pictures)
			defer leave()
		}
		all := 0.0
		for _, k := range script(url) {
			n := 0.0
			for range times {
				begin := time.Now()
				own.Call(k.tool, own.With(k.members()))
				n += float64(time.Since(begin).Microseconds()) / 1000
			}
			all += n / float64(times)
			if keep && taken[k.tool] != nil {
				taken[k.tool][watched] = append(taken[k.tool][watched], n/float64(times))
			}
		}
		if keep {
			taken["all"][watched] = append(taken["all"][watched], all)
		}
	}
	turn(false, *calls, false)
	for b.Loop() {
		for i := range *rounds {
			for j := range 2 {
				turn((i+j)%2 == 0, *calls, true)
			}
		}
	}
	fmt.Printf("%d pictures; medians of %d rounds, ms a call\n", pictures, *rounds)
	for _, k := range kinds {
		alone, watched := median(taken[k][false]), median(taken[k][true])
		fmt.Printf("%-6s nobody looks %.2f, somebody does %.2f, ratio %.3f\n", k, alone, watched, watched/alone)
	}
}

// look watches a session as the page does, until leave.
func look(t testing.TB, s *pipetest.Service, id, key string, pictures *int) (leave func()) {
	t.Helper()
	req, _ := http.NewRequest("POST", s.URL+"/watch/login", strings.NewReader("key="+key))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	head := http.Header{"Origin": {s.URL}}
	for _, c := range resp.Cookies() {
		head.Set("Cookie", c.Name+"="+c.Value)
	}
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.URL, "http")+"/watch/socket", head)
	if err != nil {
		t.Fatal(err)
	}
	name := sha256.Sum256([]byte(id))
	say := func(v any) {
		text, _ := json.Marshal(v)
		_ = ws.WriteMessage(websocket.TextMessage, text)
	}
	say(map[string]any{"do": "look", "session": hex.EncodeToString(name[:8])})
	first, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for seen := false; ; {
			kind, _, err := ws.ReadMessage()
			if err != nil {
				return
			}
			if kind != websocket.BinaryMessage {
				continue
			}
			if *pictures++; !seen {
				seen = true
				close(first)
			}
			say(map[string]any{"do": "drawn"})
		}
	}()
	select {
	case <-first:
	case <-time.After(pipetest.Patience):
		t.Fatal("no picture came")
	}
	return func() { _ = ws.Close(); <-over }
}
