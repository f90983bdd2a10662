package watch

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"pwpipe/features/watch/marks"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools are for people who watch.
func Tools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnSession(tool.Events.Waits("ask-person", "Ask a person",
			"Ask who watches to take the session over, for a login or a captcha say, and wait until they hand it back: done").
			Within(askTime).NotLogged().OwnWords(), askPerson),
		marks.Highlight.Tool,
	}
}

// askTime is the default time for a person to answer.
const askTime = 10 * time.Minute

// maxAsks bounds the open questions of one session.
const maxAsks = 8

// ask is an open question to a person.
type ask struct {
	shownAsk
	answer  chan error // capacity 1
	state   string     // by which a client comes back to it, "" if a call waits
	release func()     // of the hold on the session; may be called twice
}

type shownAsk struct {
	Number  int       `json:"n"`
	Message string    `json:"message"`
	Till    time.Time `json:"till"`
}

type askParams struct {
	Message string `json:"message" secrets:"no" doc:"what is to be done"`
}

func errRefused() error { return provider.Errorf(provider.KindFailed, "refused by the person") }

// askPerson asks a person and waits, through the client if it supports that.
func askPerson(ctx context.Context, s *browser.Session, in askParams) (string, error) {
	if ctx.Value(hubKey{}) == nil {
		return "", provider.Errorf(provider.KindFailed, "no person can see this session").
			WithHint("pwpipe --watch and pwpipe serve show sessions to people")
	}
	v := views.Of(s)
	if client := provider.AskingFrom(ctx); client != nil {
		return askThroughClient(ctx, v, client, in)
	}
	a, err := v.begin(ctx, in)
	if err != nil {
		return "", err
	}
	return v.wait(ctx, a)
}

// begin shows the question to all viewers.
func (v *view) begin(ctx context.Context, in askParams) (*ask, error) {
	till, _ := ctx.Deadline()
	message := v.session.Browser.Short(in.Message, 1000)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.asks) >= maxAsks {
		return nil, provider.Errorf(provider.KindLimit, "%d calls of this session wait for a person already", maxAsks)
	}
	v.asked++
	a := &ask{shownAsk: shownAsk{v.asked, message, till}, answer: make(chan error, 1),
		release: sync.OnceFunc(v.session.Hold())}
	v.asks = append(v.asks, a)
	note(v.session, "asked", message)
	v.bell.ring()
	return a, nil
}

// wait waits for a person. Meanwhile the call does not count as running, so that a
// person can take the session over.
func (v *view) wait(ctx context.Context, a *ask) (string, error) {
	c, inside := ctx.Value(callKey{}).(*call)
	if inside {
		v.leave(c)
	}
	err := a.answered(ctx)
	v.unask(a)
	if inside { // whoever has taken the session meanwhile keeps it
		if late := v.comeIn(ctx, c, 0); err == nil {
			err = late
		}
	}
	if err != nil {
		return "", err
	}
	return "done", nil
}

func (a *ask) answered(ctx context.Context) error {
	select {
	case err := <-a.answer:
		return err
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return provider.Errorf(provider.KindTimeout, "expired: nobody handed the session back within %s", pwerrors.Seconds(provider.RequestFrom(ctx).Deadline)).
				WithHint("a longer timeout gives a person more time")
		}
		return ctx.Err()
	}
}

func (v *view) unask(a *ask) {
	v.mu.Lock()
	v.asks = slices.DeleteFunc(v.asks, func(o *ask) bool { return o == a })
	v.mu.Unlock()
	a.release()
	v.bell.ring()
}

// answer answers one question, by its number, or all for 0.
func (v *view) answer(number int, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, a := range v.asks {
		if number == 0 || a.Number == number {
			select {
			case a.answer <- err:
			default: // it has been answered
			}
		}
	}
}

// askThroughClient asks in two calls. The first answers with a question for the
// client's own person, with a link to the session's live view; the second brings the
// answer. In between the live page shows the question too, and a viewer may answer
// first.
func askThroughClient(ctx context.Context, v *view, client *provider.Asking, in askParams) (string, error) {
	if client.State == "" {
		a, err := v.begin(ctx, in)
		if err != nil {
			return "", err
		}
		v.mu.Lock()
		a.state = rand.Text()
		v.mu.Unlock()
		time.AfterFunc(time.Until(a.Till), func() { v.unask(a) })
		put(ctx, v, client, a)
		return "", nil
	}
	a := v.askOf(client.State, client.Answer != "")
	if a == nil {
		return "", provider.Errorf(provider.KindArgs, "this question is closed").
			WithHint("call without requestState to ask again")
	}
	switch client.Answer {
	case "accept":
		if !client.Links { // done, as the button on the page says it
			v.answer(a.Number, nil)
		}
	case "": // the question has not been put yet
		put(ctx, v, client, a)
		return "", nil
	default:
		v.answer(a.Number, errRefused())
	}
	ctx, cancel := context.WithDeadline(ctx, a.Till)
	defer cancel()
	return v.wait(ctx, a)
}

// put makes the client ask its person.
func put(ctx context.Context, v *view, client *provider.Asking, a *ask) {
	hub := ctx.Value(hubKey{}).(*Hub)
	client.Ask(provider.Question{Message: a.Message, State: a.state, URL: hub.link(v.session)})
}

// askOf is the open question of a state, nil for none. It is answered once.
func (v *view) askOf(state string, answered bool) *ask {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.asks, func(a *ask) bool { return a.state == state })
	if i < 0 {
		return nil
	}
	if answered {
		v.asks[i].state = ""
	}
	return v.asks[i]
}

// link is the address at which a person sees a session live. Whoever has a session's id
// may watch it, so the link has the id, behind the # where servers and logs don't see
// it. It has no key: the person logs in.
func (h *Hub) link(s *browser.Session) string {
	if s.Options.ID == "" {
		return h.Address + "/#" + ownKey
	}
	return h.Address + "/#id=" + s.Options.ID
}
