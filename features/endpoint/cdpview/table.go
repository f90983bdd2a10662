package cdpview

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed table.txt
var tableText string

// table lists what clients may call: the name of a rule by method, and by "Domain.*".
var table = func() map[string]string {
	t := map[string]string{}
	for line := range strings.Lines(tableText) {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(line, "#") {
			t[f[0]] = strings.Join(f[1:], " ")
		}
	}
	return t
}()

// ofBrowser reports whether a method may be called in a session with the browser. Other
// methods would affect the pages of all clients.
func ofBrowser(method string) bool {
	domain, _, _ := strings.Cut(method, ".")
	return slices.Contains([]string{"Target", "Browser", "IO", "Tracing", "Fetch"}, domain) ||
		slices.Contains([]string{"Security.setIgnoreCertificateErrors", "Storage.getCookies", "Storage.setCookies",
			"Storage.clearCookies"}, method)
}

// inLent begins the name of a rule that holds in lent tabs only.
const inLent = "lent:"

// ruleFor is the rule of a method, nil if it passes as it is. offered reports whether the
// method may be called at all, in a session with the browser (root), or with a target, which
// may be lent.
func ruleFor(method string, root, lent bool) (_ rule, offered bool) {
	name, listed := table[method]
	if domain, _, dotted := strings.Cut(method, "."); !listed && dotted {
		name, listed = table[domain+".*"]
	}
	if !listed || root && !ofBrowser(method) {
		return nil, false
	}
	inLentOnly := false
	if name, inLentOnly = strings.CutPrefix(name, inLent); name == "" || inLentOnly && !lent {
		return nil, true
	}
	rule := rules[name]
	return rule, rule != nil // a method whose rule is missing is refused
}
