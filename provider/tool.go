package provider

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/provider/internal/rawjson"
)

// Effect says what a tool does to the page, which decides about order and
// hints.
type Effect int

// The effects of tools.
const (
	Acts     Effect = iota // changes the page or the browser
	Reads                  // only reads: neighbours of a lane may overlap
	Waits                  // only reads, but what follows is meant to come after it
	Destroys               // takes something away that can't be got back
	Switches               // opens, closes or chooses pages: later requests must see it
)

// None is the result of a tool that answers null: `_` in a signature.
type None struct{}

// MarshalJSON makes None null.
func (None) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Image is a picture in a reply. Dialects that can show pictures do (MCP image
// content); elsewhere it is the struct as JSON.
type Image struct {
	MIME   string `json:"mime" doc:"type of the picture"`
	Base64 string `json:"base64" doc:"its bytes"`
}

// Content is a result that dialects with content show as a text and pictures,
// as MCP does. Elsewhere it is JSON like any other.
type Content interface {
	Content() (text string, pictures []Image)
}

// Spec declares a tool. Everything that lists, describes or calls tools
// derives from it and from the two structs given to [Define].
type Spec struct {
	Name    string
	Title   string        // a few words, for people
	Doc     string        // one sentence, for people and models
	More    string        // what the tool help adds, which lists have no room for
	Profile string        // the set that lists it
	Also    []string      // others that list it too
	Timeout time.Duration // default deadline
	Effect  Effect
	// Scripts marks a tool that runs a caller's script outside of the page, and
	// so can do whatever scripts can: close its page and go on, say.
	Scripts bool
	// Steps marks a tool whose parameters hold calls of other tools. It is no
	// step of another. [Batch] sets it.
	Steps bool
	// WhilePaused marks a tool that works on a page which is paused in the
	// debugger, and answers nothing else.
	WhilePaused bool
	// TakesTurns marks a tool that waits for its [Turn] itself.
	TakesTurns bool
	// Words says whose words the answers and errors are: a page's, unless set.
	Words Words
	// Target names the parameter that holds the handle of a page which the tool
	// closes, so that requests on that page keep their order with it.
	Target string
	// TimeoutUnit is the unit of a "timeout" given with the call; 0 means a
	// second.
	TimeoutUnit time.Duration
	// Sessionless marks a tool that works on no session: one that opens or
	// closes them, or that only describes.
	Sessionless bool
	// Unlogged marks a tool that a log of calls leaves out, as a replay of it
	// would do harm or nothing.
	Unlogged bool
	// Prepare runs before the deadline starts and may add to the context: it
	// finds the page, or starts the browser.
	Prepare func(context.Context) (context.Context, error)
	// After sees each finished call that is not a part of another. It must not
	// block.
	After func(context.Context, Request, *Error)
	// Witness looks at what the tool is about to act on; what it returns says what the act did,
	// a short line each. It is asked where a request wants to be told.
	Witness func(context.Context) func() []string
	// Failed makes a result of an error, for a tool whose callers expect one
	// whatever happens.
	Failed func(context.Context, *Error) any
}

// Tool is a declared tool. Make one with [Define].
type Tool struct {
	Spec
	Params []Param // in positional order
	// In is the JSON Schema of the parameters; Out that of the result, nil
	// where the result is null, a bare value or not known beforehand.
	In, Out *jsonschema.Schema
	// Result is ilo's letter for the result: t, b, n or _.
	Result string

	any bool // the result is JSON that is only known at run time
	run func(ctx context.Context, in reflect.Value) (any, error)
	in  reflect.Type
	out reflect.Type
}

// Define declares a tool by a function over two structs. The fields of In are
// the parameters, in positional order: `json:"name"` (with omitempty: it may
// be left out), `doc:"…"`, and where wanted `enum:"a,b"`, `default:"…"`,
// `min:"…"`, `max:"…"`, `hint:"…"` (for callers that give another type) and
// `secrets:"no"` (no secret's value is put into it, as it names something
// outside of pages).
//
// Out is [None], a string, bool or number, [Image], a struct, or any for JSON
// that is only known at run time. In results a field may have `own:"yes"` (its
// texts are pwpipe's or the caller's, never a page's), `own:"word"` (so if it is
// one of the browser's own words), `own:"picture"` (base64), and, where it is
// JSON in a known format, `keys:"a,b"` with the names of that.
func Define[In, Out any](spec Spec, fn func(context.Context, In) (Out, error)) *Tool {
	t := &Tool{Spec: spec, in: reflect.TypeFor[In]()}
	if t.TimeoutUnit == 0 {
		t.TimeoutUnit = time.Second
	}
	t.Params = paramsOf(t.in)
	t.In = schemaOfParams(t.Params)
	out := reflect.TypeFor[Out]()
	t.out = out
	t.Out, t.Result = resultOf(out)
	t.any = out == rawType || out.Kind() == reflect.Interface
	t.run = func(ctx context.Context, in reflect.Value) (any, error) {
		return fn(ctx, in.Interface().(In))
	}
	return t
}

// decode makes the tool's input of named arguments. Its error names the
// parameter and what was expected.
func (t *Tool) decode(named rawjson.Object) (reflect.Value, error) {
	in := reflect.New(t.in).Elem()
	return in, decodeParams(in, t.Params, named)
}

// listedIn reports whether one of some profiles lists the tool.
func (t *Tool) listedIn(profiles []string) bool {
	return slices.Contains(profiles, t.Profile) || slices.ContainsFunc(t.Also, func(p string) bool { return slices.Contains(profiles, p) })
}

// Has reports whether a parameter of that name is declared.
func (t *Tool) Has(name string) bool {
	return paramNamed(t.Params, name) != nil
}
