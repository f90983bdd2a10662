package devtools

import (
	"fmt"
	"slices"
)

// addBreakpoint numbers a breakpoint that the browser has. It returns a copy.
func (s *scripts) addBreakpoint(b *Breakpoint) *Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	b.ID = fmt.Sprintf("b%d", s.last)
	s.breaks = append(s.breaks, b)
	return b.copied()
}

// placed notes where the browser has put a breakpoint.
func (s *scripts) placed(b *Breakpoint, browserID string, at []scriptLocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.browserID, b.Locations = browserID, []Location{}
	for _, l := range append(at, s.early[browserID]...) {
		b.Locations = append(b.Locations, s.at(l))
	}
	delete(s.early, browserID)
	b.Pending = len(b.Locations) == 0
}

// resolve takes Debugger.breakpointResolved: a breakpoint has met its script. That may be reported before the
// breakpoint itself is known here. The lock is held.
func (s *scripts) resolve(e map[string]any) {
	id, at := str(e, "breakpointId"), sub(e, "location")
	place := scriptLocation{str(at, "scriptId"), num(at, "lineNumber"), num(at, "columnNumber")}
	i := slices.IndexFunc(s.breaks, func(b *Breakpoint) bool { return b.browserID == id })
	if i < 0 {
		s.early[id] = append(s.early[id], place)
		return
	}
	b := s.breaks[i]
	if l := s.at(place); !slices.Contains(b.Locations, l) {
		b.Locations = append(b.Locations, l)
		b.Pending = false
	}
}

// breakpointsIn are the breakpoints in scripts of a URL.
func (s *scripts) breakpointsIn(url string) (list []*Breakpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.breaks {
		if b.re.MatchString(url) {
			list = append(list, b)
		}
	}
	return list
}

// hit are the ids of breakpoints by the browser's ids.
func (s *scripts) hit(browserIDs []string) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range browserIDs {
		for _, b := range s.breaks {
			if b.browserID == id {
				ids = append(ids, b.ID)
			}
		}
	}
	return ids
}

func (s *scripts) removeBreakpoints(browserIDs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks = slices.DeleteFunc(s.breaks, func(b *Breakpoint) bool { return slices.Contains(browserIDs, b.browserID) })
}
