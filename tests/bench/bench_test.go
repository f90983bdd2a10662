//go:build evidence

// Package bench times pwpipe and the servers that people would use instead. Absolute times say
// little about other machines: each number is from a run in which all servers did the same
// work, in turns.
//
//	go test -tags evidence ./tests/bench -run '^$' -bench Servers -calls 60 -rounds 5
//	go test -tags evidence ./tests/bench -run '^$' -bench Servers -servers node,pwpipe,playwright-mcp,devtools-mcp,agent-browser
//	go test -tags evidence ./tests/bench -run '^$' -bench Scripts -rounds 5
//	go test -tags evidence ./tests/bench -run '^$' -bench Service$ -other path/of/another/pwpipe
//	go test -tags evidence ./tests/bench -run '^$' -bench Service$ -serve '--browsers=8;--browsers=8 --drivers=1'
package bench

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/pipetest"
)

var (
	calls   = flag.Int("calls", 30, "calls of each kind in a round")
	rounds  = flag.Int("rounds", 3, "rounds, in each of which every server has its turn")
	servers = flag.String("servers", "node,pwpipe", "which: node, pwpipe, other, playwright-mcp, devtools-mcp, agent-browser")
	serve   = flag.String("serve", "", "flags of the services that BenchmarkService compares, with ; between services")
	other   = flag.String("other", "", "path of another pwpipe, to compare with")
)

func TestMain(m *testing.M) {
	reexec.Run() // BenchmarkPictures starts a driver
	pipetest.Main(m)
}

// site is a page with a form and two hundred links, on this machine.
func site(t testing.TB) string {
	var page strings.Builder
	page.WriteString(`<!doctype html><title>Login</title><h1 id="h">Sign in</h1>
<form onsubmit="return false"><input name="email"><input name="password" type="password">
<button type="submit" onclick="document.getElementById('o').textContent = 'welcome ' + document.querySelector('[name=email]').value">Go</button></form>
<div id="o"></div>`)
	for i := range 200 {
		fmt.Fprintf(&page, "<li>row %d <a href='#%d'>open %d</a></li>\n", i, i, i)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page.String()))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// measures are a server's values by kind, one per round.
type measures map[string][]float64

// kinds are the rows of the table, in order.
var kinds = []string{"start and first nav, ms", "nav, ms", "fill, ms", "click, ms", "click after 0.1 s, ms", "txt, ms", "vis, ms", "eval, ms", "title, ms",
	"shot, ms", "500 txt at once, ms each", "server processes, MiB PSS"}

// BenchmarkServers runs the servers in turns and prints medians, with the ratio to the first.
func BenchmarkServers(b *testing.B) {
	url, names := site(b), strings.Split(*servers, ",")
	taken := map[string]measures{}
	pipetest.Binary(b) // it may have to be built
	for b.Loop() {
		for range *rounds {
			for _, name := range names {
				if taken[name] == nil {
					taken[name] = measures{}
				}
				taken[name].round(b, name, url)
			}
		}
	}
	// A benchmark's log would cut them.
	fmt.Printf("medians of %d rounds\n%s\nfor docs: medians, and from the lowest round to the highest\n%s",
		*rounds, table(kinds, names, taken), ranges(kinds, names, taken))
}

// ranges are the rows of a table of docs: medians, and the lowest and the highest of all rounds.
func ranges(kinds, names []string, taken map[string]measures) string {
	var out strings.Builder
	short := func(v float64) string {
		switch {
		case v >= 100:
			return fmt.Sprintf("%.0f", v)
		case v >= 10:
			return fmt.Sprintf("%.1f", v)
		}
		return fmt.Sprintf("%.2f", v)
	}
	for _, kind := range kinds {
		fmt.Fprintf(&out, "| %s |", kind)
		for _, name := range names {
			if list := slices.Sorted(slices.Values(taken[name][kind])); len(list) > 0 {
				fmt.Fprintf(&out, " %s (%s–%s)", short(median(list)), short(list[0]), short(list[len(list)-1]))
			}
			fmt.Fprint(&out, " |")
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// round starts a server, does everything with it, and ends it.
func (m measures) round(t testing.TB, name, url string) {
	begin := time.Now()
	s := start(t, name)
	s.do(t, call{tool: "nav", url: url})
	m.add("start and first nav, ms", time.Since(begin))
	s.look(t)
	shot := t.TempDir() + "/shot.png"
	for _, k := range []struct {
		kind string
		n    int
		call func(i int) call
	}{
		{"nav", max(5, *calls/10), func(int) call { return call{url: url} }},
		{"fill", *calls, func(i int) call { return call{sel: "[name=email]", text: fmt.Sprintf("u%d", i)} }},
		{"click", *calls / 2, func(int) call { return call{sel: "[type=submit]"} }},
		{"click after 0.1 s", *calls / 2, func(int) call { return call{sel: "[type=submit]"} }},
		{"txt", *calls, func(int) call { return call{sel: "#h"} }},
		{"vis", *calls, func(int) call { return call{sel: "#o"} }},
		{"eval", *calls, func(i int) call { return call{text: fmt.Sprintf("1+%d", i)} }},
		{"title", *calls, func(int) call { return call{} }},
		{"shot", 10, func(int) call { return call{path: shot} }},
	} {
		var list []float64
		for i := range k.n + 3 { // the first three warm up
			c := k.call(i)
			tool, _, pause := strings.Cut(k.kind, " after ")
			if c.tool = tool; pause {
				time.Sleep(100 * time.Millisecond)
			}
			begin := time.Now()
			s.do(t, c)
			if i >= 3 {
				list = append(list, ms(time.Since(begin)))
			}
		}
		m[k.kind+", ms"] = append(m[k.kind+", ms"], median(list))
		if k.kind == "nav" {
			s.look(t)
		}
	}
	const many = 500
	if d := s.burst(t, many); d > 0 {
		m.add("500 txt at once, ms each", d/many)
	}
	if mib := pss(t, s.pid()); mib > 0 {
		m["server processes, MiB PSS"] = append(m["server processes, MiB PSS"], mib)
	}
	s.stop()
	_ = os.Remove(shot)
}

func (m measures) add(kind string, d time.Duration) { m[kind] = append(m[kind], ms(d)) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// table is the medians, one line per kind.
func table(kinds, names []string, taken map[string]measures) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "median\t%s\t\n", strings.Join(names, "\t"))
	for _, kind := range kinds {
		first := median(taken[names[0]][kind])
		fmt.Fprintf(w, "%s\t", kind)
		for _, name := range names {
			switch v := median(taken[name][kind]); {
			case v == 0:
				fmt.Fprint(w, "-\t")
			case name == names[0] || first == 0:
				fmt.Fprintf(w, "%.2f\t", v)
			default:
				fmt.Fprintf(w, "%.2f (%.2f)\t", v, v/first)
			}
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
	return out.String()
}
