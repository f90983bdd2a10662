package cdpview

import (
	_ "embed"
	"strings"
)

//go:embed table.txt
var tableText string

// table is what may be asked: the name of a rule by method, and by "Domain.*".
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

// ofBrowser is what a session with the browser may be asked. The rest of what
// Chromium does there, it does to the pages of all.
func ofBrowser(method string) bool {
	switch domain, _, _ := strings.Cut(method, "."); domain {
	case "Target", "Browser", "IO", "Tracing", "Fetch":
		return true
	}
	return method == "Security.setIgnoreCertificateErrors" || method == "Storage.getCookies" || method == "Storage.setCookies" || method == "Storage.clearCookies"
}

// ruleFor is the rule of a method, nil for what passes as it is; offered says
// whether it may be asked at all, of the browser (root) or one of its targets.
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
	return ruleNamed(name), true
}

const inLent = "lent:"

// lentRule is the rule that a method has in lent tabs, nil for none of its own.
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
