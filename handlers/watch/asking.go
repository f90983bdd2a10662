package watch

import (
	"context"
	"crypto/rand"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

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
		time.AfterFunc(time.Until(a.till), func() { v.unask(a) })
		put(ctx, v, client, a)
		return "", nil
	}
	a := v.askOf(client.State, client.Answer != "")
	if a == nil {
		return "", provider.Errorf(provider.KindArgs, "this question is not open any more").WithHint("call without requestState to ask again")
	}
	switch client.Answer {
	case "accept":
		if !client.Links { // done, as the button on the page says it
			v.answer(a.number, nil)
		}
	case "": // the question has not been put yet
		put(ctx, v, client, a)
		return "", nil
	default:
		v.answer(a.number, errRefused())
	}
	ctx, cancel := context.WithDeadline(ctx, a.till)
	defer cancel()
	return v.wait(ctx, a)
}

// put makes the client ask its person.
func put(ctx context.Context, v *view, client *provider.Asking, a *ask) {
	hub := ctx.Value(hubKey{}).(*Hub)
	client.Ask(provider.Question{Message: a.message, State: a.state, URL: hub.link(v.session)})
}

// askOf is the open question of a state, nil for none. It is answered once.
func (v *view) askOf(state string, answered bool) *ask {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, a := range v.asks {
		if a.state != state {
			continue
		}
		if answered {
			a.state = ""
		}
		return a
	}
	return nil
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
