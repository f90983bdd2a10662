package cdp

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// Concurrent equal calls become one. Calls that start while it runs share another one.
func TestShared(t *testing.T) {
	c, b, ctx, own := opened(t)
	b.mu.Lock()
	b.mute["List"] = true
	b.mu.Unlock()
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	ask := func() {
		all.Go(func() {
			v, err := Shared(ctx, own, "List", nil, func(raw json.RawMessage) (string, error) { return string(raw), nil })
			mu.Lock()
			defer mu.Unlock()
			if got[v]++; err != nil {
				t.Error(err)
			}
		})
	}
	calls := func() (ids []int64) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, m := range b.asked {
			var q struct {
				ID     int64
				Method string
			}
			if json.Unmarshal([]byte(m), &q) == nil && q.Method == "List" {
				ids = append(ids, q.ID)
			}
		}
		return ids
	}
	soonest := func(n int) []int64 {
		until.Holds(t, "the browser is asked", func() bool { return len(calls()) >= n })
		return calls()
	}
	ask()
	first := soonest(1)[0]
	for range 20 {
		ask()
	}
	until.Holds(t, "they wait for the next call", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.shared["List"].next != nil
	})
	b.say(fmt.Sprintf(`{"id":%d,"result":{"n":1}%s}`, first, of(own.ID())))
	second := soonest(2)[1]
	b.say(fmt.Sprintf(`{"id":%d,"result":{"n":2}%s}`, second, of(own.ID())))
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	n := 3
	until.Holds(t, "all have an answer", func() bool { // a late caller gets another call
		if ids := calls(); len(ids) >= n {
			b.say(fmt.Sprintf(`{"id":%d,"result":{"n":%d}%s}`, ids[n-1], n, of(own.ID())))
			n++
		}
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	if len(calls()) > 5 || got[`{"n":1}`] != 1 || got[`{"n":2}`] < 1 {
		t.Errorf("%d calls for 21 who asked: %v", len(calls()), got)
	}
}

// A URL of two million characters is cut while it is read, in all target events and lists.
func TestAddressesOfTargetsAreCut(t *testing.T) {
	for _, n := range []int{longestURL + 1, 20_000, 2_000_000} {
		url := "https://a.test/#" + strings.Repeat("A", n)
		info := `{"targetId":"T","type":"page","url":"` + url + `"}`
		for text, cut := range map[string]bool{
			`{"id":1073741824,"result":{"targetInfos":[` + info + `,` + info + `]},"sessionId":"S"}`:                    true,
			`{"id":7,"result":{"targetInfo":` + info + `}}`:                                                             true,
			`{"method":"Target.targetCreated","params":{"targetInfo":` + info + `},"sessionId":"S"}`:                    true,
			`{"method":"Target.targetInfoChanged","params":{"targetInfo":` + info + `},"sessionId":"S"}`:                true,
			`{"method":"Target.attachedToTarget","params":{"sessionId":"X","targetInfo":` + info + `},"sessionId":"S"}`: true,
			`{"id":7,"result":{"result":` + info + `}}`:                                                                 false,
		} {
			m, err := newReader(strings.NewReader(text + "\x00")).next(longestSaid)
			if err != nil || !json.Valid(m[:len(m)-1]) {
				t.Fatalf("%v: %.100s", err, m)
			}
			if (len(m) < 2*longestURL+1000) != cut && n > 2*longestURL || strings.Contains(string(m), url) == cut {
				t.Errorf("%.60s of %d: %d are left", text, len(text), len(m))
			}
		}
	}
}

// A request is measured before it is built, and the measured length is right.
func TestRequestText(t *testing.T) {
	for _, params := range []any{json.RawMessage(`{"a":"<"}`), map[string]json.RawMessage{"a": json.RawMessage(`"<"`)}, map[string]any{"a": "<"}} {
		m, err := request{5, "X.y", params, "S"}.text()
		if want := `{"id":5,"method":"X.y","params":{"a":"<"},"sessionId":"S"}` + "\x00"; err != nil || string(m) != want {
			t.Errorf("%s %v", m, err)
		}
	}
	for _, params := range []any{json.RawMessage(`{`), json.RawMessage(`{} {}`), map[string]json.RawMessage{"a": nil}} {
		if m, err := (request{5, "X.y", params, ""}).text(); err == nil {
			t.Errorf("%s", m)
		}
	}
	if _, err := (request{5, "X.y", json.RawMessage(`"` + strings.Repeat("<", longest) + `"`), ""}).text(); err == nil || !strings.Contains(err.Error(), "the browser's limit is 96") {
		t.Error(err)
	}
}
