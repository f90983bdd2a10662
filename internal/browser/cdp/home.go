package cdp

import (
	"context"
	"slices"
)

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
