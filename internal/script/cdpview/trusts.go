package cdpview

// trusts judges Security.setIgnoreCertificateErrors. Asked of the browser, it would hold
// for everybody's pages: it is asked of each page instead that this client has a session
// with, now or later.
func trusts(c *command) error {
	ignore, err := param[bool](c, "ignore")
	if err != nil || !c.session.root {
		return err
	}
	for _, s := range c.targets.trust(ignore) {
		s.trusts(ignore)
	}
	return c.answers(none{})
}

// trusts has the session's page take certificates that are not valid, or no longer.
func (s *session) trusts(ignore bool) {
	s.Send("Security.setIgnoreCertificateErrors", map[string]any{"ignore": ignore}, nil)
}
