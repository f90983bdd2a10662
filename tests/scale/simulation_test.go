//go:build evidence && unix

package scale

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

const simulated = 500 // browsers

// BenchmarkSimulation measures the service's own cost of a hundred to ten thousand
// sessions on 500 browsers. The service is real, over HTTP. Each driver with its
// browser is replaced by a process that only answers (standin_test.go), because 500
// real ones do not fit here. So the result excludes Node, Chromium, pages, and pwpipe's
// requests to a browser past the driver.
func BenchmarkSimulation(b *testing.B) {
	dir := b.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "node")); err != nil {
		b.Fatal(err)
	}
	var at []string
	for n := range simulated {
		at = append(at, fmt.Sprintf("ws://127.0.0.1:9/%d", n))
	}
	svc := pipetest.StartService(b, "--cdp="+strings.Join(at, ","), "--lend-tabs=false", "PWPIPE_NODE="+filepath.Join(dir, "node"),
		"MAX_CONTEXTS=20000", "RATE_LIMIT_MAX=0", "ALLOW_HOST_REGEX=.*", "--session-ttl-ms=3600000")
	s := &simulation{b: b, svc: svc, web: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
	begin, empty := time.Now(), pipetest.PSS(svc.PID())
	first := s.open(simulated) // each starts a browser
	b.Logf("%d browsers begun in %s; %.0f KiB of the service's memory each", simulated, time.Since(begin).Round(time.Second), (pipetest.PSS(svc.PID())-empty)*1024/simulated)
	s.all(first.ids, s.close)
	for _, n := range []int{100, 1000, 10000} {
		before := pipetest.PSS(svc.PID())
		opened := s.open(n)
		grown := pipetest.PSS(svc.PID()) - before
		calls := s.all(opened.ids, s.dispatch)
		closed := s.all(opened.ids, s.close)
		b.Logf("%6d sessions: open %s, call %s, close %s; %.0f KiB each", n, spread(opened.took), spread(calls), spread(closed), grown*1024/float64(n))
	}
}

type simulation struct {
	b   *testing.B
	svc *pipetest.Service
	web http.Client
}

type opened struct {
	ids  []string
	took []time.Duration
}

const atOnce = 8 // clients

// open opens sessions.
func (s *simulation) open(n int) (o opened) {
	var mu sync.Mutex
	o.took = s.all(make([]string, n), func(string) {
		text := s.ask(`{"jsonrpc":"2.0","id":1,"method":"session.create"}`, "")
		_, id, _ := strings.Cut(text, `"session_id":"`)
		id, _, ok := strings.Cut(id, `"`)
		if !ok {
			s.b.Error(text)
		}
		mu.Lock()
		o.ids = append(o.ids, id)
		mu.Unlock()
	})
	return o
}

func (s *simulation) dispatch(id string) {
	if text := s.ask(`{"jsonrpc":"2.0","id":1,"method":"page.evaluate","params":{"expression":"1"}}`, id); !strings.Contains(text, `"result":{"result":1}`) {
		s.b.Error(text)
	}
}

func (s *simulation) close(id string) {
	if text := s.ask(`{"jsonrpc":"2.0","id":1,"method":"session.close","params":{"session_id":"`+id+`"}}`, id); !strings.Contains(text, `"result"`) {
		s.b.Error(text)
	}
}

func (s *simulation) ask(text, id string) string {
	r, err := http.NewRequest("POST", s.svc.URL+"/rpc", bytes.NewReader([]byte(text)))
	if err != nil {
		s.b.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", s.svc.Key)
	r.Header.Set("X-Session-Id", id)
	answer, err := s.web.Do(r)
	if err != nil {
		s.b.Error(err)
		return ""
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body)
}

// all does something for each item of a list, with some clients, and returns the times.
func (s *simulation) all(list []string, do func(string)) (took []time.Duration) {
	took = make([]time.Duration, len(list))
	var clients sync.WaitGroup
	for c := range atOnce {
		clients.Go(func() {
			for i := c; i < len(list); i += atOnce {
				begin := time.Now()
				do(list[i])
				took[i] = time.Since(begin)
			}
		})
	}
	clients.Wait()
	return took
}

// spread is the median of times, and the 99th percentile.
func spread(took []time.Duration) string {
	slices.Sort(took)
	return fmt.Sprintf("%.1f ms (%.1f)", took[len(took)/2].Seconds()*1000, took[len(took)*99/100].Seconds()*1000)
}
