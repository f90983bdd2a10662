package cdpview

// trusts is the rule of Security.setIgnoreCertificateErrors. Sent to the browser, it would
// hold for the pages of all clients: it is sent to each page instead that this client has a
// session with, now or later.
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

// trusts has the session's page accept certificates that are not valid, or no longer.
func (s *session) trusts(ignore bool) {
	s.Send("Security.setIgnoreCertificateErrors", map[string]any{"ignore": ignore}, nil)
}
