package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/commandline"
)

// Keeper keeps what named sessions have stored over the end of the service.
type Keeper struct {
	// Open opens a session as it is to begin.
	Open func(ctx context.Context, name string, b Beginning) (id string, err error)
	// Save saves what the session that ctx is bound to has stored.
	Save func(ctx context.Context) error
	// Where says where a session is kept, and who can read it.
	Where  func(name string) string
	Always bool // also without --persist
}

// Beginning says how the session of a name begins.
type Beginning struct {
	State string // the name of a saved state that it begins with, "" for none
	Keep  bool   // it is kept, and begins with what was kept, unless State is there
}

// TakeBeginning takes the options of open that say how a session begins out of a line.
func TakeBeginning(l *commandline.Line) (b Beginning, err error) {
	b.Keep = l.Take("--persist")
	b.State, err = l.TakeValue("--state")
	return b, err
}

// keeping is what is known of a named session that is kept, or began with a saved state. The
// Shell's lock guards it.
type keeping struct {
	on     bool
	began  string // the state's name
	saving bool
	due    time.Time // of the next save, zero for none
	failed error     // of the last
}

// The state is saved soon after a command, and once more when what the command began has
// probably ended.
const (
	saveSoon  = 500 * time.Millisecond
	saveAgain = 10 * time.Second
	saveTime  = 30 * time.Second // for one save
)

// openKept opens the session of a name as it is to begin.
func (sh *Shell) openKept(ctx context.Context, name string, b Beginning) error {
	if b == (Beginning{}) {
		return nil
	}
	if sh.Keep == nil {
		return provider.Errorf(provider.KindArgs,
			"a browser with --user-data-dir keeps its profile already: leave --persist and --state out")
	}
	if _, err := sh.find(ctx, name, sh.creator(name, b)); err != nil {
		return err
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	without := ""
	switch k := sh.names[name].keeping; {
	case b.Keep && !k.on:
		without = "without --persist"
	case b.State != "" && b.State != k.began:
		without = "and did not begin with state " + b.State
	default:
		return nil
	}
	return provider.Errorf(provider.KindArgs, "session %s is open already, %s", name, without).
		WithHint("`pwpipe close %s` closes it", name)
}

// creator opens the session of a name, and notes how it began.
func (sh *Shell) creator(name string, b Beginning) func(context.Context) (string, error) {
	b.Keep = b.Keep || sh.Keep != nil && sh.Keep.Always
	return func(ctx context.Context) (id string, err error) {
		if b == (Beginning{}) {
			id, err = sh.server.sessions.Create(ctx)
		} else {
			id, err = sh.Keep.Open(ctx, name, b)
		}
		if err == nil {
			sh.mu.Lock()
			sh.names[name].keeping = keeping{on: b.Keep, began: b.State}
			sh.mu.Unlock()
		}
		return id, err
	}
}

// touched notes that a command has run in a session, whose state is to be saved if it is
// kept. The error is that of the last save.
func (sh *Shell) touched(name string) error {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	n := sh.names[name]
	if n == nil || !n.keeping.on {
		return nil
	}
	if soon := time.Now().Add(saveSoon); n.keeping.due.IsZero() || n.keeping.due.After(soon) {
		n.keeping.due = soon
	}
	return n.keeping.failed
}

// saveDue begins the saves that are due.
func (sh *Shell) saveDue() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for name, n := range sh.names {
		k := &n.keeping
		if k.on && !k.saving && !k.due.IsZero() && time.Now().After(k.due) {
			k.saving, k.due = true, time.Time{}
			if again := n.used.Add(saveAgain); time.Now().Before(again) {
				k.due = again
			}
			go func() { _ = sh.save(name, n.id) }()
		}
	}
}

// save saves the state of a session that is kept, in the order of its commands.
func (sh *Shell) save(name, id string) error {
	sh.mu.Lock()
	n := sh.names[name]
	on := n != nil && n.keeping.on && n.id == id
	sh.mu.Unlock()
	if !on {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(sh.server.base), saveTime)
	defer cancel()
	err := sh.saveIn(ctx, id)
	if err != nil && provider.AsError(err).Kind == provider.KindNoTarget { // it was closed
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("what session %s stores could not be kept, and what was kept before stays: %w", name, err)
		sh.server.Log.Error(err.Error())
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	n.keeping.saving, n.keeping.failed = false, err
	return err
}

func (sh *Shell) saveIn(ctx context.Context, id string) error {
	t, err := sh.server.orders.join(id, provider.Touch{Effect: provider.Switches})
	if err != nil {
		return err
	}
	defer t.leave()
	if err := t.wait(ctx); err != nil {
		return err
	}
	ctx, release, err := sh.server.sessions.Bind(ctx, id)
	if err != nil {
		return err
	}
	defer release(nil)
	return sh.Keep.Save(ctx)
}

// saveAll saves the state of all sessions that are kept.
func (sh *Shell) saveAll() (err error) {
	sh.mu.Lock()
	ids := map[string]string{}
	for name, n := range sh.names {
		ids[name] = n.id
	}
	sh.mu.Unlock()
	for name, id := range ids {
		err = errors.Join(err, sh.save(name, id))
	}
	return err
}

// End saves what is kept and removes pictures, while the sessions are still open.
func (sh *Shell) End() error {
	err := sh.saveAll()
	sh.pictures.removeExcept(nil)
	return err
}
