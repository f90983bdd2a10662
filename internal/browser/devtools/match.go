package devtools

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// filePattern turns a file's name into a pattern of its URL: a part of the URL that
// starts at the beginning of a name or of the URL ("app.js", "js/app.js", "http://…"),
// or a regular expression between slashes. Among the known URLs it prefers those that
// end with the name (or have a query after it). If there are none, it takes those that
// continue after it, as app.3f2a.js does after "app".
func filePattern(file string, known []string) (string, *regexp.Regexp, error) {
	if file == "" {
		return "", nil, fmt.Errorf("file: expected a part of a URL, or /a regular expression/")
	}
	if len(file) > 2 && file[0] == '/' && file[len(file)-1] == '/' {
		pattern := file[1 : len(file)-1]
		re, err := regexp.Compile(pattern)
		if err != nil {
			return "", nil, fmt.Errorf("file: %q is not a regular expression: %w", pattern, err)
		}
		return pattern, re, nil
	}
	loose := regexp.QuoteMeta(file)
	if file[0] != '/' {
		loose = "(^|/)" + loose
	}
	exact := loose + "($|[?#])"
	for _, pattern := range []string{exact, loose} {
		if re := regexp.MustCompile(pattern); slices.ContainsFunc(known, re.MatchString) {
			return pattern, re, nil
		}
	}
	if path.Ext(file) != "" {
		loose = exact
	}
	return loose, regexp.MustCompile(loose), nil
}

// short is the usual name of a URL's file: the last segment of its path, or the rest if
// there is none.
func short(url string) string {
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(path, "#")
	if i := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/'); i >= 0 && i+1 < len(path) && !strings.HasSuffix(path[:i+1], "://") {
		return path[i+1:]
	}
	return url
}

// some joins names for an error, at most n of them.
func some(names []string, n int) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > n {
		return strings.Join(names[:n], ", ") + fmt.Sprintf(" and %d more", len(names)-n)
	}
	return strings.Join(names, ", ")
}

// computed are the values of all properties: CSS.getComputedStyleForNode.
func (p *Page) computed(ctx context.Context, node int) (map[string]string, error) {
	var reply struct {
		ComputedStyle []struct{ Name, Value string }
	}
	err := p.call(ctx, "CSS.getComputedStyleForNode", map[string]any{"nodeId": node}, &reply)
	out := map[string]string{}
	for _, c := range reply.ComputedStyle {
		out[c.Name] = c.Value
	}
	return out, err
}

// choose keeps the computed values of some properties.
func (s *Styles) choose(names []string) error {
	all := s.Computed
	s.Computed = map[string]string{}
	for _, name := range names {
		value, ok := all[name]
		if !ok {
			return fmt.Errorf("computed: there is no property %q; a shorthand has no computed value: name its longhands", name)
		}
		s.Computed[name] = value
	}
	return nil
}

//go:embed defaults.js
var defaultsScript string

// dropDefaults keeps the values of properties that rules of the page change from what
// the element would have without any rule.
func (p *Page) dropDefaults(ctx context.Context, objectID string, values map[string]string, set map[string]bool) error {
	var reply struct {
		Result struct{ Value map[string]string }
	}
	err := p.call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": objectID, "functionDeclaration": defaultsScript, "returnByValue": true}, &reply)
	if err != nil {
		return err
	}
	for name, value := range values {
		plain, known := reply.Result.Value[name]
		if !set[name] || !known || plain == value {
			delete(values, name)
		}
	}
	return nil
}
