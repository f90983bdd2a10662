package lend

import "encoding/json"

// read reads what the browser says of a target.
func (t *target) read(raw json.RawMessage) bool {
	return json.Unmarshal(raw, &t.info) == nil && json.Unmarshal(raw, &t.raw) == nil && t.info.ID != ""
}

// shown is what the agent may know of a target of its own. The lock is held.
func (b *borrower) shown(t *target) json.RawMessage {
	raw := t.raw
	if opener := b.targets[t.info.Opener]; t.info.Opener != "" && (opener == nil || !opener.has) {
		raw = map[string]json.RawMessage{}
		for name, v := range t.raw {
			if name != "openerId" && name != "openerFrameId" {
				raw[name] = v
			}
		}
	}
	return encoded(raw)
}

// ofAgent reports whether a target is the agent's: one in a context that it made, or a
// page that a page of the agent's opened. The lock is held.
func (b *borrower) ofAgent(t *target) (has, made bool) {
	if b.made[t.info.Context] {
		return true, false // it goes with the context
	}
	opener := b.targets[t.info.Opener]
	if t.info.Type != "page" || opener == nil || !opener.has {
		return false, false
	}
	return true, opener.made
}

// targetOf reads the target of an event or an answer, nil if it names none.
func targetOf(params json.RawMessage) *target {
	var e struct {
		Info json.RawMessage `json:"targetInfo"`
	}
	t := &target{}
	if json.Unmarshal(params, &e) != nil || !t.read(e.Info) {
		return nil
	}
	return t
}

func (b *borrower) targetCreated(params json.RawMessage) {
	t := targetOf(params)
	if t == nil {
		return
	}
	b.mu.Lock()
	old := b.targets[t.info.ID]
	b.targets[t.info.ID] = t
	if old != nil { // the answer of Target.createTarget came first
		t.whose = old.whose
		isNews := t.has && old.raw == nil
		b.mu.Unlock()
		if isNews {
			b.tell("Target.targetCreated", t)
		}
		return
	}
	has, made := b.ofAgent(t)
	b.mu.Unlock()
	if has {
		b.give(t.info.ID, made)
	}
}

// give makes a target the agent's. The sessions that attach to all pages do so.
func (b *borrower) give(id string, made bool) {
	if !b.lender.claim(id, b) {
		return
	}
	b.mu.Lock()
	t := b.targets[id]
	if t == nil {
		t = &target{info: info{ID: id}}
		b.targets[id] = t
	}
	if t.has {
		b.mu.Unlock()
		return
	}
	t.has, t.made = true, made
	if b.ended { // it is closed at once
		b.mu.Unlock()
		return
	}
	b.visits(t.info)
	guards := t.guard == nil && !b.made[t.info.Context] && (t.info.Type == "page" || t.info.Type == "")
	var attach, hold []*session
	for _, s := range b.sessions {
		if s.attaches && b.joins(t) {
			attach = append(attach, s)
		}
		if s.holds != nil && b.joins(t) {
			hold = append(hold, s)
		}
	}
	b.mu.Unlock()
	if guards {
		b.guards(id)
	}
	b.tell("Target.targetCreated", t)
	for _, s := range attach {
		s.join(id, func() {})
	}
	for _, s := range hold {
		s.hold(id, func() {})
	}
}

// joins reports whether sessions that attach to all pages attach to a target. The lock is
// held.
func (b *borrower) joins(t *target) bool {
	switch t.info.Type {
	case "page", "": // the agent has only just created it
		return true
	case "service_worker":
		return b.made[t.info.Context]
	}
	return false
}

// join attaches a session to a page, once, and calls then when it is attached.
func (s *session) join(id string, then func()) {
	b := s.b
	b.mu.Lock()
	j := s.joined[id]
	switch {
	case j != nil && j.done:
		b.mu.Unlock()
		then()
		return
	case j != nil:
		j.then = append(j.then, then)
		b.mu.Unlock()
		return
	}
	j = &joint{then: []func(){then}}
	s.joined[id] = j
	b.mu.Unlock()
	s.Send("Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, func(json.RawMessage, error) {
		b.mu.Lock()
		list := j.then
		j.done, j.then = true, nil
		b.mu.Unlock()
		for _, then := range list {
			then()
		}
	})
}

// discovering are the sessions that asked to hear of a target. The lock is held.
func (b *borrower) discovering(t *target) (ids []string) {
	for _, s := range b.sessions {
		if s.discovers != nil && t.raw != nil && s.discovers.Passes(t.info.Type) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// tell sends an event about a target of the agent's to the sessions that asked for them.
func (b *borrower) tell(method string, t *target) {
	b.mu.Lock()
	to := b.discovering(t)
	text := encoded(map[string]any{"targetInfo": b.shown(t)})
	b.mu.Unlock()
	for _, id := range to {
		b.say(message{Method: method, Params: text, Session: id})
	}
}

func (b *borrower) targetChanged(params json.RawMessage) {
	t := targetOf(params)
	if t == nil {
		return
	}
	b.mu.Lock()
	if old := b.targets[t.info.ID]; old != nil {
		t.whose = old.whose
	}
	b.targets[t.info.ID] = t
	if !t.partAtSite() {
		defer dropSessions(b, t.info.ID)
	}
	if !t.atSite() {
		t.going, t.turns = false, ""
	}
	leaves, returns := t.has && !t.atSite(), t.returns()
	if t.has && !leaves {
		b.visits(t.info)
	}
	t.away = t.away && !returns || leaves
	has, made, leaves := t.has, t.made, leaves || t.away && !t.atSite() // give may change it once the lock is free
	b.mu.Unlock()
	switch {
	case leaves:
		b.giveBack(t.info.ID)
	case returns:
		b.release(t.info.ID)
		b.give(t.info.ID, made)
	case has:
		b.tell("Target.targetInfoChanged", t)
	}
}

// ends passes on the end of a target of the agent's.
func (b *borrower) ends(method string, gone bool) func(params json.RawMessage) {
	return func(params json.RawMessage) {
		var e struct {
			ID string `json:"targetId"`
		}
		if json.Unmarshal(params, &e) != nil {
			return
		}
		b.mu.Lock()
		var to []string
		if t := b.targets[e.ID]; t != nil && t.has {
			to = b.discovering(t)
		}
		if gone {
			delete(b.targets, e.ID)
		}
		b.mu.Unlock()
		if gone {
			b.lender.release(e.ID, b)
		}
		for _, id := range to {
			b.say(message{Method: method, Params: params, Session: id})
		}
	}
}
