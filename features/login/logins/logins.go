// Package logins reads log-ins from a file: who logs in where, and where the values come
// from. A value belongs to the origins of its log-in, and nobody else gets it.
package logins

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/net/idna"

	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/text/secrets"
)

// Book holds the log-ins of a file, and the secrets of the run.
type Book struct {
	logins  map[string]*Login
	secrets *secrets.Store
	dir     string // in which commands run
	used    used
	carried carried
}

// Login is a log-in at a site.
type Login struct {
	Name     string
	Origins  []string // that get its values
	Page     string   // with the form
	AtPage   bool     // the file gives the page, so the form must be there
	User     Value
	Password Value
	TOTP     Value // the secret that codes are made of
	Code     Value // a command that prints a code
	Done     string
	Account  string
	Steps    []Step
}

// Step is one step on an unusual form: what to do, and with what.
type Step struct{ Do, To string }

var stepVerbs = []string{"click", "wait", "press", "user", "password", "code"}

// inFile is a log-in as it stands in the file. A member of type any has one of two forms.
type inFile struct {
	Origin   any                 `toml:"origin"`
	Page     string              `toml:"page"`
	User     any                 `toml:"user"`
	Password any                 `toml:"password"`
	TOTP     any                 `toml:"totp"`
	Code     any                 `toml:"code"`
	Done     string              `toml:"done"`
	Account  string              `toml:"account"`
	Steps    []map[string]string `toml:"steps"`
}

// texts reads a text or a list of texts. Its error quotes nothing.
func texts(data any) ([]string, error) {
	if one, ok := data.(string); ok {
		return []string{one}, nil
	}
	list, ok := data.([]any)
	var all []string
	for _, v := range list {
		s, is := v.(string)
		all, ok = append(all, s), ok && is
	}
	if !ok {
		return nil, errors.New("expected a text or a list of texts")
	}
	return all, nil
}

var reLogin = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$`)

// Load reads a file. Secrets that it names are pinned to the origins of their log-in.
// Errors quote nothing of the file but names.
func Load(file string, store *secrets.Store) (*Book, error) {
	text, err := thin.ReadSettings(file) // it names programs to run
	if err == nil {
		err = writefile.Shallow(text)
	}
	if err != nil {
		return nil, err
	}
	var in map[string]inFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&in); err != nil {
		return nil, fmt.Errorf("%s: %w", file, worded(err))
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	b := &Book{logins: map[string]*Login{}, secrets: store, dir: dir, used: used{of: map[string]int64{}}}
	b.carried = newCarried()
	for _, name := range slices.Sorted(maps.Keys(in)) {
		l, err := in[name].login(name)
		if err == nil {
			err = b.pin(l)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, name, err)
		}
		b.logins[name] = l
	}
	return b, nil
}

// worded returns an error of the parser without the text that it parsed.
func worded(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		return fmt.Errorf("unknown key %s", strings.Join(unknown.Errors[0].Key(), "."))
	}
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := at.Position()
		return fmt.Errorf("line %d can't be read", line)
	}
	return errors.New("it is not TOML")
}

// Find finds a log-in.
func (b *Book) Find(name string) (*Login, error) {
	if b == nil {
		return nil, errors.New("pwpipe was started without log-ins; --logins names their file")
	}
	if l := b.logins[name]; l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("no log-in %q; there are %s", name, strings.Join(slices.Sorted(maps.Keys(b.logins)), ", "))
}

// login checks a log-in of the file, and returns it.
func (in inFile) login(name string) (*Login, error) {
	if !reLogin.MatchString(name) {
		return nil, errors.New("a name has letters, digits, _ and -")
	}
	l := &Login{Name: name, Done: in.Done, Account: in.Account}
	for _, v := range []struct {
		key  string
		from any
		to   *Value
	}{{"user", in.User, &l.User}, {"password", in.Password, &l.Password}, {"totp", in.TOTP, &l.TOTP}, {"code", in.Code, &l.Code}} {
		var err error
		if *v.to, err = valueOf(v.from); err != nil {
			return nil, fmt.Errorf("%s: %w", v.key, err)
		}
	}
	if in.Origin == nil {
		return nil, errors.New("origin is missing")
	}
	origins, err := texts(in.Origin)
	if err != nil {
		return nil, fmt.Errorf("origin: %w", err)
	}
	for _, text := range origins {
		origin, err := Origin(text)
		if err != nil {
			return nil, err
		}
		l.Origins = append(l.Origins, origin)
	}
	switch {
	case len(l.Origins) == 0:
		return nil, errors.New("origin is missing")
	case l.User == nil && l.Password == nil:
		return nil, errors.New("user and password are missing")
	case l.Password.plain(), l.TOTP.plain(), l.Code.plain():
		return nil, errors.New("write password, totp and code as {{NAME}} or a command, never in the file itself")
	case l.TOTP != nil && l.Code != nil:
		return nil, errors.New("give one of totp and code")
	}
	base, _ := url.Parse(l.Origins[0] + "/")
	page, err := base.Parse(in.Page)
	if err != nil {
		return nil, errors.New("page is not an address")
	}
	if at, err := Origin(page.Scheme + "://" + page.Host); err != nil || !slices.Contains(l.Origins, at) {
		return nil, errors.New("page is at none of the origins")
	}
	l.Page, l.AtPage = page.String(), in.Page != ""
	for i, s := range in.Steps {
		for do, to := range s {
			l.Steps = append(l.Steps, Step{do, to})
		}
		if len(s) != 1 || !slices.Contains(stepVerbs, l.Steps[len(l.Steps)-1].Do) {
			return nil, fmt.Errorf("step %d is not one of %s, with a text", i+1, strings.Join(stepVerbs, ", "))
		}
	}
	return l, nil
}

// Origin returns an origin as browsers write it: hosts in punycode, no default port.
func Origin(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("an origin is https://host or https://host:port")
	}
	host, port := u.Hostname(), u.Port()
	if !strings.Contains(host, ":") {
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return "", errors.New("the origin's host is not a host")
		}
	} else {
		host = "[" + host + "]"
	}
	if port != "" && port != map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

// pin reserves the secrets that a log-in names for that log-in.
func (b *Book) pin(l *Login) error {
	for i, v := range []Value{l.User, l.Password, l.TOTP} {
		name := v.secret()
		if name == "" {
			continue
		}
		value, known := b.secrets.Value(name)
		if !known {
			return fmt.Errorf("no secret named %s; --secrets names the file that has it", name)
		}
		b.secrets.Pin(name, "the log-in "+l.Name+" at "+strings.Join(l.Origins, ", "))
		if err := b.carried.add(name, value, l, i == 0); err != nil {
			return err
		}
	}
	return nil
}
