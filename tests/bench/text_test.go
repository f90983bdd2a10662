//go:build evidence

package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// BenchmarkText reads a text on the pipe and over HTTP, in turns. It also plans the
// answer to a dialog, which needs no browser: that measures the transport. Apart from
// it a text should cost the same on both.
//
//	go test -tags evidence ./tests/bench -run '^$' -bench 'Text$' -calls 500
func BenchmarkText(b *testing.B) {
	url := site(b)
	pipe, service := pipetest.Start(b), pipetest.StartService(b, "SESSION_TTL_MS=600000")
	session := service.Open(nil)
	pipe.Call("nav", pipetest.List(url))
	session.On("nav", map[string]any{"url": url})
	over := func(tool string, params map[string]any) func() {
		return func() { session.Call(tool, session.With(params)) }
	}
	on := func(tool string, params ...any) func() { return func() { pipe.Call(tool, params) } }
	ways := []struct {
		name string
		call func()
	}{
		{"pipe, dialog", on("dialog", "dismiss")}, {"pipe, txt", on("txt", "#h")}, {"pipe, page.text", on("page.text", "#h")},
		{"HTTP, dialog", over("dialog", map[string]any{"action": "dismiss"})},
		{"HTTP, txt", over("txt", map[string]any{"sel": "#h"})},
		{"HTTP, page.text", over("page.text", map[string]any{"selector": "#h"})},
	}
	taken := measures{}
	for b.Loop() {
		for i := range *calls + 3 { // the first three warm up
			for _, at := range rand.Perm(len(ways)) { // a call after the other server's finds colder caches
				w := ways[at]
				begin := time.Now()
				w.call()
				if i >= 3 {
					taken.add(w.name, time.Since(begin))
				}
			}
		}
	}
	transport := 0.0
	fmt.Printf("medians of %d calls, ms\n", *calls)
	for i, w := range ways {
		cost := median(taken[w.name])
		if i%3 == 0 {
			transport = cost
		}
		fmt.Printf("%-16s %.3f, less the transport %.3f\n", w.name, cost, cost-transport)
	}
}
