package watch_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"pwpipe/internal/pipetest"
)

// watched is a pipe whose page a person watches.
type watched struct {
	*pipetest.Pipe
	heard []string // events of kind person
}

// reply returns the next reply and keeps the events before it.
func (w *watched) reply() pipetest.Reply {
	w.T.Helper()
	for {
		line := w.Line()
		var r struct {
			pipetest.Reply
			Event, Type, Text string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			w.T.Fatalf("%q: %v", line, err)
		}
		if r.Event == "" && string(r.ID) == "null" { // reply to cancel
			continue
		}
		if r.Event == "" {
			return r.Reply
		}
		w.heard = append(w.heard, strings.TrimSuffix(r.Type+" "+r.Text, " "))
	}
}

// must reads a reply that must be a result.
func (w *watched) must(id int) string {
	w.T.Helper()
	r := w.reply()
	if string(r.ID) != fmt.Sprint(id) || r.Error != "" {
		w.T.Fatalf("asked %d, answered %s %s%s", id, r.ID, r.Result, r.Error)
	}
	return string(r.Result)
}

func (w *watched) ask(method string, params any, more ...any) string {
	w.T.Helper()
	return w.must(w.Request(method, params, more...))
}

// at clicks in the live picture, on an element of the watched page.
func (p person) at(box [4]float64) {
	p.T.Helper()
	p.does(fmt.Sprintf("const live = page.locator('#live'), b = await live.boundingBox(), [w, h] = await live.evaluate((c) => [c.width, c.height]); "+
		"await page.mouse.click(b.x + b.width * %v / w, b.y + b.height * %v / h)", box[0]+box[2]/2, box[1]+box[3]/2))
}
