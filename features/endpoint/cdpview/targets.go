package cdpview

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"pwpipe/internal/browser/cdp"
)

// The list of all targets of the browser may be long. Clients that ask at the same time
// share one answer, and each takes its own targets out of it.

const (
	listTime   = 30 * time.Second // how long a client waits for the list
	maxFilters = 100              // entries of a filter
)

type listedTarget struct {
	info Target
	raw  json.RawMessage
}

// everything has the browser list targets of all types.
var everything = map[string]any{"filter": []any{map[string]any{}}}

func readTargets(raw json.RawMessage) (list []listedTarget, _ error) {
	var got struct {
		Infos []json.RawMessage `json:"targetInfos"`
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		return nil, err
	}
	for _, raw := range got.Infos {
		one := listedTarget{raw: raw}
		if json.Unmarshal(raw, &one.info) == nil {
			list = append(list, one)
		}
	}
	return list, nil
}

// listTargets is the rule of Target.getTargets: it lists the client's targets.
func listTargets(c *command) error {
	filter := cdp.UsualTargets
	var own cdp.TargetFilter
	switch named, err := c.has("filter", &own); {
	case err != nil:
		return err
	case len(own) > maxFilters:
		return chromiums("filter: it is too long")
	case named:
		filter = own
	}
	c.instead = func() (json.RawMessage, error) {
		listed, err := c.listed(context.Background(), filter)
		list := []json.RawMessage{}
		for _, t := range listed {
			list = append(list, c.targets.attachedAs(t.info, t.raw))
		}
		return encoded(map[string]any{"targetInfos": list}), err
	}
	return nil
}

// listed are the targets that the client may have and a filter passes.
func (b *browser) listed(ctx context.Context, filter cdp.TargetFilter) (list []listedTarget, _ error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	all, err := cdp.Shared(ctx, b.devtools, "Target.getTargets", everything, readTargets)
	for _, t := range all {
		if filter.Passes(t.info.Type) && (t.info.Type == "browser" || b.hearsOf(t.info)) {
			list = append(list, t)
		}
	}
	return list, err
}

type nobody struct{}

func (nobody) Read() ([]byte, error) { return nil, io.EOF }
func (nobody) Write([]byte) error    { return nil }
func (nobody) Close() error          { return nil }

// Targets lists the targets that a client may have.
func Targets(ctx context.Context, devtools *cdp.Session, o Options) ([]Target, error) {
	root, err := devtools.Browser(ctx)
	if err != nil {
		return nil, err
	}
	b := newBrowser(root, devtools, nobody{}, o)
	defer func() { go b.leave() }() // the caller need not wait for the browser
	if err := b.visibility.start(ctx, devtools); err != nil {
		return nil, err
	}
	listed, err := b.listed(ctx, cdp.UsualTargets)
	var list []Target
	for _, t := range listed {
		list = append(list, t.info)
	}
	return list, err
}
