//go:build evidence

package bench

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// tenActions are ten actions, as a model would write them in one call.
const tenActions = `for (let i = 0; i < 5; i++) { await page.fill('[name=email]', 'u' + i); await page.click('[type=submit]'); }`

// scriptKinds are the rows of the table of scripts.
var scriptKinds = []string{"start, nav, first script, ms", "first script, ms", "a script of nothing, ms", "ten actions in one, ms", "server processes, MiB PSS"}

// BenchmarkScripts runs scripts through execute and with Playwright's own API
// in the Node server, and prints the medians:
//
//	go test -tags evidence ./tests/bench -run '^$' -bench Scripts -rounds 5
func BenchmarkScripts(b *testing.B) {
	url, names := site(b), strings.Split(*servers, ",")
	taken := map[string]measures{}
	pipetest.Binary(b)
	for b.Loop() {
		for range *rounds {
			for _, name := range names {
				if taken[name] == nil {
					taken[name] = measures{}
				}
				taken[name].scripts(b, name, url)
			}
		}
	}
	fmt.Printf("medians of %d rounds\n%s", *rounds, table(scriptKinds, names, taken))
}

// scripts starts a server as a user of scripts would, and runs some.
func (m measures) scripts(t testing.TB, name, url string) {
	begin := time.Now()
	var s lines
	switch name {
	case "pwpipe":
		s = lines{pipetest.Start(t, "--profile", "agent")}
	case "other":
		s = lines{pipetest.StartCmd(t, exec.Command(*other, "--profile", "agent"))}
	default:
		s = start(t, name).(lines)
	}
	s.do(t, call{tool: "nav", url: url})
	run := func(code string) time.Duration {
		begin := time.Now()
		s.Call("execute", map[string]any{"code": code})
		return time.Since(begin)
	}
	m.add("first script, ms", run("return await page.title()"))
	m.add("start, nav, first script, ms", time.Since(begin))
	for _, k := range []struct{ kind, code string }{{"a script of nothing, ms", "return 1"}, {"ten actions in one, ms", tenActions}} {
		var list []float64
		for i := range *calls + 3 {
			if d := run(k.code); i >= 3 {
				list = append(list, ms(d))
			}
		}
		m[k.kind] = append(m[k.kind], median(list))
	}
	if mib := pss(t, s.pid()); mib > 0 {
		m["server processes, MiB PSS"] = append(m["server processes, MiB PSS"], mib)
	}
	s.stop()
}
