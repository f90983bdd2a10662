package cdp

import (
	"context"
	"slices"
)

// TargetFilter says which targets are listed, by their types: the first entry that fits a target
// decides. It is Target.TargetFilter of the protocol.
type TargetFilter []TargetFilterEntry

// TargetFilterEntry is Target.FilterEntry of the protocol.
type TargetFilterEntry struct {
	Type    string `json:"type,omitempty"` // "" for all
	Exclude bool   `json:"exclude,omitempty"`
}

// UsualTargets is Chromium's default.
var UsualTargets = TargetFilter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}

// Passes reports whether targets of a type are listed.
func (f TargetFilter) Passes(kind string) bool {
	for _, entry := range f {
		if entry.Type == "" || entry.Type == kind {
			return !entry.Exclude
		}
	}
	return false
}

// HomeOf is the context in which a browser's own windows are: one that is on no
// list. Older Chromiums do not name it, but their pages do.
func HomeOf(ctx context.Context, s *Session) (string, error) {
	var made struct {
		IDs  []string `json:"browserContextIds"`
		Home string   `json:"defaultBrowserContextId"`
	}
	if err := s.Call(ctx, "Target.getBrowserContexts", nil, &made); err != nil || made.Home != "" {
		return made.Home, err
	}
	var open struct {
		Infos []struct {
			Context string `json:"browserContextId"`
		} `json:"targetInfos"`
	}
	if err := s.Call(ctx, "Target.getTargets", nil, &open); err != nil {
		return "", err
	}
	for _, t := range open.Infos {
		if t.Context != "" && !slices.Contains(made.IDs, t.Context) {
			return t.Context, nil
		}
	}
	return "", nil
}
