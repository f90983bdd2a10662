// Package urlglob matches URLs with Playwright's globs, in time that is linear
// in the length of the URL.
package urlglob

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// maxGlob bounds a glob, in characters: the time for a URL grows with it.
const maxGlob = 1000

// All is the glob that the driver gets instead of any other: it matches all URLs.
const All = "**/*"

// Glob is a compiled glob. It may be used by several goroutines.
type Glob struct{ re *regexp.Regexp }

// Match reports whether the glob matches a whole URL.
func (g *Glob) Match(url string) bool { return g.re.MatchString(url) }

// Compile reads a glob as page.route does: ** between slashes is any number of folders,
// * anything but a slash, {a,b} one of several, and a backslash makes the next
// character ordinary. A question mark is itself. A glob that does not begin with * is
// resolved against base, "" for none. An empty glob matches all URLs.
func Compile(glob, base string) (*Glob, error) {
	if glob == "" {
		glob = All
	}
	if n := len([]rune(glob)); n > maxGlob {
		return nil, fmt.Errorf("a glob has %d characters at most, this one has %d", maxGlob, n)
	}
	re, err := regexp.Compile(expression([]rune(resolve(glob, base))))
	if err != nil {
		return nil, errors.New("not a glob: a brace in it has no partner; write \\{ or \\} for the character")
	}
	return &Glob{re}, nil
}

// CompileSocket is [Compile] for the URLs of WebSockets: an http: base counts as ws:.
func CompileSocket(glob, base string) (*Glob, error) {
	if strings.HasPrefix(base, "http:") || strings.HasPrefix(base, "https:") {
		base = "ws" + strings.TrimPrefix(base, "http")
	}
	return Compile(glob, base)
}

// folders is ** between slashes, or between a slash and an end.
const folders = "(?:[^/]*(?:/|$))*"

// expression is the glob in RE2's syntax.
func expression(glob []rune) string {
	var b strings.Builder
	group := false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			i++
			b.WriteString(regexp.QuoteMeta(string(glob[i])))
		case c == '*':
			begin := i
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
			after := begin == 0 || glob[begin-1] == '/'
			before := i+1 == len(glob) || glob[i+1] == '/'
			if i == begin || !after || !before {
				b.WriteString("[^/]*")
				break
			}
			if !strings.HasSuffix(b.String(), folders) { // twice means the same as once
				b.WriteString(folders)
			}
			i++ // its slash is a part of it
		case c == '{':
			b.WriteString("(?:")
			group = true
		case c == '}':
			b.WriteString(")")
			group = false
		case c == ',' && group:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return "(?s)^" + b.String() + "$"
}

// resolve makes a glob absolute. Plain names replace its parts meanwhile: a star or a
// brace would be escaped, and a question mark may belong to the path.
func resolve(glob, base string) string {
	if strings.HasPrefix(glob, "*") {
		return glob
	}
	parts := strings.Split(strings.ReplaceAll(glob, `\\?`, "?"), "/")
	var hidden []string // names alternate with what stands behind them
	hide := func(part, name string) string {
		if part == "" {
			return ""
		}
		hidden = append(hidden, name, part)
		return name
	}
	for i, part := range parts {
		switch {
		case part == "." || part == ".." || part == "":
		case i == 0 && strings.HasSuffix(part, ":"): // http*:// too, and the parser knows http:
			parts[i] = hide(part, "http:")
		default:
			path, query, asks := strings.Cut(part, "?")
			parts[i] = hide(path, fmt.Sprintf("$_%d_$", i))
			if asks {
				parts[i] += hide("?"+query, fmt.Sprintf("?$_%d_$", i))
			}
		}
	}
	whole := strings.Join(parts, "/")
	u, err := url.Parse(whole)
	if base != "" {
		u, err = url.ParseRef(base, whole)
	}
	if err != nil {
		return glob
	}
	resolved := u.Href(false)
	for i := 0; i < len(hidden); i += 2 {
		resolved = strings.Replace(resolved, hidden[i], hidden[i+1], 1)
	}
	return resolved
}
