package bench

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

const (
	clients  = 64
	sessions = 8
)

// BenchmarkService makes calls from 64 clients on 8 sessions over HTTP. Each
// client repeats a nav, a fill, a click and seven reads. It prints calls per
// second and the renderers' memory. With -other it measures both in turns.
func BenchmarkService(b *testing.B) {
	url, names := site(b), []string{"pwpipe"}
	if *other != "" {
		names = []string{"other", "pwpipe"}
	}
	speed, first, last := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for range *rounds {
			for _, name := range names {
				s, before, after := serviceRound(b, name, url)
				speed[name], first[name], last[name] = append(speed[name], s), append(first[name], before), append(last[name], after)
			}
		}
	}
	for _, name := range names {
		fmt.Printf("%s: %.0f calls a second; renderers %.0f MiB PSS after the first calls, %.0f after the last\n",
			name, median(speed[name]), median(first[name]), median(last[name]))
	}
}

// script is what a client repeats.
func script(url string) []call {
	read := call{tool: "txt", sel: "#h"}
	return []call{{tool: "nav", url: url}, read, read, {tool: "fill", sel: "[name=email]", text: "me"}, {tool: "vis", sel: "#o"}, read,
		{tool: "click", sel: "[type=submit]"}, read, {tool: "title"}, read}
}

// serviceRound starts a service, runs the clients, and ends it.
func serviceRound(t testing.TB, name, url string) (perSecond, before, after float64) {
	binary := *other
	if name == "pwpipe" {
		binary = pipetest.Binary(t)
	}
	s := pipetest.StartServiceOf(t, binary)
	defer s.Stop()
	s.T = t
	var open []pipetest.Session
	for range sessions {
		open = append(open, s.Open(nil))
	}
	each := max(1, *calls/10)
	round(t, open, url, 1)
	before = renderers(t, s.PID())
	begin := time.Now()
	round(t, open, url, each)
	perSecond = float64(clients*each*len(script(url))) / time.Since(begin).Seconds()
	return perSecond, before, renderers(t, s.PID())
}

// round makes every client run its script some times.
func round(t testing.TB, open []pipetest.Session, url string, times int) {
	var all sync.WaitGroup
	for i := range clients {
		c := open[i%sessions]
		all.Go(func() {
			for range times {
				for _, k := range script(url) {
					if r := c.Try(k.tool, c.With(k.members())); r.Error != nil {
						t.Errorf("%s: %s", k.tool, r.Error.Message)
					}
				}
			}
		})
	}
	all.Wait()
}
