package devtools

import (
	"context"
	"slices"
	"strings"
)

// Script is a script that the page has loaded.
type Script struct {
	URL       string `json:"url" doc:"address; of the page, for one in its HTML"`
	Line      int    `json:"line" doc:"its first line in the file"`
	Lines     int    `json:"lines" doc:"how many"`
	Module    bool   `json:"module,omitempty" doc:"whether it is an ES module"`
	SourceMap string `json:"sourceMap,omitempty" doc:"address of its source map, or inline"`

	id      string
	mapURL  string
	given   string // the browser's own address of it, "" for one that a script made
	inline  bool   // it is a part of a document
	context int
}

// address is where the script was loaded from, or the document that contains it; "" for
// one that another script made.
func (s *Script) address() string {
	address, _, _ := strings.Cut(s.given, "#")
	return address
}

// last is the script's last line in its file.
func (s *Script) last() int { return s.Line + s.Lines - 1 }

// addScript handles Debugger.scriptParsed. Thousands may come at once, so it does
// little.
func (d *Debugger) addScript(e map[string]any) {
	d.page.heard.Add(1)
	aux, _ := sub(e, "executionContextAuxData")["isDefault"].(bool)
	url := str(e, "url")
	if url == "" || url == calmURL || !aux { // anonymous, or of a driver's own world
		return
	}
	s := &Script{id: str(e, "scriptId"), URL: url, Line: num(e, "startLine") + 1, Lines: num(e, "endLine") - num(e, "startLine") + 1,
		SourceMap: str(e, "sourceMapURL"), mapURL: str(e, "sourceMapURL"), context: num(e, "executionContextId"),
		given: str(e, "embedderName"), inline: num(e, "startLine") > 0 || num(e, "startColumn") > 0}
	s.Module, _ = e["isModule"].(bool)
	if strings.HasPrefix(s.SourceMap, "data:") {
		s.SourceMap = "inline"
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.scripts[s.id] = s
	resolved, _ := e["resolvedBreakpoints"].([]any)
	for _, r := range resolved {
		if r, ok := r.(map[string]any); ok {
			d.resolve(r)
		}
	}
}

// dropScripts removes the scripts of a document that is gone; context is 0 for all.
func (d *Debugger) dropScripts(context int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, s := range d.scripts {
		if context == 0 || s.context == context {
			delete(d.scripts, id)
			delete(d.sources, id)
		}
	}
	for _, b := range d.breaks {
		b.Locations = slices.DeleteFunc(b.Locations, func(l Location) bool { return d.scripts[l.script] == nil })
		b.Pending = len(b.Locations) == 0
	}
}

// Scripts lists the page's scripts whose URL contains a text, ignoring case, in the
// order of their URLs.
func (d *Debugger) Scripts(search string) []Script {
	list := []Script{}
	for _, s := range d.matching(func(url string) bool { return strings.Contains(strings.ToLower(url), strings.ToLower(search)) }) {
		list = append(list, *s)
	}
	return list
}

// scriptURLs are the URLs of the page's scripts.
func (d *Debugger) scriptURLs() []string {
	var list []string
	for _, s := range d.matching(func(string) bool { return true }) {
		list = append(list, s.URL)
	}
	return list
}

// matching are the scripts whose URL is accepted, in the order of their URLs.
func (d *Debugger) matching(accept func(url string) bool) []*Script {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []*Script
	for _, s := range d.scripts {
		if accept(s.URL) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *Script) int {
		if c := strings.Compare(a.URL, b.URL); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return list
}

// source is a script's text: Debugger.getScriptSource. Few texts are kept.
func (d *Debugger) source(ctx context.Context, id string) (string, error) {
	d.mu.Lock()
	text, ok := d.sources[id]
	d.mu.Unlock()
	if ok {
		return text, nil
	}
	var reply struct{ ScriptSource string }
	if err := d.page.call(ctx, "Debugger.getScriptSource", map[string]any{"scriptId": id}, &reply); err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.sources) >= maxSources {
		clear(d.sources)
	}
	d.sources[id] = reply.ScriptSource
	return reply.ScriptSource, nil
}

// maxSources bounds the texts that are kept to show where the page paused.
const maxSources = 8
