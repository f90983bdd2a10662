// Package commandline makes shell commands of tools: a command line becomes a request,
// and an answer the text that a person or a model reads.
package commandline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// Options are what every command takes beside its tool's parameters.
type Options struct {
	Session string // -s NAME
	Output  string // text or json, "" for text
	Quiet   bool
}

// Line is a command line, split into its command and the rest.
type Line struct {
	Options
	Command string
	args    []arg
}

// arg is a word after the command. value: it is a value, whatever it begins with.
type arg struct {
	text  string
	value bool
}

// Split takes what every command takes out of a command line. values are the places of
// words that are values whatever they begin with.
func Split(words []string, values []int, o Options) (Line, error) {
	l := Line{Options: o}
	only := false // after --, words are values
	for i := 0; i < len(words); i++ {
		w := words[i]
		literal := only || slices.Contains(values, i)
		name, value, given := strings.Cut(w, "=")
		switch {
		case literal:
		case w == "--":
			only = true
			continue
		case w == "--json":
			l.Output = "json"
			continue
		case w == "--quiet" || w == "-q":
			l.Quiet = true
			continue
		case name == "-s" || name == "--session" || name == "--output":
			if !given {
				if i++; i == len(words) {
					return l, fmt.Errorf("%s needs a value", name)
				}
				value = words[i]
			}
			if name == "--output" {
				l.Output = value
			} else {
				l.Session = value
			}
			continue
		}
		if l.Command == "" && !literal {
			l.Command = w
			continue
		}
		l.args = append(l.args, arg{w, literal})
	}
	if l.Output != "" && l.Output != "text" && l.Output != "json" {
		return l, fmt.Errorf("--output: expected text or json, got %q", l.Output)
	}
	return l, nil
}

// Words are the words after the command.
func (l Line) Words() []string {
	var list []string
	for _, a := range l.args {
		list = append(list, a.text)
	}
	return list
}

// Take takes an option that is true out of the words, and reports whether it was there.
func (l *Line) Take(option string) bool {
	before := len(l.args)
	l.args = slices.DeleteFunc(l.args, func(a arg) bool { return !a.value && a.text == option })
	return len(l.args) < before
}

// TakeValue takes an option with its value out of the words, "" where it is not there.
func (l *Line) TakeValue(option string) (value string, err error) {
	for i, a := range l.args {
		name, value, given := strings.Cut(a.text, "=")
		if a.value || name != option {
			continue
		}
		end := i + 1
		if !given && end < len(l.args) {
			value = l.args[end].text
			end++
		}
		if value == "" {
			return "", fmt.Errorf("%s needs a value", option)
		}
		l.args = slices.Delete(slices.Clone(l.args), i, end)
		return value, nil
	}
	return "", nil
}

// Request makes the request of a tool's command. Names of files are taken from dir.
func (l Line) Request(tool *provider.Tool, dir string) (provider.Request, error) {
	b := builder{tool: tool, dir: dir}
	for i := 0; i < len(l.args); i++ {
		a := l.args[i]
		if a.value || !isOption(a.text) {
			b.loose = append(b.loose, a.text)
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(a.text, "-"), "=")
		name, isBool, negated, err := b.find(a.text, name)
		if err != nil {
			return provider.Request{}, err
		}
		switch {
		case negated && given:
			return provider.Request{}, fmt.Errorf("%s takes no value", a.text)
		case negated:
			value = "false"
		case isBool && !given:
			value = "true"
		case !given:
			if i++; i == len(l.args) {
				return provider.Request{}, fmt.Errorf("--%s needs a value", name)
			}
			value = l.args[i].text
		}
		if err := b.add("--"+name, name, value); err != nil {
			return provider.Request{}, err
		}
	}
	return b.request()
}

// isOption tells an option from a word such as -5.
func isOption(w string) bool {
	return len(w) > 1 && w[0] == '-' && (w[1] < '0' || w[1] > '9') && w[1] != '.'
}

// builder makes the parameters of a request.
type builder struct {
	tool    *provider.Tool
	dir     string
	members rawjson.Object
	loose   []string // words without a name
}

// Envelope are the options that belong to every request.
var Envelope = []string{"page", "timeout", "max", "outline"}

// find finds the parameter that an option names, as it is declared or with dashes.
func (b *builder) find(word, name string) (declared string, isBool, negated bool, err error) {
	if strings.HasPrefix(word, "--") {
		for _, p := range b.tool.Params {
			isBool = p.Type().Kind() == reflect.Bool
			switch {
			case p.Name == name || dashed(p.Name) == name:
				return p.Name, isBool, false, nil
			case isBool && (name == "no-"+p.Name || name == "no-"+dashed(p.Name)):
				return p.Name, true, true, nil
			}
		}
		if slices.Contains(Envelope, name) {
			return name, false, false, nil
		}
	}
	err = fmt.Errorf("%s: unknown option %s; usage: %s", b.tool.Name, word, Usage(b.tool))
	meant := suggest.Hint(word, b.options())
	if len(word) == 2 { // -i, as other programs have it
		meant = b.beginning(word[1:])
	}
	for _, behind := range append([]string{word}, b.loose...) {
		if other := b.elsewhere(behind); other != "" {
			meant = other
			break
		}
	}
	if meant != "" {
		err = fmt.Errorf("%s: unknown option %s; %s", b.tool.Name, word, meant)
	}
	return "", false, false, err
}

// elsewhere says what another program's command is here that is the tool's name and a
// word behind it, as in "cookies set" and "wait --text".
func (b *builder) elsewhere(word string) string {
	peer := suggest.Of(b.tool.Name + " " + strings.TrimLeft(word, "-"))
	if len(peer.Ours) == 0 {
		return peer.Why
	}
	return fmt.Sprintf("%s %s is %s here", b.tool.Name, word, strings.Join(peer.Ours, " or "))
}

// beginning names the options of the tool that begin with a letter.
func (b *builder) beginning(letter string) string {
	var list []string
	for _, p := range b.tool.Params {
		if strings.HasPrefix(p.Name, letter) {
			list = append(list, "--"+dashed(p.Name))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(list, " or ") + "?"
}

func (b *builder) options() []string {
	names := append([]string{"session", "json", "output", "quiet", "help"}, Envelope...)
	for _, p := range b.tool.Params {
		names = append(names, p.Name)
	}
	for i, name := range names {
		names[i] = "--" + name
	}
	return names
}

// dashed is fullPage as full-page.
func dashed(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// add takes one value, which an error calls said. A second one of an array goes behind the first.
func (b *builder) add(said, name, text string) error {
	i := slices.IndexFunc(b.tool.Params, func(p provider.Param) bool { return p.Name == name })
	if i < 0 {
		raw, err := envelopeValue(name, text)
		if err != nil {
			return fmt.Errorf("%s: %w", said, err)
		}
		return b.put(name, raw, false)
	}
	p := b.tool.Params[i]
	raw, err := valueOf(p, text)
	if err != nil {
		return fmt.Errorf("%s: %w", said, err)
	}
	if p.File {
		raw = under(b.dir, raw)
	}
	several := p.Type().Kind() == reflect.Slice
	if p.Type() == rawType {
		several = p.File
	}
	return b.put(name, raw, several)
}

func (b *builder) put(name string, raw json.RawMessage, several bool) error {
	for i, m := range b.members {
		if m.Key != name {
			continue
		}
		if !several {
			return fmt.Errorf("--%s is given twice", name)
		}
		before, _ := rawjson.SplitArray(asArray(m.Value))
		more, _ := rawjson.SplitArray(asArray(raw))
		b.members[i].Value = rawjson.Encode(append(before, more...))
		return nil
	}
	b.members = append(b.members, rawjson.Member{Key: name, Value: raw})
	return nil
}

func asArray(raw json.RawMessage) json.RawMessage {
	if rawjson.TypeOf(raw) == "an array" {
		return raw
	}
	return rawjson.Encode([]json.RawMessage{raw})
}

// request gives the loose words to the parameters that have no value yet, in their order.
func (b *builder) request() (provider.Request, error) {
	r := provider.Request{Tool: b.tool.Name}
	loose := b.loose
	for _, p := range b.tool.Params {
		if len(loose) == 0 || b.members.Get(p.Name) != nil {
			continue
		}
		if err := b.add(p.Name, p.Name, loose[0]); err != nil {
			return r, fmt.Errorf("%w; usage: %s", err, Usage(b.tool))
		}
		loose = loose[1:]
	}
	if len(loose) > 0 {
		err := fmt.Errorf("%s: too many words, from %q on; usage: %s", b.tool.Name, loose[0], Usage(b.tool))
		if meant := b.elsewhere(b.loose[0]); meant != "" {
			err = fmt.Errorf("%w; %s", err, meant)
		}
		return r, err
	}
	for _, p := range b.tool.Params {
		if !p.Optional && b.members.Get(p.Name) == nil {
			return r, fmt.Errorf("%s: %s is missing; usage: %s", b.tool.Name, p.Name, Usage(b.tool))
		}
	}
	return provider.Named(b.tool.Name, b.members), nil
}
