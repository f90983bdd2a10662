//go:build evidence

package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A hit of search says where it stands and what is nearest to act on, with its ref, which is of that element.
func TestSearchSaysWhereAndWhatToActOn(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	for _, c := range []struct {
		name, html, pattern string
		want                []string
		id                  string // of what is to be acted on
	}{
		{"words below a heading", `<h1>Shop</h1><h2>Returns</h2><p>Within <b>thirty</b> days</p><button id=a>Start</button><h2>Other</h2><button>No</button>`, "thirty",
			[]string{`below h2 "Returns":`, `(near button "Start" [ref=`}, "a"},
		{"words of an item", repeated(`<ul><li><h3>Lamp %d</h3><p>Bulb number %d</p><button id=b%d>Buy</button></li><li><p>x</p><button>Two</button></li></ul>`, 3), "Bulb number 1",
			[]string{`below h3 "Lamp 1":`, `(near button "Buy" [ref=`}, "b1"},
		{"words of a dialog", `<h1>Page</h1><button>Behind</button><dialog open aria-label=Invoice><h2>History</h2><p>Paid on Monday</p><p>and more</p><button id=c>Print</button></dialog>`, "Monday",
			[]string{`in dialog "Invoice", below h2 "History":`, `(near button "Print" [ref=`}, "c"},
		{"a row", `<h2>Orders</h2><table aria-label=Open>` + repeated(`<tr><td>Order %d<td>paid<td><button id=d%d>Show</button></tr>`, 4) + `</table>`, "Order 2",
			[]string{`in table "Open", below h2 "Orders":`, `row: Order 2 | paid | button "Show" [ref=`}, "d2"},
		{"a part with a name", `<section aria-label=Billing><form aria-label=Card><p>Ends in 4242</p><input aria-label=Code id=e></form></section><section aria-label=Other><p>x</p><button>Y</button></section>`, "4242",
			[]string{`in form "Card":`, `(near textbox "Code" [ref=`}, "e"},
		{"what can be clicked around it", `<h2>Mail</h2><div onclick=1 id=f><p>From Ann</p><p>Lunch on Friday at the harbour and then a walk along the whole of the coast to the lighthouse</p></div><button>Other</button>`, "lighthouse",
			[]string{`(near clickable [ref=`}, "f"},
		{"nothing to act on", `<p>Only words</p><h2>End</h2>`, "words", []string{`"Only words"`}, ""},
	} {
		show(p, c.html)
		got := p.Text("search", pipetest.Object{"pattern": c.pattern})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
		m := regexp.MustCompile(`\[ref=(\w+)\]`).FindAllStringSubmatch(got, -1)
		if c.id == "" {
			if m != nil {
				t.Errorf("%s: a ref in %s", c.name, got)
			}
			continue
		}
		if id := p.Text("attr", []string{m[len(m)-1][1], "id"}); id != c.id {
			t.Errorf("%s: the ref is that of %q, wanted %q:\n%s", c.name, id, c.id, got)
		}
	}

	show(p, `<h2>Orders</h2>`+repeated(`<p>Order %d</p><hr>`, 3)+`<h2>Returns</h2><p>Order 9</p>`)
	got := p.Text("search", pipetest.Object{"pattern": "Order \\d"})
	if strings.Count(got, "below h2") != 2 {
		t.Errorf("a place is said more than once:\n%s", got)
	}
}
