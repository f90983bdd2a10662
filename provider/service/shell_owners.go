package service

import (
	"slices"

	"pwpipe/internal/shell/thin"
)

// owner is who a session's name belongs to: the caller that opened it.
type owner struct {
	thin.Caller
	runs int // commands that run on the name
}

// takeName finds the session of a command that names none, and has the name be its
// caller's until released, so that two callers that open at once have two sessions.
func takeName(sh *Shell, name *string, caller thin.Caller) (release func()) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	ids := sh.All()
	o := sh.owners.take(name, caller, func(name string) bool {
		n := sh.names[name]
		return n != nil && slices.Contains(ids, n.id)
	})
	o.runs++
	return func() {
		sh.mu.Lock()
		o.runs--
		sh.mu.Unlock()
	}
}

// owners are the owners of names. The first caller has the session default; another that
// comes while that is open has a session of its own. An agent always has its own.
type owners map[string]*owner

func (all owners) take(name *string, caller thin.Caller, isOpen func(name string) bool) *owner {
	for name, o := range all {
		if o.runs == 0 && !isOpen(name) {
			delete(all, name)
		}
	}
	switch first := all[DefaultSession]; {
	case *name != "":
	case caller.Agent, caller.Own != "" && isOpen(caller.Own):
		*name = caller.Own
	case first == nil || caller.Own == "" || first.Own == caller.Own || first.left():
		*name = DefaultSession
	default:
		*name = caller.Own
	}
	if o := all[*name]; o == nil || o.left() {
		all[*name] = &owner{Caller: caller}
	}
	return all[*name]
}

// left reports whether the owner's terminal is closed: its session goes to the next
// caller, so that a person who closes a window finds it again in another.
func (o *owner) left() bool { return o.runs == 0 && thin.Ended(o.Leader) }
