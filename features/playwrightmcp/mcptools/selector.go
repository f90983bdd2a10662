package mcptools

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/provider"
)

var (
	reCall  = regexp.MustCompile(`^\.?(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)`)
	reFirst = regexp.MustCompile("^\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|(-?\\d+))" +
		"\\s*(?:,\\s*\\{(.*)\\}\\s*)?$")
	reName  = regexp.MustCompile(`\bname:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")`)
	reExact = regexp.MustCompile(`\bexact:\s*true\b`)
)

// engineOf maps methods of locators to the driver's selector engines.
var engineOf = map[string]string{"getByText": "internal:text=%s", "getByLabel": "internal:label=%s",
	"getByPlaceholder": "internal:attr=[placeholder=%s]", "getByAltText": "internal:attr=[alt=%s]",
	"getByTitle": "internal:attr=[title=%s]"}

// partWithout maps methods that take no text to parts of a selector.
var partWithout = map[string]string{"first": "nth=0", "last": "nth=-1", "contentFrame": "internal:control=enter-frame"}

// selectorOf makes a selector of a chain of locators. testID is the attribute of test ids.
func selectorOf(chain, testID string) (string, error) {
	refuse := provider.Errorf(provider.KindArgs, "target: %q is no known ref, selector or locator", chain).
		WithHint("getByRole, getByText, getByLabel, getByPlaceholder, getByAltText, getByTitle, getByTestId, " +
			"locator, first, last, nth")
	var parts []string
	for rest := strings.TrimPrefix(strings.TrimSpace(chain), "page."); rest != ""; {
		m := reCall.FindStringSubmatch(rest)
		if m == nil {
			return "", refuse
		}
		rest = rest[len(m[0]):]
		part := cmp.Or(partWithout[m[1]], partOf(m[1], m[2], testID))
		if part == "" {
			return "", refuse
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " >> "), nil
}

// partOf makes a selector of one call of a chain, "" if the call is unknown.
func partOf(method, args, testID string) string {
	m := reFirst.FindStringSubmatch(args)
	if m == nil {
		return ""
	}
	text := unescaped(m[1] + m[2] + m[3])
	how := "i"
	if reExact.MatchString(m[5]) {
		how = "s"
	}
	switch {
	case method == "getByTestId":
		return "internal:testid=[" + testID + "=" + inQuotes(text) + "s]"
	case method == "nth" && m[4] != "":
		return "nth=" + m[4]
	case method == "locator":
		return text
	case method == "getByRole":
		if n := reName.FindStringSubmatch(m[5]); n != nil {
			return "internal:role=" + text + "[name=" + inQuotes(unescaped(n[1]+n[2])) + how + "]"
		}
		return "internal:role=" + text
	case engineOf[method] == "":
		return ""
	}
	return fmt.Sprintf(engineOf[method], inQuotes(text)+how)
}

func unescaped(s string) string {
	return strings.NewReplacer(`\'`, `'`, `\"`, `"`, `\\`, `\`).Replace(s)
}

// driverSelector rewrites a selector of ours for the driver.
func driverSelector(p *browser.Page, sel string) (string, error) {
	return refs.Named.Of(p).Selector(sel)
}
