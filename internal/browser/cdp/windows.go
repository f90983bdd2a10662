package cdp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// opensWindow is the beginning of the event of a page that opens a window.
var opensWindow = []byte(`{"method":"Page.windowOpen",`)

// windowSides bound the size of a window that a page opens, to that of a large screen.
// A browser with a screen cuts windows to it. Ours has none, and the peer gives the new
// page any requested viewport, which can crash the browser.
var windowSides = map[string]int{"width=": 3840, "height=": 2160}

// modest is a message for the peer, in which no page requests a window larger than a
// screen.
func modest(m []byte) []byte {
	if !bytes.HasPrefix(m, opensWindow) {
		return m
	}
	var event, params map[string]json.RawMessage
	var features []string
	if json.Unmarshal(m[:len(m)-1], &event) != nil || json.Unmarshal(event["params"], &params) != nil ||
		json.Unmarshal(params["windowFeatures"], &features) != nil {
		return m
	}
	changed := false
	for i, f := range features {
		for name, most := range windowSides {
			side, ok := strings.CutPrefix(f, name)
			if n, err := strconv.Atoi(side); ok && (err != nil || n > most) {
				features[i], changed = name+strconv.Itoa(most), true
			}
		}
	}
	if !changed {
		return m
	}
	params["windowFeatures"], _ = json.Marshal(features)
	event["params"], _ = json.Marshal(params)
	text, _ := json.Marshal(event)
	return append(text, 0)
}
