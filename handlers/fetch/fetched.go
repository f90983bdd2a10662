package fetch

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"pwpipe/handlers/read"
	"pwpipe/provider"
)

// fetched is an answer to read.
type fetched struct {
	f    *fetching
	at   *url.URL // after redirects
	kind string   // its media type, without parameters, in lower case
	full string   // the whole Content-Type
	body []byte
}

func newFetched(f *fetching, at *url.URL, contentType string, body []byte) *fetched {
	if contentType == "" {
		contentType = http.DetectContentType(body)
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil { // parameters that nobody can read
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return &fetched{f, at, kind, contentType, body}
}

// from names where the text comes from, if that is not what was asked for.
func (g *fetched) from(asked *url.URL) string {
	if g.at.String() == asked.String() {
		return ""
	}
	return "Source: " + g.at.String() + "\n\n"
}

func (g *fetched) isHTML() bool { return g.kind == "text/html" || g.kind == "application/xhtml+xml" }

// texts are media types of texts beside text/*.
var texts = []string{"application/json", "application/xml", "application/javascript", "application/yaml",
	"application/x-yaml", "application/toml", "application/x-ndjson", "application/jsonl"}

func (g *fetched) isText() bool {
	return strings.HasPrefix(g.kind, "text/") || slices.Contains(texts, g.kind) ||
		strings.HasPrefix(g.kind, "application/") &&
			(strings.HasSuffix(g.kind, "+json") || strings.HasSuffix(g.kind, "+xml"))
}

// listing is the text of an llms.txt. A site that answers its page to every path has none.
func (g *fetched) listing() (string, bool) {
	if g.isHTML() || !g.isText() {
		return "", false
	}
	text := strings.TrimSpace(g.text())
	return text, text != ""
}

// text is the body in UTF-8.
func (g *fetched) text() string {
	return decoded(g.body, g.full)
}

// readable is the answer of read.
func (g *fetched) readable(whole bool) (string, error) {
	if !g.isText() && !g.isHTML() {
		return "", provider.Errorf(provider.KindFailed, "%s is %s, which is no text", g.f.short(g.at.String()),
			g.f.short(g.kind)).WithHint("download saves files")
	}
	text := g.text()
	if !g.isHTML() {
		return text, nil
	}
	if said, shell := shellOf(text); shell {
		e := provider.Errorf(provider.KindFailed, "%s has no text without its scripts", g.f.short(g.at.String()))
		if said != "" {
			e.Msg += " but " + strings.TrimSpace(g.f.b.Short(said, longestShell))
		}
		return "", e.WithHint("a browser shows it: nav (in a shell: open), then markdown")
	}
	md, err := read.Converted(g.f.ctx, text, g.at.String(), !whole)
	if err != nil {
		return "", provider.AsError(err).WithHint("a browser reads parts of it: nav, then markdown with sel")
	}
	return md, nil
}

// longestShell is how many characters a page may say besides its scripts and still be
// nothing but a place for them: "Loading…", or that it needs JavaScript.
const longestShell = 60

// unseen are elements whose text nobody sees where scripts run.
var unseen = []string{"script", "style", "noscript", "template", "title", "svg", "iframe", "noframes"}

// shellOf reports whether a page has scripts and next to no text, and that text.
func shellOf(text string) (said string, shell bool) {
	z := html.NewTokenizer(strings.NewReader(text))
	scripts, within := false, ""
	var words []string
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(words, " "), scripts
		case html.StartTagToken:
			name, _ := z.TagName()
			scripts = scripts || string(name) == "script"
			if within == "" && slices.Contains(unseen, string(name)) {
				within = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == within {
				within = ""
			}
		case html.TextToken:
			if within != "" {
				continue
			}
			words = append(words, strings.Fields(string(z.Text()))...)
			if utf8.RuneCountInString(strings.Join(words, " ")) > longestShell {
				return "", false
			}
		}
	}
}
