package recorder

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
)

// TestRequestsOfActions: which requests a person's actions are. B is a button, F a field, P one for a password,
// IN an action in a frame.
func TestRequestsOfActions(t *testing.T) {
	table, err := os.ReadFile("testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		actions, want, _ := strings.Cut(strings.TrimSpace(line), " =>")
		var got []string
		s := &browser.Session{Browser: &browser.Browser{}}
		s.Browser.Config.BaseURL = "http://a.test/"
		r := &recording{session: s, last: map[*browser.Page]done{}, timer: time.NewTimer(time.Hour),
			emit: func(l tool.Line) { got = append(got, l.Method+" "+string(l.Params)) }}
		list, framed := strings.CutSuffix(actions, "IN")
		list = strings.NewReplacer(`B}`, `"selector":"#b","about":{"tag":"button"}}`,
			`F}`, `"selector":"#f","about":{"tag":"input"}}`, `P}`, `"selector":"#p","about":{"tag":"input",
			"type":"password","label":"2!","name":"Your  PIN:","id":"pw"}}`).Replace(list)
		var all []json.RawMessage
		if err := json.Unmarshal([]byte("["+list+"]"), &all); err != nil {
			t.Fatal(actions, err)
		}
		for _, raw := range all {
			var how struct{ Update, Signal string }
			e := &event{}
			if json.Unmarshal(raw, &how) != nil || json.Unmarshal(raw, &e.Action) != nil {
				t.Fatal(actions)
			}
			if framed {
				e.Frame.Path = []string{"iframe"}
			}
			e.Signal.Name = how.Signal
			r.take(map[bool]string{how.Update != "": "actionUpdated", how.Signal != "": "signalAdded"}[true], e)
		}
		r.flush()
		if text := strings.Join(got, " "); text != strings.TrimSpace(want) {
			t.Errorf("%s\n got %s\nwant %s", actions, text, want)
		}
	}
}
