package devtools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Declaration is a property that a rule sets.
type Declaration struct {
	Name       string `json:"name"`
	Value      string `json:"value"`
	Important  bool   `json:"important,omitempty"`
	Overridden bool   `json:"overridden,omitempty"` // a stronger one has its place
	Invalid    bool   `json:"invalid,omitempty"`    // the browser does not understand it
}

// Rule is a rule that matches, or the style attribute.
type Rule struct {
	Selector     string        `json:"selector"`        // those of its selectors that match
	Origin       string        `json:"origin"`          // file:line, style attribute, user agent, …
	Under        []string      `json:"under,omitempty"` // @media and the like around it
	Declarations []Declaration `json:"declarations"`
	Pseudo       string        `json:"pseudo,omitempty"` // ::before and the like
	From         string        `json:"from,omitempty"`   // the ancestor that it is inherited from

	longhands [][]string // of each declaration
	userAgent bool
}

// Styles are the styles of an element.
type Styles struct {
	Element   string            `json:"element"`
	Rules     []Rule            `json:"rules"`     // strongest first
	Pseudo    []Rule            `json:"pseudo"`    // of its pseudo elements
	Inherited []Rule            `json:"inherited"` // nearest ancestor first
	Computed  map[string]string `json:"computed"`
}

// StylesOptions select the styles.
type StylesOptions struct {
	UserAgent bool     // the browser's own rules too
	Computed  []string // properties; none: those that the page's rules change from the browser's defaults
}

type cssProperty struct {
	Name      string                  `json:"name"`
	Value     string                  `json:"value"`
	Important bool                    `json:"important"`
	Disabled  bool                    `json:"disabled"`
	ParsedOk  *bool                   `json:"parsedOk"`
	Range     *cssRange               `json:"range"`
	Longhands []struct{ Name string } `json:"longhandProperties"`
}

type cssRange struct{ StartLine, StartColumn int }

type cssStyle struct {
	StyleSheetID  string
	CSSProperties []cssProperty
	Range         *cssRange
}

type ruleMatch struct {
	Rule struct {
		StyleSheetID string
		Origin       string
		SelectorList struct {
			Selectors []struct {
				Text  string
				Range *cssRange
			}
		}
		Style            cssStyle
		Media            []struct{ Text string }
		ContainerQueries []struct{ Text string }
		Supports         []struct{ Text string }
		Layers           []struct{ Text string }
	}
	MatchingSelectors []int
}

type matchedStyles struct {
	InlineStyle     *cssStyle
	AttributesStyle *cssStyle
	MatchedCSSRules []ruleMatch
	PseudoElements  []struct {
		PseudoType, PseudoIdentifier string
		Matches                      []ruleMatch
	}
	Inherited []matchedStyles // of the ancestors: only their inline style and rules
}

// Styles answers the rules that match an element, what it inherits, and the result:
// CSS.getMatchedStylesForNode, CSS.getComputedStyleForNode. objectID comes from
// [Page.Find], and is released.
func (p *Page) Styles(ctx context.Context, objectID string, o StylesOptions) (*Styles, error) {
	sheets, err := p.styleSheets(ctx)
	if err != nil {
		return nil, err
	}
	p.locating.Lock() // requesting the document invalidates older ids of nodes
	defer p.locating.Unlock()
	defer p.release("Runtime.releaseObject", map[string]any{"objectId": objectID})
	node, err := p.node(ctx, objectID)
	if err != nil {
		return nil, err
	}
	out, err := p.matched(ctx, sheets, objectID, node)
	if err != nil {
		return nil, err
	}
	set := setBy(out)
	if !o.UserAgent {
		out.Rules, out.Pseudo, out.Inherited = own(out.Rules), own(out.Pseudo), own(out.Inherited)
		out.Inherited = used(out)
	}
	if out.Computed, err = p.computed(ctx, node); err != nil {
		return nil, err
	}
	if len(o.Computed) > 0 {
		return out, out.choose(o.Computed)
	}
	return out, p.dropDefaults(ctx, objectID, out.Computed, set)
}

// matched are all the rules that concern an element.
func (p *Page) matched(ctx context.Context, sheets *sheets, objectID string, node int) (*Styles, error) {
	var m matchedStyles
	if err := p.call(ctx, "CSS.getMatchedStylesForNode", map[string]any{"nodeId": node}, &m); err != nil {
		return nil, err
	}
	names, err := p.ancestry(ctx, objectID)
	if err != nil {
		return nil, err
	}
	out := &Styles{Element: names[0], Rules: element(sheets, &m), Pseudo: pseudos(sheets, &m)}
	out.Inherited = inherited(sheets, &m, names[1:], cascade(out.Rules, nil))
	return out, nil
}

// node is the DOM agent's id of an element: DOM.requestNode.
func (p *Page) node(ctx context.Context, objectID string) (int, error) {
	// Nodes have ids only after the document was requested.
	if err := p.call(ctx, "DOM.getDocument", map[string]any{"depth": 0}, nil); err != nil {
		return 0, err
	}
	var reply struct{ NodeID int }
	err := p.call(ctx, "DOM.requestNode", map[string]any{"objectId": objectID}, &reply)
	return reply.NodeID, err
}

// ancestry names an element and the elements from which it inherits, through shadow
// roots.
func (p *Page) ancestry(ctx context.Context, objectID string) ([]string, error) {
	const script = `function() {
  const names = [];
  for (let e = this; e; e = e.assignedSlot || e.parentElement || (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null)) {
    names.push(e.localName + (e.id ? '#' + e.id : '') + [...e.classList].map((c) => '.' + c).join(''));
  }
  return names;
}`
	var reply struct {
		Result struct{ Value []string }
	}
	err := p.call(ctx, "Runtime.callFunctionOn", map[string]any{"objectId": objectID, "functionDeclaration": script, "returnByValue": true}, &reply)
	if err == nil && len(reply.Result.Value) == 0 {
		err = fmt.Errorf("that is not an element")
	}
	return reply.Result.Value, err
}

// Text shows styles like the DevTools panel.
func (s *Styles) Text() string {
	var b strings.Builder
	b.WriteString(s.Element + "\n")
	last := ""
	for _, r := range slices.Concat(s.Rules, s.Inherited, s.Pseudo) {
		title := r.Pseudo
		if r.From != "" {
			title = "inherited from " + r.From
		}
		if title != last {
			last = title
			fmt.Fprintf(&b, "\n%s\n", title)
		}
		r.write(&b)
	}
	if len(s.Computed) > 0 {
		b.WriteString("\ncomputed\n")
		for _, name := range slices.Sorted(maps.Keys(s.Computed)) {
			fmt.Fprintf(&b, "  %s: %s\n", name, s.Computed[name])
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *Rule) write(b *strings.Builder) {
	b.WriteString("\n")
	for _, u := range r.Under {
		b.WriteString(u + "\n")
	}
	fmt.Fprintf(b, "%s  (%s)\n", r.Selector, r.Origin)
	for _, d := range r.Declarations {
		b.WriteString("  " + d.String() + "\n")
	}
}

// String is the declaration as CSS, with a mark if it has no effect.
func (d Declaration) String() string {
	s := d.Name + ": " + d.Value
	if d.Important {
		s += " !important"
	}
	switch s += ";"; {
	case d.Invalid:
		s += "  /* invalid */"
	case d.Overridden:
		s += "  /* overridden */"
	}
	return s
}
