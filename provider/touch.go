package provider

import "pwpipe/provider/internal/rawjson"

// Touch is the effect of one call on the order.
type Touch struct {
	Page   string // "" for the active page
	Target string // a page that the call closes, named in its params
	Effect Effect
}

// Touch is the effect of a message on the order.
func (t *Table) Touch(m *Message) Touch {
	if m.Err != nil {
		return Touch{Effect: Reads}
	}
	r := m.called()
	tool := t.Find(r.Tool)
	if tool == nil {
		return Touch{Page: r.Page, Effect: Reads}
	}
	to := Touch{Page: r.Page, Effect: tool.Effect}
	if r.split() != nil {
		return to
	}
	if page, ok := rawjson.Text(r.args.named.Get("page")); ok && !tool.Has("page") {
		to.Page = page
	}
	if tool.Target != "" {
		to.Target, _ = rawjson.Text(tool.arg(r.args, tool.Target))
	}
	return to
}

// Before reports whether a later call must wait for this one, on surfaces where each
// answer has its own way back. [Lanes] decides this for a stream.
func (e Touch) Before(later Touch) bool {
	switch {
	case e.Effect == Switches || later.Effect == Switches:
		return true
	case e.Effect == Reads && later.Effect == Reads:
		return false
	}
	return e.Page == later.Page || e.Page == "" || later.Page == ""
}

// blocks reports whether a later call must wait for this one on a stream, which also
// keeps the order of replies. switching: a call that chooses pages is running.
func (e Touch) blocks(later Touch, pages Pages, active string, switching bool) bool {
	if e.Page == "" && later.Page != "" && !pages.Known(later.Page) {
		return true // it may be about to open that very page
	}
	if e.Effect == Reads && later.Effect == Reads {
		return false
	}
	if later.Target != "" && later.Target == e.Page || e.Target != "" && e.Target == later.Page {
		return true
	}
	switch {
	case e.Page == later.Page:
		return true
	case e.Page == "":
		return e.Effect == Switches || later.Page == active
	case later.Page == "":
		return e.Page == active || switching
	}
	return false
}

// laneOf is the lane whose order the reply keeps.
func laneOf(j *job) string {
	lane := j.touches[0].Page
	for _, t := range j.touches {
		if t.Page != lane {
			return ""
		}
	}
	return lane
}
