package provider_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// world is pages with labels, as a session has them.
type world struct {
	mu     sync.Mutex
	open   map[string]bool
	labels map[string]string
	busy   map[string]string   // page -> what acts on it
	order  map[string][]string // page -> the ids of what acted on it
	faults []string
}

func newWorld() *world {
	return &world{open: map[string]bool{"p1": true, "p2": true, "p3": true, "p4": true}, labels: map[string]string{},
		busy: map[string]string{}, order: map[string][]string{}}
}

func (w *world) Active() string      { return "p1" }
func (w *world) Known(h string) bool { return slices.Contains([]string{"p1", "p2", "p3", "p4"}, h) }

func (w *world) page(name string) (string, error) {
	if name == "" {
		name = "p1"
	}
	if p := w.labels[name]; p != "" {
		name = p
	}
	if !w.open[name] {
		return "", fmt.Errorf("no page %s", name)
	}
	return name, nil
}

type worldIn struct {
	ID    string `json:"id" doc:"of the call"`
	PID   string `json:"pid,omitempty" doc:"page"`
	Label string `json:"label,omitempty" doc:"label"`
}

// do is one call: what it did, on which page.
func (w *world) do(tool, page string, in worldIn, pause func()) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if tool == "close" {
		page = in.PID
	}
	p, err := w.page(page)
	if err != nil {
		return "", err
	}
	if other := w.busy[p]; other != "" && tool != "read" {
		w.faults = append(w.faults, fmt.Sprintf("%s began on %s while %s acted", in.ID, p, other))
	}
	if tool != "read" {
		w.busy[p] = in.ID
		defer delete(w.busy, p)
	}
	w.mu.Unlock()
	pause()
	w.mu.Lock()
	if tool != "read" {
		w.order[p] = append(w.order[p], in.ID)
	}
	switch tool {
	case "close":
		delete(w.open, p)
		maps.DeleteFunc(w.labels, func(_, of string) bool { return of == p })
	case "label":
		if of := w.labels[in.Label]; of != "" && of != p {
			return "", fmt.Errorf("%s is %s already", in.Label, of)
		}
		maps.DeleteFunc(w.labels, func(_, of string) bool { return of == p })
		w.labels[in.Label] = p
	}
	return tool + " " + p, nil
}

// tools are the tools that work on the world. A call pauses for some other goroutines to run.
func (w *world) tools() []*provider.Tool {
	define := func(name string, effect provider.Effect, more func(*provider.Spec)) *provider.Tool {
		spec := provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute, Effect: effect}
		more(&spec)
		return provider.Define(spec, func(ctx context.Context, in worldIn) (string, error) {
			return w.do(name, provider.RequestFrom(ctx).Page, in, func() {
				for range rand.IntN(20) {
					runtime.Gosched()
				}
			})
		})
	}
	return []*provider.Tool{define("act", provider.Acts, func(*provider.Spec) {}), define("read", provider.Reads, func(*provider.Spec) {}),
		define("label", provider.Switches, func(s *provider.Spec) { s.Labels = true }),
		define("close", provider.Switches, func(s *provider.Spec) { s.Target = "pid" })}
}

// TestLabelsKeepTheOrder: whatever requests come, by handle or by label, each answers what it
// would answer if they ran one after the other, and acts of one page run in the order of their
// requests. The answers of calls that name a page the same way leave in order, too.
func TestLabelsKeepTheOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		names := []string{"", "p1", "p2", "p3", "p4", "cart", "shop", "login"}
		var input bytes.Buffer
		model, want, answers := newWorld(), map[string]string{}, map[string][]string{}
		for i := range 40 {
			id, page := fmt.Sprint(i), names[r.IntN(len(names))]
			tool, in := []string{"act", "act", "read", "read", "label", "close"}[r.IntN(6)], worldIn{ID: id}
			switch {
			case tool == "label":
				in.Label = names[5+r.IntN(3)]
			case tool == "close" && (page == "" || page == "p1" || r.IntN(2) == 0): // p1 stays active
				tool = "read"
			case tool == "close":
				if in.PID, page = page, ""; model.labels[in.PID] == "p1" {
					in.PID = "p4"
				}
			}
			said, err := model.do(tool, page, in, func() {})
			if want[id] = said; err != nil {
				want[id] = "error"
			}
			answers[page] = append(answers[page], id)
			line, _ := json.Marshal(map[string]any{"id": i, "method": tool, "params": in})
			if page != "" {
				line = append(line[:len(line)-1], fmt.Sprintf(`,"page":%q}`, page)...)
			}
			input.Write(append(line, '\n'))
		}
		w := newWorld()
		var out bytes.Buffer
		stdio := &wire.Stdio{Table: provider.NewTable(w.tools(), provider.TableOptions{}), Pages: w}
		if _, err := stdio.Serve(t.Context(), strings.NewReader(input.String()), &out); err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for lines := bufio.NewScanner(&out); lines.Scan(); {
			var reply struct {
				ID            json.Number
				Result, Error string
			}
			if err := json.Unmarshal(lines.Bytes(), &reply); err != nil {
				t.Fatal(err)
			}
			got := reply.Result
			if reply.Error != "" {
				got = "error"
			}
			if id := reply.ID.String(); got != want[id] {
				t.Errorf("seed %d: %s answers %q (%s), and one after the other %q", seed, id, got, reply.Error, want[id])
			}
			place[reply.ID.String()] = len(place)
		}
		for page, ids := range answers {
			if !slices.IsSortedFunc(ids, func(a, b string) int { return place[a] - place[b] }) {
				t.Errorf("seed %d: the answers of %q left in another order than %v", seed, page, ids)
			}
		}
		if !maps.EqualFunc(w.order, model.order, slices.Equal) || len(w.faults) > 0 {
			t.Errorf("seed %d: acts ran as %v, not as %v; %v", seed, w.order, model.order, w.faults)
		}
		if t.Failed() {
			t.Fatal(input.String())
		}
	}
}

// TestLabelsOverHTTP: where each answer has its own way back, a call by a label keeps its order
// with all but reads.
func TestLabelsOverHTTP(t *testing.T) {
	t.Parallel()
	table := provider.NewTable(newWorld().tools(), provider.TableOptions{})
	touch := func(line string) provider.Touch { return table.Touch(table.Parse(json.RawMessage(line))) }
	label := `{"id":1,"method":"label","params":{"id":"1","label":"cart"},"page":"p2"}`
	act := `{"id":1,"method":"act","params":["1"],"page":"%s"}`
	read := `{"id":1,"method":"read","params":{"id":"1","page":"%s"}}`
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"id":"1","page":"%s"}}}`
	for _, c := range []struct {
		earlier, later string
		waits          bool
	}{
		{label, fmt.Sprintf(act, "p3"), true},
		{fmt.Sprintf(act, "p3"), label, true},
		{fmt.Sprintf(act, "p3"), fmt.Sprintf(act, "cart"), true},
		{fmt.Sprintf(act, "cart"), fmt.Sprintf(act, "p2"), true},
		{fmt.Sprintf(act, "p2"), fmt.Sprintf(act, "p3"), false},
		{fmt.Sprintf(act, "p2"), fmt.Sprintf(act, "p2"), true},
		{fmt.Sprintf(act, "p2"), `{"id":2,"method":"read","params":["1"]}`, true}, // it may be on p2
		{fmt.Sprintf(read, "p2"), fmt.Sprintf(act, "p2"), true},
		{fmt.Sprintf(read, "p2"), fmt.Sprintf(read, "p2"), false},
		{fmt.Sprintf(act, "p2"), fmt.Sprintf(call, "act", "p2"), true},
		{fmt.Sprintf(act, "p2"), fmt.Sprintf(call, "act", "p3"), false},
		{fmt.Sprintf(read, "p2"), fmt.Sprintf(call, "read", "p2"), false},
		{fmt.Sprintf(read, "p2"), `{"id":2,"method":"nope","page":"p2"}`, false},
	} {
		if got := touch(c.earlier).Before(touch(c.later)); got != c.waits {
			t.Errorf("%s after %s waits: %v", c.later, c.earlier, got)
		}
	}
}
