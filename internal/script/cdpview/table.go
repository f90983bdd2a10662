package cdpview

import (
	_ "embed"
	"strings"
)

//go:embed table.txt
var tableText string

// table lists what clients may call: the name of a rule by method, and by "Domain.*".
var table = func() map[string]string {
	t := map[string]string{}
	for line := range strings.Lines(tableText) {
		switch f := strings.Fields(line); {
		case len(f) == 0 || strings.HasPrefix(f[0], "#"):
		case len(f) == 1:
			t[f[0]] = ""
		default:
			t[f[0]] = f[1]
		}
	}
	return t
}()

// ofBrowser reports whether a method may be called in a session with the browser. Other
// methods would affect the pages of all clients.
func ofBrowser(method string) bool {
	switch domain, _, _ := strings.Cut(method, "."); domain {
	case "Target", "Browser", "IO", "Tracing", "Fetch":
		return true
	}
	switch method {
	case "Security.setIgnoreCertificateErrors", "Storage.getCookies", "Storage.setCookies", "Storage.clearCookies":
		return true
	}
	return false
}

// ruleFor is the rule of a method, nil if it passes as it is. offered reports whether the
// method may be called at all, in a session with the browser (root) or with a target.
func ruleFor(method string, root bool) (_ rule, offered bool) {
	if root && !ofBrowser(method) {
		return nil, false
	}
	name, ok := table[method]
	if !ok {
		domain, _, dotted := strings.Cut(method, ".")
		if !dotted {
			return nil, false
		}
		if name, ok = table[domain+".*"]; !ok {
			return nil, false
		}
	}
	if name == "" || strings.HasPrefix(name, inLent) {
		return nil, true
	}
	rule := ruleNamed(name)
	return rule, rule != nil // a method whose rule is missing is refused
}

const inLent = "lent:"

// lentRule is the rule that a method has in lent tabs only, nil for none.
func lentRule(method string) rule {
	entry, listed := table[method]
	if domain, _, _ := strings.Cut(method, "."); !listed {
		entry = table[domain+".*"]
	}
	name, own := strings.CutPrefix(entry, inLent)
	if !own {
		return nil
	}
	return ruleNamed(name)
}
