package pipetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Reply is a reply of the plain dialect.
type Reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

// Request sends a request of the plain dialect and returns its id. params is an object,
// a slice, or nil; more adds members beside it, as key and value.
func (p *Pipe) Request(method string, params any, more ...any) int {
	p.T.Helper()
	p.last++
	m := map[string]any{"id": p.last, "method": method}
	if params != nil {
		m["params"] = params
	}
	for i := 0; i+1 < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
		if seconds, ok := more[i+1].(int); ok && more[i] == "timeout" {
			p.limit = max(p.limit, time.Duration(seconds)*time.Second)
		}
	}
	if p.session != "" {
		m["session_id"] = p.session
	}
	line, err := json.Marshal(m)
	if err != nil {
		p.T.Fatal(err)
	}
	p.send(string(line))
	return p.last
}

// Reply reads one reply.
func (p *Pipe) Reply() Reply {
	p.T.Helper()
	return Decode[Reply](p.T, p.Line())
}

// Try sends a request and reads its reply.
func (p *Pipe) Try(method string, params any, more ...any) Reply {
	p.T.Helper()
	id := p.Request(method, params, more...)
	r := p.Reply()
	if string(r.ID) != fmt.Sprint(id) {
		p.T.Fatalf("%s: asked %d, answered %s", method, id, r.ID)
	}
	return r
}

// patient are the tools whose own deadlines, of 5 and 10 s mostly, a busy machine may miss.
var patient = strings.Fields("nav reload back forward click dclick rclick tap fill clear check uncheck sel hover focus blur press type scroll " +
	"drag upload drop frame frames dialog dialogs txt text attr html vis value count all links box locator checked enabled editable table " +
	"markdown read response eval title url wait wait-text wait-request wait-response shot eshot snapshot screenshot search find " +
	"click-at key-down key-up mouse-move mouse-down mouse-up mouse-click wheel clip copy paste " +
	"expect-text expect-value expect-attr expect-count expect-visible expect-hidden expect-checked expect-enabled expect-focused " +
	"expect-snapshot expect-url expect-title expect-shot " +
	"new-ctx new-page open-ctx close-ctx use-page close-page pages front route unroute routes requests request offline headers throttle " +
	"har-record har-replay ws-mock ws-send ws-messages cookies set-cookie clear-cookies storage set-storage clear-storage save-state " +
	"load-state permit geolocation viewport device user-agent locale timezone media highlight " +
	"debug-break debug-breaks debug-unbreak debug-exceptions debug-blackbox debug-pause debug-wait debug-where debug-locals debug-eval " +
	"debug-step debug-resume debug-scripts execute code-list code-search code-read code-edit styles vitals")

// patience is the deadline that a tool gets as its timeout, 0 for its own.
func patience(tool string) int {
	const d = Patience - 10*time.Second
	switch {
	case slices.Contains(patient, tool):
		return int(d / time.Second)
	case tool == "session.create": // tools with a point in their names count milliseconds
		return int(d / time.Millisecond)
	}
	return 0
}

// Call is Try that must succeed; it returns the result as JSON. It has the suite's deadline
// in place of a tool's short one.
func (p *Pipe) Call(method string, params any, more ...any) string {
	p.T.Helper()
	p.logs = p.logs && method != "log-stop" || method == "log-start"
	own, _ := params.(Object)
	if _, given := own["timeout"]; !given && !p.logs && !slices.Contains(more, any("timeout")) {
		if d := patience(method); d > 0 {
			more = append(slices.Clip(more), "timeout", d)
		}
	}
	r := p.Try(method, params, more...)
	if r.Error != "" {
		p.T.Fatalf("%s %s: %s", method, shown(params), r.Error)
	}
	return string(r.Result)
}

// shown are parameters in a failure message: their beginning.
func shown(params any) string {
	s, _ := json.Marshal(params)
	return fmt.Sprintf("%.500s", s)
}

// Text is Call for a result that is a string. An outline that lacks something because the machine is
// busy is asked for again.
func (p *Pipe) Text(method string, params any, more ...any) (text string) {
	p.T.Helper()
	Eventually(p.T, "a whole outline", func() bool {
		text = Get[string](p, method, params, more...)
		return !strings.Contains(text, "(the browser was slow: ")
	})
	return text
}

// Fail is Try that must fail; it returns the error.
func (p *Pipe) Fail(method string, params any, more ...any) string {
	p.T.Helper()
	r := p.Try(method, params, more...)
	if r.Error == "" {
		p.T.Fatalf("%s %s: expected an error, got %.2000s", method, shown(params), r.Result)
	}
	return r.Error
}

// tries is how often a call is repeated that must fail with a certain text. After its
// deadline the page has a quarter of a second to report the obstacle. On a busy machine
// that may be too little, and the error says less.
const tries = 5

// Complains is Fail with a text in the error.
func (p *Pipe) Complains(text, method string, params any, more ...any) {
	p.T.Helper()
	var said string
	for range tries {
		if said = p.Fail(method, params, more...); strings.Contains(said, text) {
			return
		}
		if !strings.Contains(said, " after ") && !strings.Contains(said, " exceeded") {
			break
		}
	}
	p.T.Errorf("%s %s: got %s, want an error with %q", method, shown(params), said, text)
}
