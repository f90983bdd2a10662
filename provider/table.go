package provider

import (
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/internal/text/secrets"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider/internal/rawjson"
)

// Table is the ordered set of tools. Every surface calls tools through it.
type Table struct {
	tools   []*Tool
	byName  map[string]*Tool
	parts   map[string]*Tool // hidden tools, for tools that use them
	options TableOptions
	seen    []Observer
	tracer  *Tracer // nil for none
	cuts    cuts

	boundary string       // the marker around page texts, "" for none
	marker   *secrets.Set // finds it in page texts, nil for none
}

// TableOptions are the options of a table.
type TableOptions struct {
	// Timeout replaces every tool's default deadline; 0 keeps them.
	Timeout time.Duration
	// Hidden reports whether a tool does not exist for clients, however they call it;
	// nil: none is hidden. Tools that use a hidden tool still work.
	Hidden func(*Tool) bool
	// Sessions finds the session of a request that names one; nil if there are none.
	Sessions Sessions
	// Files offers to MCP clients the files that tools wrote; nil: not offered.
	Files Files
	// Secrets, if set, are named in requests and masked in replies.
	Secrets Secrets
	// Boundaries puts every page text between two markers that nobody outside can
	// guess.
	Boundaries bool
	// Foreign says that MCP clients see tools with another program's parameters:
	// the instructions of an MCP server are not about these, and no schemas of answers are listed.
	Foreign bool
}

// Observer sees each finished call, for logs and metrics. It must not block.
type Observer func(ctx context.Context, r Request, took time.Duration, err *Error)

// NewTable makes a table. It panics if two tools have the same name: the declarations
// are wrong.
func NewTable(tools []*Tool, o TableOptions) *Table {
	t := &Table{byName: map[string]*Tool{}, parts: map[string]*Tool{}, options: o}
	for _, tool := range tools {
		if t.byName[tool.Name] != nil || t.parts[tool.Name] != nil {
			panic("provider: two tools named " + tool.Name)
		}
		if tool.run == nil {
			panic("provider: " + tool.Name + " is not linked to " + tool.Alias.Of)
		}
		if o.Hidden != nil && o.Hidden(tool) {
			t.parts[tool.Name] = tool
			continue
		}
		t.byName[tool.Name] = tool
		t.tools = append(t.tools, tool)
	}
	if o.Boundaries {
		t.boundary = strings.ToLower(rand.Text())
		t.mark()
	}
	return t
}

// OnCall adds an observer of finished calls. It must be called before the first call.
func (t *Table) OnCall(see Observer) { t.seen = append(t.seen, see) }

// Options are what the table was made with.
func (t *Table) Options() TableOptions { return t.options }

// CheckNames refuses a name that no tool in the list has.
func CheckNames(tools []*Tool, names []string) error {
	t := NewTable(tools, TableOptions{})
	for _, name := range names {
		if t.byName[name] != nil {
			continue
		}
		if meant := t.Meant(name); meant != "" {
			return fmt.Errorf("no tool %q; %s", name, meant)
		}
		return fmt.Errorf("no tool %q; `pwpipe tools` lists them", name)
	}
	return nil
}

// find is the tool of a request, nil if there is none.
func (t *Table) find(r Request) *Tool {
	if tool := t.byName[r.Tool]; tool != nil || !r.part {
		return tool
	}
	return t.parts[r.Tool]
}

// Find returns the tool of that name, nil if there is none.
func (t *Table) Find(name string) *Tool { return t.byName[name] }

// Profile returns the tools of a profile, or of several profiles separated by commas,
// in the order of declaration; "all" returns all tools.
func (t *Table) Profile(names string) []*Tool {
	profiles := splitProfiles(names)
	all := slices.Contains(profiles, "all")
	var list []*Tool
	for _, tool := range t.tools {
		listed := func(p string) bool { return p == tool.Profile || slices.Contains(tool.Also, p) }
		if all || slices.ContainsFunc(profiles, listed) {
			list = append(list, tool)
		}
	}
	return list
}

// CheckProfile refuses a comma-separated list of profiles if one of them has no tools.
func (t *Table) CheckProfile(names string) error {
	known := append(t.Profiles(), "all")
	for _, name := range splitProfiles(names) {
		if slices.Contains(known, name) {
			continue
		}
		hint := suggest.Hint(name, known)
		if hint != "" {
			hint += " "
		}
		return fmt.Errorf("no profile %q; %sthere are %s; several are separated by commas", name, hint, strings.Join(known, ", "))
	}
	return nil
}

func splitProfiles(names string) []string {
	list := strings.Split(names, ",")
	for i, name := range list {
		list[i] = strings.TrimSpace(name)
	}
	return list
}

// Meant says which tools a name that no tool has may mean: those that do what
// another program calls so, or why there is none, else the nearest names, else "".
func (t *Table) Meant(name string) string {
	var ours []string
	peer := suggest.Of(name)
	for _, known := range peer.Ours {
		if tool := t.byName[known]; tool != nil {
			ours = append(ours, tool.signature())
		}
	}
	if n := len(ours) - 1; n == 0 {
		return "here it is " + ours[0]
	} else if n > 0 {
		return "here it is " + strings.Join(ours[:n], ", ") + " or " + ours[n]
	}
	if peer.Why != "" {
		return peer.Why
	}
	names := make([]string, 0, len(t.tools))
	for _, tool := range t.tools {
		names = append(names, tool.Name)
	}
	return suggest.Hint(name, names)
}

// Profiles names the profiles in the order of declaration.
func (t *Table) Profiles() []string {
	var names []string
	for _, tool := range t.tools {
		if !slices.Contains(names, tool.Profile) {
			names = append(names, tool.Profile)
		}
	}
	return names
}

// DefaultProfile is the profile that lists show by default.
const DefaultProfile = "core"

// Effect is a tool's effect on the page. It decides about order and hints.
type Effect int

// The effects of tools.
const (
	Acts     Effect = iota // changes the page or the browser
	Reads                  // only reads: neighbours of a lane may overlap
	Waits                  // only reads, but later requests must come after it
	Destroys               // removes something for good
	Switches               // opens, closes or chooses pages: later requests must see it
)

// None is the result of a tool that answers null: `_` in a signature.
type None struct{}

// MarshalJSON makes None null.
func (None) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Image is a picture in a reply. Dialects that can show pictures do so (MCP image
// content); in others it is the struct as JSON.
type Image struct {
	MIME   string `json:"mime" doc:"type of the picture"`
	Base64 string `json:"base64" doc:"its bytes"`
	// Scale is what a picture's sides were multiplied by to keep within a bound; 0 for 1.
	Scale float64 `json:"scale,omitempty" doc:"what its sides were multiplied by"`
}

// Note says how to use coordinates in a picture that was scaled, "" of one that was not.
func (i Image) Note() string {
	if i.Scale == 0 {
		return ""
	}
	return fmt.Sprintf("(the picture is scaled by %v: divide coordinates in it by that)", i.Scale)
}

// WithNotes is the text of a content, with a line about each picture that was scaled.
func WithNotes(text string, pictures []Image) string {
	for _, p := range pictures {
		if note := p.Note(); note != "" {
			text = strings.TrimPrefix(text+"\n"+note, "\n")
		}
	}
	return text
}

// Content is a result that dialects with content, such as MCP, show as a text and
// pictures. In others it is JSON.
type Content interface {
	Content() (text string, pictures []Image)
}

// Sections is a content that says itself whether it is an error, and names its files.
type Sections interface {
	Content
	IsError() bool
}

// Spec declares a tool. Every list, description and call of tools derives from it and
// from the two structs given to [Define].
type Spec struct {
	Name    string
	Title   string        // a few words, for people
	Doc     string        // one sentence, for people and models
	More    string        // what the tool help adds, which lists have no room for
	Profile string        // the profile that lists it
	Also    []string      // other profiles that list it
	Timeout time.Duration // default deadline
	Effect  Effect
	// Scripts marks a tool that runs a caller's script outside of the page. It can do
	// whatever scripts can, such as close its page and continue.
	Scripts bool
	// Steps marks a tool whose parameters contain calls of other tools. It can't be a
	// step itself: [RunBatch].
	Steps bool
	// WhilePaused marks a tool that works on a page that is paused in the debugger.
	WhilePaused bool
	// TakesTurns marks a tool that waits for its [Turn] itself.
	TakesTurns bool
	// Words says who wrote the texts of answers and errors; default: a page.
	Words Words
	// Target names the parameter with the handle of a page that the tool closes, so
	// that requests on that page keep their order with it.
	Target string
	// Labels marks a tool that gives a page a label. Such a call keeps its order with
	// every other.
	Labels bool
	// TimeoutUnit is the unit of "timeout" in the call; 0 means a second.
	TimeoutUnit time.Duration
	// Sessionless marks a tool that needs no session: it opens or closes sessions, or
	// only describes.
	Sessionless bool
	// Unlogged marks a tool that call logs leave out, because replaying it would do
	// harm or nothing.
	Unlogged bool
	// Lenient marks a tool whose callers send members that it does not know, in objects
	// within its parameters too: they are ignored.
	Lenient bool
	// Failed makes a result of an error, for a tool whose callers expect one
	// whatever happens.
	Failed func(context.Context, *Error) any
}

// Tool is a declared tool. Make one with [Define].
type Tool struct {
	Spec
	Alias  Alias   // whose second name it is; of none: the tool is itself
	Calls  string  // another tool, without which it is not there either; "" for none
	Params []Param // in positional order
	// In is the JSON Schema of the parameters. Out is the schema of the result, nil if
	// the result is null, a bare value or not known in advance.
	In, Out *jsonschema.Schema
	// Result is ilo's letter for the result: t, b, n or _.
	Result string

	hidden []Param // what it does not take: of the parameters' struct, with their values
	any    bool    // the result is JSON that is only known at run time
	run    func(ctx context.Context, in reflect.Value, timed Timed) error
	in     reflect.Type
	out    reflect.Type
}

// Define declares a tool by a function over two structs. The fields of In are
// the parameters, in positional order: `json:"name"` (with omitempty:
// optional), `doc:"…"`, and if needed `enum:"a,b"`, `default:"…"`,
// `min:"…"`, `max:"…"`, `hint:"…"` (advice for a value of another type) and
// `secrets:"no"` (secrets are not inserted, as the parameter names something
// outside of pages), `file:"yes"` (it names files, as every [Verbatim] does). A field
// with `alias:"only"` is a parameter of aliases that name it.
//
// Out is [None], a string, bool or number, [Image], a struct, or any for JSON
// that is known only at run time. A field of a result may have `own:"yes"` (its
// texts come from pwpipe or the caller, never from a page), `own:"word"` (the
// same, if the text is one of the browser's own words), `own:"picture"`
// (base64), and, for JSON in a known format, `keys:"a,b"` with its names.
func Define[In, Out any](spec Spec, fn func(context.Context, In) (Out, error)) *Tool {
	around := func(ctx context.Context, in any, timed Timed) error {
		return timed(ctx, func(ctx context.Context) (any, error) { return fn(ctx, *in.(*In)) })
	}
	return DefineAround(spec, reflect.TypeFor[In](), reflect.TypeFor[Out](), around)
}

// Timed runs the part of a call that its deadline bounds, and makes JSON of the answer.
// It returns the error that the client gets.
type Timed func(ctx context.Context, part func(context.Context) (any, error)) error

// DefineAround is [Define] for a tool whose calls have steps before their deadline
// starts, or after their end. fn is called once a call, with a pointer to parameters of
// its own, and calls timed at most once.
func DefineAround(spec Spec, in, out reflect.Type, fn func(ctx context.Context, in any, timed Timed) error) *Tool {
	t := &Tool{Spec: spec, in: in}
	if t.TimeoutUnit == 0 {
		t.TimeoutUnit = time.Second
	}
	for _, p := range paramsOf(t.in) {
		if p.aliasOnly {
			t.hidden = append(t.hidden, p)
		} else {
			t.Params = append(t.Params, p.neverNull())
		}
	}
	t.In = schemaOfParams(t.Params)
	t.returns(out)
	t.run = func(ctx context.Context, in reflect.Value, timed Timed) error {
		own := reflect.New(t.in)
		own.Elem().Set(in)
		return fn(ctx, own.Interface(), timed)
	}
	return t
}

// returns sets the type of the result, and what is derived from it.
func (t *Tool) returns(out reflect.Type) {
	t.out = out
	t.Out, t.Result = resultOf(out)
	t.any = out == rawType || out.Kind() == reflect.Interface
}

// decode decodes named arguments into the tool's input. Its error names the parameter
// and the expected value.
func (t *Tool) decode(named rawjson.Object) (reflect.Value, error) {
	in := reflect.New(t.in).Elem()
	err := decodeParams(in, t.Params, named)
	for i := 0; err == nil && i < len(t.hidden); i++ {
		if p := &t.hidden[i]; p.fallback != nil {
			err = setValue(in.FieldByIndex(p.index), p.fallback, p.Name)
		}
	}
	return in, err
}

// Has reports whether a parameter of that name is declared.
func (t *Tool) Has(name string) bool {
	return paramNamed(t.Params, name) != nil
}
