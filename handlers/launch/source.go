package launch

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"pwpipe/internal/browser/cdp"
)

// A Source is where a browser is that an option connects to: pwpipe does not start it, and has
// no address for it. The methods of no source, nil, say no.
type Source struct {
	// Place is where the browser is, for people: "at chrome", "of the grid at http://…".
	Place string
	// Fresh browsers are begun for pwpipe: they have no tabs at first, and one that is lost is
	// followed by another.
	Fresh bool
	// Persons are the clipboard and the tabs of a person who uses the browser.
	Persons bool
	// Lent reports whether the person has lent a tab, by its target; nil where tabs are not lent
	// one by one over a connection of each session.
	Lent func(target string) bool
	// Unguarded is what is logged where there is a policy, "" for the usual: no proxy of ours
	// enforces it.
	Unguarded string
	// Patience is how long Dial may take, 0 for the usual.
	Patience time.Duration
	// Ready says why there is no browser for pwpipe right now; nil where only Dial finds out.
	Ready func(context.Context) error
	// Dial connects. folder is of this run, and is left where pwpipe is killed.
	Dial func(ctx context.Context, log *slog.Logger, folder string) (*Reached, error)
}

// Reached is a connection to the browser of a source. All but Conn may be nil.
type Reached struct {
	Conn *cdp.Conn
	// Gone is closed when the browser has gone, which the connection may not show.
	Gone <-chan struct{}
	// Leave gives the browser back.
	Leave func()
	// Lend has the tabs lent that the person named, and returns how many.
	Lend func() (tabs int)
	// Fate is what became of a tab that was lent, by its target; "" of another.
	Fate func(target string) string
	// Narrow is why nobody but the driver may have a session with the browser.
	Narrow error
}

func (s *Source) fresh() bool { return s != nil && s.Fresh }

// OfPerson reports whether a person uses the browser.
func (s *Source) OfPerson() bool { return s != nil && s.Persons }

// Lends reports whether each session has a connection to the browser with the tabs that are
// lent to it, and more may be lent at any time.
func (s *Source) Lends() bool { return s != nil && s.Lent != nil }

// reach connects to the browser of a source.
func (r *Run) reach(o StartOptions) (err error) {
	patience := dialTime
	if o.Source.Patience > 0 {
		patience = o.Source.Patience
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reached, err := o.Source.Dial(ctx, o.Log, r.Driver.Temp)
	if err != nil {
		return err
	}
	if r.reached = reached; reached.Conn == nil {
		return errors.New("the source of browsers has no connection")
	}
	err = r.join(reached.Conn, nil)
	if err == nil && reached.Narrow != nil {
		r.line.session, r.line.err = nil, reached.Narrow
	}
	return err
}

func (r *Reached) gone() <-chan struct{} {
	if r == nil {
		return nil
	}
	return r.Gone
}

func (r *Reached) leave() {
	if r != nil && r.Leave != nil {
		r.Leave()
	}
}

// NoteFate notes why pwpipe closes a page by itself.
func (r *Run) NoteFate(target, why string) { r.fates.Store(target, why) }

// Fate is what became of a page that pwpipe closed by itself, or of a tab that a person had lent, by its
// target; "" of another.
func (r *Run) Fate(target string) string {
	if why, ok := r.fates.Load(target); ok {
		return why.(string)
	}
	if r.reached == nil || r.reached.Fate == nil {
		return ""
	}
	return r.reached.Fate(target)
}

// lentTime bounds the wait for tabs that are lent.
const lentTime = 5 * time.Second

// AwaitLent has the tabs lent that the person named, and waits until they are pages.
func (r *Run) AwaitLent(ctx context.Context) {
	if r.reached == nil || r.reached.Lend == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lentTime)
	defer cancel()
	for most := r.reached.Lend(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		n := 0
		for _, c := range r.Found {
			n += len(c.Pages())
		}
		if n >= most {
			return
		}
	}
}
