// Package secrets keeps values that may be typed into pages and must not leave
// the process otherwise. {{NAME}} in a request stands for a value; wherever
// the value would leave again, <secret:NAME> takes its place.
package secrets

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/joho/godotenv"
)

// Set is the secrets of a run. A nil Set has none.
type Set struct {
	values map[string]string
	masks  *strings.Replacer
	exact  map[string]string // value -> mask
}

// shortest is the length below which a value would be found, and masked, all
// over the place.
const shortest = 4

// Load reads a dotenv file: NAME=value, a line each.
func Load(file string) (*Set, error) {
	values, err := godotenv.Read(file)
	if err != nil {
		// The parser quotes the line, and the line may hold a secret.
		if strings.Contains(err.Error(), "no such file") || strings.Contains(err.Error(), "permission denied") {
			return nil, err
		}
		return nil, fmt.Errorf("%s is not a dotenv file (NAME=value, a line each)", file)
	}
	return New(values)
}

// New makes a set of names and values.
func New(values map[string]string) (*Set, error) {
	s := &Set{values: map[string]string{}, exact: map[string]string{}}
	forms := map[string]string{}
	for _, name := range sorted(values) {
		v := values[name]
		if !reName.MatchString("{{" + name + "}}") {
			return nil, fmt.Errorf("%q is not a name; letters, digits and _ are", name)
		}
		if len(v) < shortest {
			return nil, fmt.Errorf("%s is shorter than %d characters and could not be masked", name, shortest)
		}
		s.values[name] = v
		mask := "<secret:" + name + ">"
		s.exact[v] = mask
		for _, f := range formsOf(v) {
			if _, taken := forms[f]; !taken {
				forms[f] = mask
			}
		}
	}
	// A value that holds another one is masked as a whole.
	list := sorted(forms)
	sort.SliceStable(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	var pairs []string
	for _, f := range list {
		pairs = append(pairs, f, forms[f])
	}
	s.masks = strings.NewReplacer(pairs...)
	return s, nil
}

func sorted(m map[string]string) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// formsOf are the ways in which a value may be written: as it is, in URLs, in
// HTML, in JSON inside of text, and in base64 (which has three, by where in
// the encoded text it begins).
func formsOf(v string) []string {
	forms := []string{v, strings.ReplaceAll(v, "\r\n", "\n"), strings.Join(strings.Fields(v), " ")}
	query := url.QueryEscape(v)
	component := strings.ReplaceAll(query, "+", "%20")
	for _, kept := range "!'()*" { // what encodeURIComponent leaves
		component = strings.ReplaceAll(component, fmt.Sprintf("%%%02X", kept), string(kept))
	}
	forms = append(forms, query, url.PathEscape(v), component, strings.ToLower(query), strings.ReplaceAll(query, "+", "%20"),
		html.EscapeString(v), strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(v),
		strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(v),
		strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(v)) // in attributes
	once := quoted(v)
	forms = append(forms, once, quoted(once))
	if b, err := json.Marshal(v); err == nil {
		escaped := string(b[1 : len(b)-1])
		forms = append(forms, escaped, quoted(escaped))
	}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + v))
		from, to := (shift*8+5)/6, (shift+len(v))*8/6
		if core := text[from:to]; len(core) >= 2*shortest {
			forms = append(forms, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
		}
	}
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < shortest })
}

// quoted is a text as it stands inside of a JSON string.
func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}

// Mask puts <secret:NAME> where a value stands in a text.
func (s *Set) Mask(text string) string {
	if s == nil || len(s.values) == 0 {
		return text
	}
	return s.masks.Replace(text)
}

// MaskNumber is Mask for a number, which is masked as a whole or not at all.
func (s *Set) MaskNumber(text string) (string, bool) {
	if s == nil {
		return text, false
	}
	mask, ok := s.exact[text]
	return mask, ok
}

var (
	reName  = regexp.MustCompile(`\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}`)
	reLoud  = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)
	reExact = regexp.MustCompile(`^\{\{.*\}\}$`)
)

// Resolve puts values where {{NAME}} stands. A name in capitals that there is
// no secret of is an error; other double braces are left, for pages use them
// too.
func (s *Set) Resolve(text string) (string, error) {
	if s == nil || !strings.Contains(text, "{{") {
		return text, nil
	}
	var missing string
	out := reName.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-2]
		if v, ok := s.values[name]; ok {
			return v
		}
		if missing == "" && (reLoud.MatchString(name) || reExact.MatchString(text)) {
			missing = name
		}
		return m
	})
	if missing != "" {
		return "", fmt.Errorf("no secret named %s; there are %s", missing, strings.Join(sorted(s.values), ", "))
	}
	return out, nil
}

// Writer masks what is written to w. Each write must hold whole lines, as a
// logger's do.
func (s *Set) Writer(w io.Writer) io.Writer {
	if s == nil {
		return w
	}
	return maskWriter{s, w}
}

type maskWriter struct {
	s *Set
	w io.Writer
}

func (m maskWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, m.s.Mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
