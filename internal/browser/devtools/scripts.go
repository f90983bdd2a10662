package devtools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
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

// scripts are the scripts of a page, and the breakpoints in them: breakpoints move with
// their scripts.
type scripts struct {
	mu      sync.Mutex
	list    map[string]*Script // by the browser's id
	sources map[string]string  // texts of a few scripts
	breaks  []*Breakpoint
	early   map[string][]scriptLocation // of breakpoints that are still being set, by the browser's id
	last    int                         // number of the newest breakpoint
}

// add takes Debugger.scriptParsed. Thousands may come at once, so it does little.
func (s *scripts) add(e map[string]any) {
	url := str(e, "url")
	own := yes(sub(e, "executionContextAuxData"), "isDefault")
	if url == "" || url == calmURL || !own { // anonymous, or of a driver's own world
		return
	}
	first, last := num(e, "startLine"), num(e, "endLine")
	one := &Script{id: str(e, "scriptId"), URL: url, Line: first + 1, Lines: last - first + 1,
		Module: yes(e, "isModule"), SourceMap: str(e, "sourceMapURL"), mapURL: str(e, "sourceMapURL"),
		context: num(e, "executionContextId"), given: str(e, "embedderName"),
		inline: first > 0 || num(e, "startColumn") > 0}
	if strings.HasPrefix(one.SourceMap, "data:") {
		one.SourceMap = "inline"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list[one.id] = one
	resolved, _ := e["resolvedBreakpoints"].([]any)
	for _, r := range resolved {
		if r, ok := r.(map[string]any); ok {
			s.resolve(r)
		}
	}
}

// drop forgets the scripts of a document that is gone; context is 0 for all of them.
func (s *scripts) drop(context int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, one := range s.list {
		if context == 0 || one.context == context {
			delete(s.list, id)
			delete(s.sources, id)
		}
	}
	for _, b := range s.breaks {
		b.Locations = slices.DeleteFunc(b.Locations, func(l Location) bool { return s.list[l.script] == nil })
		b.Pending = len(b.Locations) == 0
	}
}

// script is a script by the browser's id, nil if there is none.
func (s *scripts) script(id string) *Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[id]
}

// edited notes that a script has another text.
func (s *scripts) edited(one *Script, lines int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one.Lines = lines
	delete(s.sources, one.id)
}

// location is a place with the URL of its script.
func (s *scripts) location(l scriptLocation) Location {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(l)
}

// at is location. The lock is held.
func (s *scripts) at(l scriptLocation) Location {
	out := Location{Line: l.LineNumber + 1, Column: l.ColumnNumber + 1, script: l.ScriptID}
	if one := s.list[l.ScriptID]; one != nil {
		out.URL = one.URL
	}
	return out
}

func (s *scripts) urls() []string {
	var list []string
	for _, one := range s.matching(func(string) bool { return true }) {
		list = append(list, one.URL)
	}
	return list
}

// matching are the scripts whose URL is accepted, in the order of their URLs.
func (s *scripts) matching(accept func(url string) bool) []*Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*Script
	for _, one := range s.list {
		if accept(one.URL) {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b *Script) int { return cmp.Or(strings.Compare(a.URL, b.URL), a.Line-b.Line) })
	return list
}

// Scripts lists the page's scripts whose URL holds a text, whatever its case,
// in the order of their URLs.
func (d *Debugger) Scripts(search string) []Script {
	list := []Script{}
	for _, s := range d.scripts.matching(func(url string) bool { return strings.Contains(strings.ToLower(url), strings.ToLower(search)) }) {
		list = append(list, *s)
	}
	return list
}

// source is a script's text: Debugger.getScriptSource. Few are kept.
func (d *Debugger) source(ctx context.Context, id string) (string, error) {
	s := &d.scripts
	s.mu.Lock()
	text, kept := s.sources[id]
	s.mu.Unlock()
	if kept {
		return text, nil
	}
	var reply struct{ ScriptSource string }
	if err := d.page.call(ctx, "Debugger.getScriptSource", map[string]any{"scriptId": id}, &reply); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sources) >= maxSources {
		clear(s.sources)
	}
	s.sources[id] = reply.ScriptSource
	return reply.ScriptSource, nil
}

// maxSources bounds the texts that are kept to show where the page paused.
const maxSources = 8
