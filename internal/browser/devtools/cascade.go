package devtools

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// element are the rules of the element itself, strongest first.
func element(sheets *sheets, m *matchedStyles) []Rule {
	var out []Rule
	if s := m.InlineStyle; s != nil && len(s.CSSProperties) > 0 {
		out = append(out, styleRule("element.style", "style attribute", s))
	}
	out = append(out, rules(sheets, m.MatchedCSSRules, false)...)
	if s := m.AttributesStyle; s != nil && len(s.CSSProperties) > 0 {
		out = append(out, styleRule("element attributes", "attributes", s))
	}
	return append(out, rules(sheets, m.MatchedCSSRules, true)...)
}

// rules are the page's rules or the browser's, strongest first: in the protocol the
// weakest come first.
func rules(sheets *sheets, matches []ruleMatch, userAgent bool) []Rule {
	var out []Rule
	for _, m := range slices.Backward(matches) {
		if (m.Rule.Origin == "user-agent") == userAgent {
			out = append(out, rule(sheets, m))
		}
	}
	return out
}

func rule(sheets *sheets, m ruleMatch) Rule {
	r := m.Rule
	var selectors []string
	var at *cssRange
	for _, i := range m.MatchingSelectors {
		if i < len(r.SelectorList.Selectors) {
			selectors = append(selectors, r.SelectorList.Selectors[i].Text)
		}
	}
	if len(r.SelectorList.Selectors) > 0 {
		at = r.SelectorList.Selectors[0].Range
	}
	out := styleRule(strings.Join(selectors, ", "), origin(sheets, r.StyleSheetID, r.Origin, at), &r.Style)
	out.userAgent = r.Origin == "user-agent"
	for _, group := range []struct {
		at   string
		list []struct{ Text string }
	}{{"@media ", r.Media}, {"@container ", r.ContainerQueries}, {"@supports ", r.Supports}, {"@layer ", r.Layers}} {
		for _, g := range group.list {
			out.Under = append(out.Under, group.at+g.Text)
		}
	}
	return out
}

func origin(sheets *sheets, id, kind string, at *cssRange) string {
	switch kind {
	case "user-agent":
		return "user agent"
	case "inspector", "injected":
		return kind
	}
	s := sheets.get(id)
	if s == nil {
		return kind
	}
	name := cmp.Or(short(s.url), "constructed stylesheet")
	if at == nil {
		return name
	}
	return fmt.Sprintf("%s:%d", name, s.line+at.StartLine+1)
}

// styleRule takes what was written, in its order, without the longhands that the
// browser made of it.
func styleRule(selector, origin string, s *cssStyle) Rule {
	out := Rule{Selector: selector, Origin: origin, Declarations: []Declaration{}}
	for _, p := range s.CSSProperties {
		if p.Disabled || p.Range == nil && s.Range != nil {
			continue
		}
		out.Declarations = append(out.Declarations, Declaration{Name: p.Name, Value: strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(p.Value), "!important")),
			Important: p.Important, Invalid: p.ParsedOk != nil && !*p.ParsedOk})
		out.longhands = append(out.longhands, p.longhands())
	}
	return out
}

// longhands are the properties that a declaration sets: a shorthand sets
// several.
func (p *cssProperty) longhands() []string {
	var list []string
	for _, l := range p.Longhands {
		list = append(list, l.Name)
	}
	if len(list) == 0 {
		return []string{p.Name}
	}
	return list
}

// cascade marks the declarations that a stronger one overrides, in rules with the
// strongest first, and returns the properties that are set. taken are the properties
// that stronger rules outside of the list set.
func cascade(list []Rule, taken map[string]bool) map[string]bool {
	out := map[string]bool{}
	maps.Copy(out, taken)
	for _, important := range []bool{true, false} {
		for i := range list {
			r := &list[i]
			// The last of two equal declarations in a rule is the stronger.
			for j := len(r.Declarations) - 1; j >= 0; j-- {
				if d := &r.Declarations[j]; d.Important == important && !d.Invalid {
					d.Overridden = !claim(out, r.longhands[j])
				}
			}
		}
	}
	return out
}

// claim marks properties as set and reports whether any was free.
func claim(taken map[string]bool, longhands []string) bool {
	free := false
	for _, name := range longhands {
		free = free || !taken[name]
		taken[name] = true
	}
	return free
}

// inherited are the rules of the ancestors, with only their inherited declarations.
func inherited(sheets *sheets, m *matchedStyles, names []string, taken map[string]bool) []Rule {
	out := []Rule{}
	for i := range m.Inherited {
		var kept []Rule
		for _, r := range element(sheets, &m.Inherited[i]) {
			if r = r.inheritable(); len(r.Declarations) > 0 {
				if i < len(names) {
					r.From = names[i]
				}
				kept = append(kept, r)
			}
		}
		taken = cascade(kept, taken)
		out = append(out, kept...)
	}
	return out
}

// inheritable is the rule with only the declarations that children inherit.
func (r Rule) inheritable() Rule {
	list, longhands := r.Declarations, r.longhands
	r.Declarations, r.longhands = []Declaration{}, nil
	for i, d := range list {
		down := slices.DeleteFunc(slices.Clone(longhands[i]), func(name string) bool { return !inherits(name) })
		if len(down) > 0 {
			r.Declarations, r.longhands = append(r.Declarations, d), append(r.longhands, down)
		}
	}
	return r
}

func pseudos(sheets *sheets, m *matchedStyles) []Rule {
	out := []Rule{}
	for _, p := range m.PseudoElements {
		list := append(rules(sheets, p.Matches, false), rules(sheets, p.Matches, true)...)
		if (p.PseudoType == "before" || p.PseudoType == "after") && !sets(list, "content") {
			continue // there is no such box
		}
		cascade(list, nil)
		for i := range list {
			list[i].Pseudo = "::" + p.PseudoType
			if p.PseudoIdentifier != "" {
				list[i].Pseudo += "(" + p.PseudoIdentifier + ")"
			}
		}
		out = append(out, list...)
	}
	return out
}

func sets(list []Rule, name string) bool {
	return slices.ContainsFunc(list, func(r Rule) bool {
		return slices.ContainsFunc(r.Declarations, func(d Declaration) bool { return d.Name == name })
	})
}

// used are the inherited rules without custom properties to which nothing shown refers.
func used(s *Styles) []Rule {
	var values strings.Builder
	for _, r := range slices.Concat(s.Rules, s.Pseudo, s.Inherited) {
		for _, d := range r.Declarations {
			values.WriteString(d.Value + "\n")
		}
	}
	out := []Rule{}
	for _, r := range s.Inherited {
		r.Declarations = slices.DeleteFunc(slices.Clone(r.Declarations), func(d Declaration) bool {
			return strings.HasPrefix(d.Name, "--") && !refersTo(values.String(), d.Name)
		})
		if len(r.Declarations) > 0 {
			out = append(out, r)
		}
	}
	return out
}

func refersTo(values, name string) bool {
	return regexp.MustCompile(`var\(\s*` + regexp.QuoteMeta(name) + `\s*[,)]`).MatchString(values)
}

// own removes the browser's own rules.
func own(list []Rule) []Rule {
	return slices.DeleteFunc(append([]Rule{}, list...), func(r Rule) bool { return r.userAgent })
}

// setBy are the properties that rules of the page set on the element.
func setBy(s *Styles) map[string]bool {
	out := map[string]bool{}
	for _, r := range slices.Concat(s.Rules, s.Inherited) {
		for i, d := range r.Declarations {
			if r.userAgent || d.Invalid || d.Overridden {
				continue
			}
			for _, name := range r.longhands[i] {
				out[name] = true
			}
		}
	}
	return out
}

var inheriting = strings.Fields(`accent-color border-collapse border-spacing caption-side caret-color clip-rule color color-scheme
	cursor direction empty-cells fill fill-opacity fill-rule forced-color-adjust hyphens image-orientation image-rendering
	interpolate-size letter-spacing line-break line-height list-style list-style-image list-style-position list-style-type marker marker-end marker-mid
	marker-start orphans overflow-wrap paint-order pointer-events print-color-adjust quotes ruby-align ruby-position shape-rendering
	speak stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
	tab-size text-align text-align-last text-anchor text-autospace text-box-edge text-combine-upright text-decoration-skip-ink text-emphasis text-emphasis-color
	text-emphasis-position text-emphasis-style text-indent text-orientation text-rendering text-shadow text-size-adjust
	text-spacing-trim text-transform text-underline-offset text-underline-position text-wrap text-wrap-mode text-wrap-style visibility white-space
	white-space-collapse widows word-break word-spacing word-wrap writing-mode`)

// inherits reports whether children inherit a property: custom ones, fonts and
// the listed ones.
func inherits(name string) bool {
	return strings.HasPrefix(name, "--") || name == "font" || strings.HasPrefix(name, "font-") || slices.Contains(inheriting, name)
}
