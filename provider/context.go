package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/google/uuid"
)

// contextKey is a key of what contexts of calls carry.
type contextKey int

const (
	clientKey contextKey = iota
	teamKey
	callerKey
	emitterKey
	aimKey
	exchangeKey
	requestIDKey
	awaitedKey
	runningKey
	answerKey
	unwrittenKey
	turnKey
)

// fromContext is what a context has under a key, the zero value if it has nothing.
func fromContext[T any](ctx context.Context, key any) T {
	v, _ := ctx.Value(key).(T)
	return v
}

// Sessions holds the sessions that clients name in requests, by session_id. The
// handlers implement it.
type Sessions interface {
	// Create opens a session with a browser context of its own.
	Create(ctx context.Context) (id string, err error)
	// Bind puts the session into ctx and marks it as in use until release is called
	// with the call's error.
	Bind(ctx context.Context, id string) (bound context.Context, release func(*Error), err error)
	// Close closes a session and everything in it.
	Close(ctx context.Context, id string) error
	// Open is the number of open sessions.
	Open() int
}

// Emitter sends events to a client. A surface that can send events puts one into the
// context of its calls.
type Emitter struct {
	// Connection ends when the client can't be reached any more.
	Connection context.Context
	// Emit sends one event, a JSON object whose first member is "event". It may block
	// while the client is slow.
	Emit func(event json.RawMessage) error
	// Key identifies the connection.
	Key any

	table *Table // of the call that owns the context
}

// Send encodes an event, masks its secrets, marks its page texts and sends it. Handlers
// call Send, not Emit.
func (e *Emitter) Send(event any) error {
	raw, err := e.table.redactEvent(event)
	if err != nil {
		return err
	}
	return e.Emit(raw)
}

// WithClient sets the client, so that clients can be told apart: an address, or any
// other key of the surface.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey, client)
}

// ClientFrom is the client, "" if there is only one.
func ClientFrom(ctx context.Context) string { return fromContext[string](ctx, clientKey) }

// Team is whose key a request came with, and what the key allows. Sessions belong to the team
// that opened them, and are there for no other. A service without teams has the zero Team.
type Team struct {
	Name        string
	MaxSessions int      // open at once, 0 for as many as the service has
	Hosts       []string // that its pages may reach, each with its subdomains; nil for the service's
}

// WithTeam sets whose key a request came with.
func WithTeam(ctx context.Context, t Team) context.Context { return context.WithValue(ctx, teamKey, t) }

// TeamFrom is whose key a request came with.
func TeamFrom(ctx context.Context) Team { return fromContext[Team](ctx, teamKey) }

// WithCaller describes the client for people, such as an address and a program. The
// text must not contain a key or a session's id.
func WithCaller(ctx context.Context, words string) context.Context {
	return context.WithValue(ctx, callerKey, words)
}

// CallerFrom describes the client for people, "" if unknown.
func CallerFrom(ctx context.Context) string { return fromContext[string](ctx, callerKey) }

// WithEmitter lets tools called under ctx send events.
func WithEmitter(ctx context.Context, e *Emitter) context.Context {
	return context.WithValue(ctx, emitterKey, e)
}

// EmitterFrom is the emitter of a call, nil if the surface can't send events.
func EmitterFrom(ctx context.Context) *Emitter {
	e := fromContext[*Emitter](ctx, emitterKey)
	if e == nil {
		return nil
	}
	of := *e
	of.table = TableOf(ctx)
	return &of
}

// bind binds a call to the session that it names. If it names none, release is nil.
func (t *Table) bind(ctx context.Context, tool *Tool, r Request) (_ context.Context, release func(*Error), _ error) {
	if r.Session == "" || tool.Sessionless {
		return ctx, nil, nil
	}
	if t.options.Sessions == nil {
		return ctx, nil, Errorf(KindNoTarget, "no session %s", r.Session).WithHint("there are no sessions here; leave session_id out")
	}
	return t.options.Sessions.Bind(ctx, r.Session)
}

// Aim holds the page of a call and the target on it. Both are known only once the call
// runs. Viewers and an [Observer] may show it.
type Aim struct {
	mu           sync.Mutex
	page, target string
}

// AimFrom is the aim of the call that a context belongs to, nil outside a call.
func AimFrom(ctx context.Context) *Aim { return fromContext[*Aim](ctx, aimKey) }

// Take stores the page and the target in the form for people: cut, secrets masked. An
// empty text leaves its value unchanged.
func (a *Aim) Take(page, target string) {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.page, a.target = cmp.Or(page, a.page), cmp.Or(target, a.target)
}

// At is the page's handle and the target, "" if unknown.
func (a *Aim) At() (page, target string) {
	if a == nil {
		return "", ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.page, a.target
}

// exchange holds what a call has besides its result, for dialects that show more than
// JSON: the files that it wrote, and its question to the client's person.
type exchange struct {
	mu    sync.Mutex
	files []File

	asking *Asking // nil if the client can't ask
	call   any     // as the dialect knows it
}

// WithExchange lets the call under ctx offer the files that it writes, and ask its client's person
// by asking, nil if the client can't. call is the call as the dialect knows it: see [DialectCall].
func WithExchange(ctx context.Context, asking *Asking, call any) context.Context {
	return context.WithValue(ctx, exchangeKey, &exchange{asking: asking, call: call})
}

// DialectCall returns what [WithExchange] was given of a call; nil for none.
func DialectCall(ctx context.Context) any {
	if x := exchangeIn(ctx); x != nil {
		return x.call
	}
	return nil
}

func exchangeIn(ctx context.Context) *exchange { return fromContext[*exchange](ctx, exchangeKey) }

// Carry copies the exchange of one call's context, and what waits for its answer, to another
// context, for surfaces that call under a context of their own.
func Carry(to, from context.Context) context.Context {
	to = context.WithValue(to, exchangeKey, exchangeIn(from))
	return context.WithValue(to, unwrittenKey, fromContext[*unwritten](from, unwrittenKey))
}

// Asking is a client that shows a question to its person and repeats the call with the
// answer.
type Asking struct {
	State  string // of the answered question, "" in the first call
	Answer string // "accept", "decline" or "cancel"; "" for none
	// Links says that the client shows a link, and that accepting opens it. Otherwise
	// the message has the link, and accepting means that the person is done.
	Links bool

	question *Question
}

// Question is for a client's person.
type Question struct {
	Message, URL string
	State        string // comes back with the answer; nobody can guess it
}

// AskingFrom is the handler's way to ask the client's person. It is nil if the client
// can't ask; then the call has one answer. A step of another call can't ask, because
// the other call would go on.
func AskingFrom(ctx context.Context) *Asking {
	x, r := exchangeIn(ctx), runningIn(ctx)
	if x == nil || r.table == nil || r.request.part {
		return nil
	}
	return x.asking
}

// Ask makes the question the answer to this call. The handler's result is dropped.
func (a *Asking) Ask(q Question) { a.question = &q }

// Asked is the question that is the answer to this call, nil for none.
func (a *Asking) Asked() *Question {
	if a == nil {
		return nil
	}
	return a.question
}

// WithRequestID gives the calls under ctx an id, by which a log tells which of them
// belong to one request of a client: the client's own if that is a uuid, else a new one.
func WithRequestID(ctx context.Context, own string) context.Context {
	id, err := uuid.Parse(own)
	if err != nil {
		id = uuid.New()
	}
	return context.WithValue(ctx, requestIDKey, id.String())
}

// RequestID is the id of the request that a call came with, "" where its surface gives
// none: on a pipe a client's own ids tell requests apart.
func RequestID(ctx context.Context) string { return fromContext[string](ctx, requestIDKey) }

// SameRequest gives the calls under ctx the id that of has.
func SameRequest(ctx, of context.Context) context.Context {
	return context.WithValue(ctx, requestIDKey, RequestID(of))
}

// WithOthers lets the call under ctx ask whether other requests wait for its end.
func WithOthers(ctx context.Context, wait func() bool) context.Context {
	return context.WithValue(ctx, awaitedKey, wait)
}

// OthersWait reports whether another request on the same stream and page waits for the end
// of the request that ctx, a handler's context, belongs to.
func OthersWait(ctx context.Context) bool {
	awaited := fromContext[func() bool](ctx, awaitedKey)
	return awaited != nil && awaited()
}

// Viewer is a person who watches, over a connection that a surface accepted.
type Viewer interface {
	// Heard waits for the person's next message, a JSON object. Its error is the end of
	// the connection.
	Heard() ([]byte, error)
	// Show sends a message that encodes to a JSON object, with its bytes, nil for none.
	// It blocks while the connection is slow.
	Show(message any, bytes []byte) error
	// All reports whether the person may see every session, like an operator. Otherwise
	// they see only the sessions whose ids they know.
	All() bool
	// Team is whose key the person logged in with, "" for no team's. They see its sessions.
	Team() string
}
