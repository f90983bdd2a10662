// Package watch shows people what runs, and lets them take a session over. What a
// viewer sees and does goes through [Hub.Watch]; calls go through the gate of their
// session, which a person may close.
package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pool"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/routedid"
	"pwpipe/provider"
)

// Hub holds everything that a process can show to viewers.
type Hub struct {
	Pool  *pool.Pool
	Own   *browser.Session // of a stream, nil for none
	Table *provider.Table
	// Address is the address of the live page, such as http://127.0.0.1:3337.
	Address string
}

type hubKey struct{}

// WithHub makes calls under ctx visible to viewers, and lets them ask for a person.
func WithHub(ctx context.Context, h *Hub) context.Context { return context.WithValue(ctx, hubKey{}, h) }

// ownKey is the key of a stream's own session.
const ownKey = "own"

// keyOf names a session to viewers. The session's id itself is enough to use it, so it
// is not given out.
func keyOf(s *browser.Session) string {
	if s.Options.ID == "" {
		return ownKey
	}
	sum := sha256.Sum256([]byte(s.Options.ID))
	return hex.EncodeToString(sum[:8])
}

// sessions are the sessions that a viewer sees.
func (h *Hub) sessions(v *viewer) (list []pool.Lives) {
	if h.Own != nil && v.all {
		list = append(list, pool.Lives{Session: h.Own})
	}
	for _, l := range h.Pool.Living() {
		if v.all || v.hasNamed(l.Options.ID) {
			list = append(list, l)
		}
	}
	return list
}

// find is the session of a key that a viewer sees, nil for none.
func (h *Hub) find(v *viewer, key string) *browser.Session {
	for _, l := range h.sessions(v) {
		if keyOf(l.Session) == key {
			return l.Session
		}
	}
	return nil
}

// Saw stores a finished call with its session: [provider.Observer].
func (h *Hub) Saw(ctx context.Context, r provider.Request, took time.Duration, err *provider.Error) {
	s, ok := browser.SessionFrom(ctx)
	if r.Session != "" {
		s = h.Pool.Find(r.Session)
		ok = s != nil
	}
	if ok {
		views.Of(s).saw(r, provider.AimFrom(ctx), took, err)
	}
}

type shownSession struct {
	Key     string     `json:"key"`
	Name    string     `json:"name"`
	ID      string     `json:"id,omitempty"`    // a part of it
	Owner   string     `json:"owner,omitempty"` // for viewers of every session
	Begun   int64      `json:"begun"`
	Own     bool       `json:"own,omitempty"` // of the stream: it ends with it
	Used    int64      `json:"used,omitempty"`
	Pages   []shownTab `json:"pages"`
	Browser int        `json:"browser"`
	stand
}

type shownTab struct {
	Page   string `json:"page"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Active bool   `json:"active,omitempty"`
}

// shownList is everything that runs, as far as a viewer sees it, and the counts of
// /metrics.
type shownList struct {
	Is       string         `json:"is"`
	All      bool           `json:"all"`
	Sessions []shownSession `json:"sessions"`
	Open     int            `json:"open"`
	Capacity int            `json:"capacity"`
	Waiting  int            `json:"waiting"`
	Up       int            `json:"up"`
	Down     int            `json:"down"`
	Restarts int            `json:"restarts"`
	Contexts int            `json:"contexts"`
}

func (h *Hub) list(ctx context.Context, v *viewer) shownList {
	out := shownList{Is: "list", All: v.all, Sessions: []shownSession{}, Open: h.Pool.Open(), Capacity: h.Pool.Capacity(), Restarts: h.Pool.Restarts()}
	out.Up, out.Down = h.Pool.Browsers()
	out.Waiting, _ = h.Pool.Waiting()
	names := titles{}
	browsers := map[*browser.Browser]int{}
	for _, l := range h.sessions(v) {
		if browsers[l.Browser] == 0 {
			browsers[l.Browser] = len(browsers) + 1
		}
		own := shown(ctx, l, browsers[l.Browser], names)
		if v.all { // only its own client may see another client's address
			own.Owner = l.Browser.Short(tool.Plain(l.Options.Owner), shownOwner)
		}
		out.Sessions = append(out.Sessions, own)
	}
	out.Contexts = h.Pool.Contexts()
	return out
}

// How many characters people see of the names that a client gives a session and itself.
const (
	shownName  = 100
	shownOwner = 100
)

func shown(ctx context.Context, l pool.Lives, at int, names titles) shownSession {
	s := shownSession{Key: keyOf(l.Session), Own: l.Options.ID == "", Begun: l.Begun.UnixMilli(), Pages: []shownTab{}, Browser: at, stand: views.Of(l.Session).stand()}
	if !s.Own {
		s.ID = routedid.Short(l.Options.ID)
	}
	s.Name = cmp.Or(l.Browser.Short(tool.Plain(l.Options.Name), shownName), s.ID, "the pipe's own")
	if !l.Used.IsZero() {
		s.Used = l.Used.UnixMilli()
	}
	for _, p := range l.OpenPages() {
		name, _, active := l.HandlesOf(p)
		if name == "" {
			continue
		}
		s.Pages = append(s.Pages, shownTab{Page: name, Title: p.Short(names.of(ctx, p), 200), URL: p.Short(p.PW.URL(), 500), Active: active})
	}
	return s
}

// titles are the pages' titles by their targets. Each browser is asked once.
type titles map[*browser.Engine]map[string]string

// titleTime bounds a browser's answer about the titles of its pages.
const titleTime = time.Second

func (t titles) of(ctx context.Context, p *browser.Page) string {
	if _, asked := t[p.Engine]; !asked {
		t[p.Engine] = targetTitles(ctx, p.Engine)
	}
	return t[p.Engine][p.Target()]
}

// targetTitles is Target.getTargets.
func targetTitles(ctx context.Context, e *browser.Engine) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, titleTime)
	defer cancel()
	if !e.HasLine() {
		return nil
	}
	line, _, err := e.Line()
	var got struct {
		TargetInfos []struct{ TargetID, Title string }
	}
	if err != nil || line.Call(ctx, "Target.getTargets", nil, &got) != nil {
		return nil
	}
	titles := map[string]string{}
	for _, t := range got.TargetInfos {
		titles[t.TargetID] = t.Title
	}
	return titles
}
