package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
	"pwpipe/provider/internal/rawjson"
)

// named is the id of the session of a name, which is opened where it is not there and
// may be.
func (sh *Shell) named(ctx context.Context, name string, open bool) (string, error) {
	if !open {
		return sh.find(ctx, name, nil)
	}
	return sh.find(ctx, name, sh.creator(name, Beginning{}))
}

// find is the id of the session of a name, which create opens where it is not there.
func (sh *Shell) find(ctx context.Context, name string, create func(context.Context) (string, error)) (string, error) {
	if !sessionName.MatchString(name) {
		return "", provider.Errorf(provider.KindArgs, "session: expected up to 64 of a-z A-Z 0-9 - _ ., got %q", name)
	}
	sh.mu.Lock()
	n := sh.names[name]
	if n == nil && create != nil {
		n = &namedSession{}
		sh.names[name] = n
	}
	sh.mu.Unlock()
	gone := provider.Errorf(provider.KindNoTarget, "no session %s is open", name).WithHint("`pwpipe open URL` opens it")
	if n == nil {
		return "", gone
	}
	n.opening.Lock()
	defer n.opening.Unlock()
	if id := sh.note(n, n.id); id != "" { // who has opening may read id
		if alive(ctx, sh.server.sessions, id) == nil {
			return id, nil
		}
		sh.note(n, "")
	}
	if create == nil {
		return "", gone
	}
	opening, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	id, err := create(opening)
	return sh.note(n, id), err
}

// note notes a session's id, and that it is used now.
func (sh *Shell) note(n *namedSession, id string) string {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	n.id, n.used = id, time.Now()
	return id
}

var sessionName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,64}$`)

// openNames are the names of the open sessions and their ids.
func (sh *Shell) openNames(ctx context.Context) map[string]string {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	list := map[string]string{}
	for name, n := range sh.names {
		if n.id != "" && alive(ctx, sh.server.sessions, n.id) == nil {
			list[name] = n.id
		}
	}
	return list
}

// closeNamed closes the session of a name, or all.
func (sh *Shell) closeNamed(ctx context.Context, l commandline.Line) thin.Answer {
	open := sh.openNames(ctx)
	names := []string{l.Session}
	switch words := l.Words(); {
	case len(words) == 1 && words[0] == "--all":
		return sh.closeAll(ctx)
	case len(words) == 1 && !strings.HasPrefix(words[0], "-"):
		names = words
	case len(words) > 0:
		return sh.failed(thin.StatusUsage, fmt.Errorf("usage: pwpipe close [NAME | --all]"))
	}
	defer func() { sh.pictures.removeExcept(sh.All()) }()
	for _, name := range names {
		if open[name] == "" {
			return sh.failed(thin.StatusNothing, fmt.Errorf("no session %s is open", name))
		}
		lost := sh.save(name, open[name])
		if err := sh.server.sessions.Close(ctx, open[name]); err != nil {
			return sh.failed(statusOf(err), err)
		}
		if lost != nil {
			return sh.failed(thin.StatusFailed, fmt.Errorf("the session is closed, but %w", lost))
		}
	}
	return thin.Answer{}
}

// closeAll closes all sessions, those too that a tool has opened and that have no name.
func (sh *Shell) closeAll(ctx context.Context) thin.Answer {
	ids := sh.All()
	if len(ids) == 0 {
		go sh.endIfDone(0) // it has waited for a first session
	}
	defer func() { sh.pictures.removeExcept(sh.All()) }()
	failed := sh.saveAll()
	for _, id := range ids {
		err := sh.server.sessions.Close(ctx, id)
		if err != nil && provider.AsError(err).Kind != provider.KindNoTarget { // which another has closed
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return sh.failed(thin.StatusFailed, failed)
	}
	return thin.Answer{}
}

// listNamed lists the open sessions, with what their active page shows.
func (sh *Shell) listNamed(ctx context.Context, caller thin.Caller) thin.Answer {
	type session struct {
		Name  string `json:"name"`
		ID    string `json:"session_id"`
		Idle  int    `json:"idle"`
		URL   string `json:"url"`
		Owner string `json:"owner"` // who opened it
		Yours bool   `json:"yours"`
	}
	list, open := []session{}, sh.openNames(ctx)
	sh.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(open)) {
		s := session{Name: name, ID: open[name], Idle: int(time.Since(sh.names[name].used).Seconds())}
		if o := sh.owners[name]; o != nil {
			s.Owner, s.Yours = o.Who, o.Own != "" && o.Own == caller.Own
		}
		list = append(list, s)
	}
	sh.mu.Unlock()
	for i := range list {
		where := provider.Request{Tool: sh.Tools.Where, Session: list[i].ID, Timeout: time.Second}
		if result, err := sh.server.Table.Call(ctx, where); err == nil { // not in its order: it may be busy
			list[i].URL, _ = rawjson.Text(result.JSON)
		}
	}
	return thin.Answer{Text: append(rawjson.Encode(list), '\n')}
}

// callJSON is pwpipe call METHOD [PARAMS]: JSON in, JSON out.
func (sh *Shell) callJSON(ctx context.Context, l commandline.Line, c thin.Command) thin.Answer {
	words := l.Words()
	if len(words) < 1 || len(words) > 2 {
		return sh.failed(thin.StatusUsage, errors.New("usage: pwpipe call METHOD [PARAMS], PARAMS being JSON"))
	}
	r := provider.Request{Tool: words[0]}
	if len(words) == 2 {
		r.Params = json.RawMessage(words[1])
		if err := rawjson.Check(r.Params); err != nil {
			return sh.failed(thin.StatusUsage, fmt.Errorf("params: %w", err))
		}
	}
	tool := sh.server.Table.Find(r.Tool)
	if tool == nil {
		_, err := sh.server.Table.Call(ctx, r)
		return sh.failed(thin.StatusUsage, err)
	}
	r, err := commandline.Under(tool, r, c.Dir)
	if err != nil {
		return sh.failed(thin.StatusUsage, err)
	}
	l.Output = "json"
	c.Start = c.Start || r.Tool == sh.Tools.Goto
	if c.Elements == "" {
		return sh.runCommand(ctx, l, c, tool, r)
	}
	ctx, repaired, err := sh.Repair(ctx, []byte(c.Elements))
	if err != nil {
		return sh.failed(thin.StatusUsage, err)
	}
	a := sh.runCommand(ctx, l, c, tool, r)
	a.Text = rawjson.Encode(map[string]any{"text": string(a.Text), "repaired": repaired()})
	return a
}
