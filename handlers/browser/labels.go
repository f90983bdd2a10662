package browser

import "pwpipe/provider"

// LabelPage gives a page a label, which names it in requests as its handle does. "" takes
// its label away.
func LabelPage(s *Session, p *Page, label string) error {
	t := &s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pages.Names[p] == "" {
		return t.missingPage(p.Name)
	}
	if other := t.pages.Label(p.Name, label); other != "" {
		return provider.Errorf(provider.KindArgs, "label: %s is %s already", label, other).
			WithHint("label-page with another label for %s, or none, frees it", other)
	}
	return nil
}

// LabelOf is a page's label, "" for none.
func LabelOf(s *Session, p *Page) string {
	s.table.mu.Lock()
	defer s.table.mu.Unlock()
	return s.pages.LabelOf(p.Name)
}
