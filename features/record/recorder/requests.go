package recorder

import (
	"fmt"
	"regexp"
	"strings"

	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
)

// made returns the request for an action, nil for none.
func (r *recording) made(a action, e *event) *step {
	s, frames := &step{Params: map[string]any{}, Page: e.name}, e.Frame.Path
	if a.Selector != "" {
		parts := make([]string, 0, len(frames)+1)
		for _, sel := range append(frames, a.Selector) {
			parts = append(parts, refs.Public(sel))
		}
		s.Params["sel"] = strings.Join(parts, refs.EnterFrame)
		if a.About.Tag != "" {
			s.Element = map[string]tool.About{"sel": a.About}
		}
	}
	switch a.Name {
	case "navigate":
		if !strings.Contains(a.URL, "://") || strings.HasPrefix(a.URL, "chrome") {
			return nil
		}
		s.Method, s.Params["url"] = "nav", r.relative(a.URL)
	case "click":
		s.click(a, len(frames) > 0)
	case "fill":
		s.fill(a)
	case "press":
		if a.About.Type == "password" && len([]rune(a.Key)) == 1 {
			return nil // a part of the password, or a paste: the fill has both
		}
		s.Method, s.Params["key"] = "press", chord(a)
	case "check", "uncheck":
		s.Method = a.Name
	case "select":
		s.Method, s.Params["val"] = "sel", a.Options
		if len(a.Options) == 1 {
			s.Params["val"] = a.Options[0]
		}
	default:
		if !s.expect(a) {
			return nil
		}
	}
	return s
}

// relative returns a URL without the base URL, if it is below that.
func (r *recording) relative(url string) string {
	base := strings.TrimSuffix(r.session.Browser.Config.BaseURL, "/")
	path, ok := strings.CutPrefix(url, base)
	if base != "" && ok && strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") { // that names a host
		return path
	}
	return url
}

// click makes the request for a click: which button, where, how often, and with which keys held.
func (s *step) click(a action, inFrame bool) {
	keys, button := heldKeys(a.Modifiers), a.Button
	switch {
	case a.At != nil && !inFrame && len(keys) == 0:
		s.Method, s.Element = "mouse-click", nil
		s.Params = map[string]any{"x": a.At.X, "y": a.At.Y}
		if button != "" && button != "left" {
			s.Params["button"] = button
		}
		if a.ClickCount > 1 {
			s.Params["count"] = min(a.ClickCount, 3)
		}
	case button == "right" && len(keys) == 0:
		s.Method = "rclick"
	case button == "middle" || len(keys) > 0 || a.ClickCount > 2:
		s.Method, s.Params["button"] = "rclick", button
		if len(keys) > 0 {
			s.Params["keys"] = keys
		}
		if a.ClickCount > 1 {
			s.Params["count"] = min(a.ClickCount, 3)
		}
	case a.ClickCount == 2:
		s.Method = "dclick"
	default:
		s.Method = "click"
	}
}

// fill makes the request for what a field holds now: files, a text, or {{NAME}} for a password.
func (s *step) fill(a action) {
	switch kind := a.About.Type; {
	case kind == "file":
		s.Method, s.Params["files"] = "upload", a.Files
		if a.Files == nil {
			s.Params["files"] = []string{}
		}
		return
	case kind == "password" || a.About.Tag == "": // an unknown element may be a password field
		s.Params["val"] = s.secret(a.About)
	default:
		s.Params["val"] = a.Text
	}
	s.Method = "fill"
}

// secret returns the {{NAME}} for what was typed into a password field, and notes how to give
// its value.
func (s *step) secret(of tool.About) string {
	name := secretName(of)
	s.hidden = "{{" + name + "}}"
	s.Note = fmt.Sprintf("what was typed is not recorded: "+
		"give it with --secrets FILE, with a line %s=… in the file", name)
	return s.hidden
}

// reSecret matches what a request may have in place of a secret.
var reSecret = regexp.MustCompile(`\{(\{[A-Za-z_][A-Za-z0-9_]*\}\})`)

// unresolvable separates the braces of {{NAME}} in a page's or a person's text: a replay would
// put a secret there, and the page would get it.
func (s *step) unresolvable(text string) string {
	if text == s.hidden {
		return text
	}
	return reSecret.ReplaceAllString(text, "{ $1")
}

var reNoName = regexp.MustCompile(`[^A-Z0-9]+`)

// secretName returns a name for the secret of a password field.
func secretName(e tool.About) string {
	for _, words := range []string{e.Label, e.Name, e.Placeholder, e.Attr, e.ID} {
		name := strings.Trim(reNoName.ReplaceAllString(strings.ToUpper(words), "_"), "_")
		if name != "" && name[0] >= 'A' {
			return name
		}
	}
	return "PASSWORD"
}

// expect makes the request for an expectation that the person picked. It returns false for
// another action.
func (s *step) expect(a action) bool {
	switch a.Name {
	case "assertVisible":
		s.Method = "expect-visible"
	case "assertText":
		s.Method, s.Params["text"] = "expect-text", a.Text
		if a.Substring {
			s.Params["mode"] = "contains"
		}
	case "assertValue":
		s.Method, s.Params["value"] = "expect-value", a.Value
		if a.About.Type == "password" {
			s.Params["value"] = s.secret(a.About)
		}
	case "assertChecked":
		s.Method = "expect-checked"
		if !a.Checked {
			s.Params["not"] = true
		}
	case "assertSnapshot":
		s.Method, s.Params["snapshot"] = "expect-snapshot", a.Snapshot
	default:
		return false
	}
	return true
}

// heldKeys returns the names of the modifiers in the recorder's bits.
func heldKeys(bits int) (keys []string) {
	for i, name := range []string{"Alt", "Control", "Meta", "Shift"} {
		if bits&(1<<i) != 0 {
			keys = append(keys, name)
		}
	}
	return keys
}

// chord returns a key with the modifiers that were held.
func chord(a action) string {
	key := a.Key
	if key == " " {
		key = "Space"
	}
	return strings.Join(append(heldKeys(a.Modifiers), key), "+")
}
