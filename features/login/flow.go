package login

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// These times bound how long a page takes to reach its next state.
const (
	glance  = 100 * time.Millisecond // between two looks
	steady  = 700 * time.Millisecond // how long a state lasts before it counts
	patient = 3 * time.Second        // how long a challenge has to solve itself
	late    = 20 * time.Second       // how long the log-in waits for a next state
)

// watch keeps what a flow remembers between two looks at the page.
type watch struct {
	last     time.Time // when the flow last did something
	since    time.Time // when the state last changed
	state    string
	document string // the one in which the form was sent, "" before that
	wrong    string // the page's error at that time
	asked    bool   // whether a person was asked since then
}

// run fills in whatever the site shows until the account is in.
func (f *flow) run() error {
	w := &watch{last: time.Now(), since: time.Now()}
	var s seen
	var ok bool
	for {
		if err := f.leaked(); err != nil {
			return err
		}
		if s, ok = f.look(); ok {
			done, err := f.next(w, s)
			if done || err != nil && !errors.Is(err, errChanged) {
				return err
			}
		}
		if time.Since(w.last) > late {
			return f.stuck(w, s, ok)
		}
		if err := f.Pause(glance); err != nil {
			return err
		}
	}
}

// next does what the page's state asks for.
func (f *flow) next(w *watch, s seen) (done bool, err error) {
	if err := f.refuse(s); err != nil {
		return false, err
	}
	if state := s.state(); state != w.state {
		w.state, w.since = state, time.Now()
	}
	lasting := time.Since(w.since)
	if f.login.Done != "" && f.isDone() {
		return true, nil
	}
	if !s.Ours {
		return false, nil
	}
	sent, kinds := w.document != "", f.wants(s)
	enough := steady // how long a state lasts before it counts
	if s.document == w.document {
		enough = patient // a script may take longer than a new document
	}
	switch {
	case s.Captcha && !w.asked && lasting > patient:
		return false, f.ask(w, "a captcha")
	case s.Captcha && !w.asked:
		return false, nil
	case sent && f.again(s) && s.Ready && lasting > enough && (s.document != w.document || s.Wrong != "" && s.Wrong != w.wrong):
		return false, f.refused(s)
	case sent && f.again(s): // the form was sent, and the site has not answered yet
		return false, nil
	case len(kinds) > 0:
		return false, f.give(w, s, kinds)
	case s.Code && !w.asked && lasting > steady:
		return false, f.ask(w, "a code")
	case s.Push && !w.asked && lasting > patient:
		return false, f.ask(w, "a confirmation elsewhere")
	case s.Push || s.Code:
		return false, nil
	}
	return sent && f.login.Done == "" && s.Ready && lasting > enough, nil
}

// state returns a text that differs from one state of the page to another.
func (s seen) state() string {
	return fmt.Sprint(s.document, s.Ours, s.Ready, s.User, s.Password, s.Code, s.Captcha, s.Push, s.Wrong != "")
}

// wants returns the kinds of fields that the page shows, the log-in has and the flow did not fill yet.
func (f *flow) wants(s seen) (kinds []string) {
	for _, k := range []struct {
		kind  string
		there bool
		known bool
	}{
		{"user", s.User && !slices.Contains(f.gave, "password"), f.login.User != nil},
		{"password", s.Password, f.login.Password != nil},
		{"code", s.Code, f.login.TOTP != nil || f.login.Code != nil},
	} {
		if k.there && k.known && !slices.Contains(f.gave, k.kind) {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds
}

// again reports whether the page shows a form that the flow has sent already.
func (f *flow) again(s seen) bool {
	gave := func(kind string) bool { return slices.Contains(f.gave, kind) }
	return s.Password && gave("password") || s.Code && gave("code") || s.User && !s.Password && gave("user")
}

// give types into the fields and sends the form.
func (f *flow) give(w *watch, s seen, kinds []string) error {
	for _, kind := range kinds {
		text, err := f.value(kind)
		if err == nil {
			err = f.fill(s, kind, "", text)
		}
		if err != nil {
			return err
		}
	}
	return f.send(w, s, kinds)
}

// send sends the form of the fields that were typed into. It waits for a button that is disabled.
func (f *flow) send(w *watch, s seen, kinds []string) error {
	for {
		if now, ok := f.look(); ok && now.Captcha && !w.asked { // it has come meanwhile
			return errChanged
		}
		did, ok := f.in(s.world, job{Op: "send", Kind: kinds[len(kinds)-1]})
		if err := f.refuse(did); err != nil {
			return err
		}
		if did.Did {
			f.gave = append(f.gave, kinds...)
			*w = watch{last: time.Now(), since: time.Now(), document: s.document, wrong: s.Wrong}
			return nil
		}
		if !ok || time.Since(w.last) > late {
			return errChanged
		}
		if err := f.Pause(glance); err != nil {
			return err
		}
	}
}

// ask asks a person for help, once for each form.
func (f *flow) ask(w *watch, what string) error {
	err := f.person(what)
	w.asked, w.last = true, time.Now()
	if w.document == "" {
		w.document = "a person's"
	}
	return err
}

// refused returns the error for a site that shows its form again.
func (f *flow) refused(s seen) error {
	if s.Wrong != "" {
		return f.failed("%s refused: %s", s.Origin, s.Wrong)
	}
	return f.failed("%s shows its form again", s.Origin).
		WithHint("look at the page for the reason; the account may be locked by too many tries")
}

// stuck returns the error for a site that reached no next state.
func (f *flow) stuck(w *watch, s seen, ok bool) error {
	switch {
	case !ok:
		return f.failed("pwpipe can't read the page: login needs Chromium, and pwpipe's own connection to it").
			WithHint("leave out --browser firefox or webkit")
	case !s.Ours:
		return f.failed("the page is at %s, which is not an origin of the log-in: nothing was typed there", s.Origin)
	case w.document == "":
		return f.failed("there is no form at %s that asks for a user or a password", f.Where()).
			WithHint("the account may be logged in already; whoever keeps the log-ins can set done, page or steps")
	case f.again(s):
		return f.refused(s)
	case f.login.Done != "":
		return f.failed("the form was sent, and %s did not become visible on %s", f.login.Done, f.Where())
	}
	return f.failed("the form was sent, and the log-in did not end on %s", f.Where())
}

// steps does the steps that the log-in gives for an unusual form.
func (f *flow) steps() error {
	if f.login.Done != "" && f.isDone() {
		return nil
	}
	for i, step := range f.login.Steps {
		var err error
		switch step.Do {
		case "click":
			_, err = f.part("click", map[string]any{"sel": step.To}, 0)
		case "press":
			_, err = f.part("press", map[string]any{"key": step.To}, 0)
		case "wait":
			_, err = f.part("wait", map[string]any{"sel": step.To}, 0)
		default:
			err = f.typeInto(step.Do, step.To)
		}
		if err != nil {
			return f.failed("step %d (%s %s): %w", i+1, step.Do, step.To, err)
		}
	}
	for began := time.Now(); f.login.Done != "" && !f.isDone(); {
		if err := f.leaked(); err != nil {
			return err
		}
		if time.Since(began) > late {
			return f.failed("the steps were done, and %s did not become visible on %s", f.login.Done, f.Where())
		}
		if err := f.Pause(glance); err != nil {
			return err
		}
	}
	return nil
}

// typeInto waits for a field and types a value into it.
func (f *flow) typeInto(kind, css string) error {
	text, err := f.value(kind)
	if err != nil {
		return err
	}
	for began := time.Now(); ; {
		s, ok := f.look()
		if ok && s.Ours {
			if err := f.fill(s, kind, css, text); err == nil {
				f.gave = append(f.gave, kind)
				return nil
			} else if !errors.Is(err, errChanged) {
				return err
			}
		}
		if time.Since(began) > late {
			if ok && !s.Ours {
				return f.stuck(nil, s, ok)
			}
			return errors.New("no such field in " + late.String())
		}
		if err := f.Pause(glance); err != nil {
			return err
		}
	}
}
