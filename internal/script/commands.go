package script

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed commands.txt
var commandsText string

// command is a DevTools command that the list knows.
type command struct {
	why    string            // it is refused; "" where it is not
	params map[string]string // what leads elsewhere, or looks like it, and how it is judged; "" for not at all
}

var commands = sync.OnceValue(func() map[string]command { return parseCommands(commandsText) })

// parseCommands reads a list of commands. It panics where a line is none: the
// list is part of the program.
func parseCommands(text string) map[string]command {
	all := map[string]command{}
	domain := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || word[0] == '#':
		case line[0] != ' ':
			domain = word
		case word == "no":
			names, why, _ := strings.Cut(rest, ": ")
			for _, name := range strings.Fields(names) {
				all[domain+"."+name] = command{why: why}
			}
		case word == "yes":
			for _, name := range split(rest) {
				name, params, _ := strings.Cut(name, "{")
				all[domain+"."+name] = command{params: parseParams(params)}
			}
		default:
			panic(fmt.Sprintf("commands.txt: %q", line))
		}
	}
	return all
}

func parseParams(text string) map[string]string {
	params := map[string]string{}
	for _, p := range strings.Fields(strings.TrimSuffix(text, "}")) {
		name, how, _ := strings.Cut(p, ":")
		switch how {
		case "", "none", "navigate", "request":
			params[name] = how
		default:
			panic(fmt.Sprintf("commands.txt: there is no way %q to judge %s", how, name))
		}
	}
	return params
}

// judgeCommand judges what a script sends to a page's DevTools session.
func (r *Runtime) judgeCommand(method string, params map[string]any) error {
	c, known := commands()[method]
	switch {
	case !known:
		return fmt.Errorf("blocked: %s: it is none of the DevTools commands that scripts may send", method)
	case c.why != "":
		return fmt.Errorf("blocked: %s: it is closed to scripts: %s", method, c.why)
	}
	for name, how := range c.params {
		v := paramAt(params, name)
		if v == nil || how == "" {
			continue
		}
		if err := r.judgeParam(v, how); err != nil {
			return fmt.Errorf("%s.%s: %w", method, name, err)
		}
	}
	return nil
}

func (r *Runtime) judgeParam(v any, how string) error {
	text, ok := v.(string)
	switch {
	case how == "none":
		return fmt.Errorf("blocked: it leads out of the page")
	case !ok:
		return fmt.Errorf("blocked: it is no text")
	case how == "navigate":
		return r.host.Rules.Navigate(text)
	}
	return r.host.Rules.Request(text)
}

// paramAt finds a parameter by its name, or by those on the way to it: data.files.
func paramAt(params any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := params.(map[string]any)
		params = m[name]
	}
	return params
}
