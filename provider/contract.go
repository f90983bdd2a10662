package provider

import (
	"bytes"
	"encoding/json"

	"pwpipe/provider/internal/rawjson"
)

// String is the effect in one word.
func (e Effect) String() string {
	return [...]string{"acts", "reads", "waits", "destroys", "switches"}[e]
}

// String says who wrote the texts.
func (w Words) String() string {
	return [...]string{"a page's", "answers its own, errors a page's", "its own"}[w]
}

// contract is everything about a tool that clients can rely on.
type contract struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Doc         string          `json:"doc"`
	Profile     string          `json:"profile"`
	Also        []string        `json:"also,omitempty"`
	Timeout     string          `json:"timeout"`
	TimeoutUnit string          `json:"timeoutUnit,omitempty"`
	Effect      string          `json:"effect"`
	Words       string          `json:"words"`
	Marks       []string        `json:"marks,omitempty"`
	Closes      string          `json:"closes,omitempty"`
	Params      []string        `json:"params"`
	Input       json.RawMessage `json:"input"`
	Result      string          `json:"result"`
	Output      json.RawMessage `json:"output,omitempty"`
}

// Contract is everything about a tool that clients can rely on, as JSON for a file that
// shows changes to a reviewer.
func (t *Tool) Contract() string {
	c := contract{Name: t.Name, Title: t.Title, Doc: t.Doc, Profile: t.Profile, Also: t.Also, Timeout: t.Timeout.String(),
		Effect: t.Effect.String(), Words: t.Words.String(), Closes: t.Target, Params: []string{}, Input: rawjson.Encode(t.In), Result: t.resultWord()}
	if unit := unitName(t.TimeoutUnit); unit != "seconds" {
		c.TimeoutUnit = unit
	}
	if t.Alias.Of != "" {
		c.Marks = append(c.Marks, "second name of "+t.Alias.Of)
	}
	if t.Alias.Deprecated {
		c.Marks = append(c.Marks, "deprecated")
	}
	for _, mark := range []struct {
		name string
		set  bool
	}{{"runs scripts", t.Scripts}, {"holds steps", t.Steps}, {"works while paused", t.WhilePaused},
		{"needs no session", t.Sessionless}, {"never logged", t.Unlogged}, {"words its failures", t.Failed != nil}} {
		if mark.set {
			c.Marks = append(c.Marks, mark.name)
		}
	}
	for _, p := range t.Params { // the schema has their names in order too, but some readers lose the order
		c.Params = append(c.Params, p.Name)
	}
	if t.Out != nil {
		c.Output = rawjson.Encode(t.Out)
	}
	var b bytes.Buffer
	_ = json.Indent(&b, rawjson.Encode(c), "", "  ")
	return b.String() + "\n"
}
