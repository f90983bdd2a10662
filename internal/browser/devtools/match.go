package devtools

import (
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
			return "", nil, fmt.Errorf("file: %q is no regular expression: %w", pattern, err)
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
