package cdpview

// trusts judges Security.setIgnoreCertificateErrors. Asked of the browser, it would hold
// for everybody's pages: it is asked of each page instead that this client has a session
// with, now or later.
func trusts(c *command) error {
	ignore, err := param[bool](c, "ignore")
	if err != nil || !c.session.root {
		return err
	}
	c.mu.Lock()
	changed := c.trusting != ignore
	c.trusting = ignore
	var pages []*session
	for _, s := range c.sessions {
		if changed && s.whole() {
			pages = append(pages, s)
		}
	}
	c.mu.Unlock()
	for _, s := range pages {
		s.trusts(ignore)
	}
	return c.answers(none{})
}

// whole says whether a session is with a page, and not with a part of one.
func (s *session) whole() bool { return !s.root && !s.tab && s.of == s.page }

// trusts has the session's page take certificates that are not valid, or no longer.
func (s *session) trusts(ignore bool) {
	s.Send("Security.setIgnoreCertificateErrors", map[string]any{"ignore": ignore}, nil)
}
