package cdpview

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
)

// originTime is how long the browser may take to tell the origin of a page.
const originTime = 2 * time.Second

// hideByOrigin hides the pages that are there already, have no address, and are of an
// origin that the client may not see: a file may have written into them.
func (v *visibility) hideByOrigin(ctx context.Context) error {
	if !v.shared.hidesOwnPages() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, originTime)
	defer cancel()
	var got struct {
		Infos []Target `json:"targetInfos"`
	}
	if err := v.watch.Call(ctx, "Target.getTargets", nil, &got); err != nil {
		return err
	}
	var all sync.WaitGroup
	for _, info := range got.Infos {
		id := info.TargetID
		own := v.client.owns(info.Context) || info.Context == v.shared.Home
		if info.Type != "page" || !nowhere(info.URL) || !own {
			continue
		}
		v.mu.Lock()
		v.hidden[id] = true
		v.mu.Unlock()
		all.Go(func() {
			s, err := v.watch.Attach(ctx, id)
			if err != nil {
				return
			}
			defer s.Drop()
			answered := make(chan struct{})
			v.checkOrigin(s, id, answered)
			select {
			case <-answered:
			case <-ctx.Done():
			}
		})
	}
	all.Wait()
	return nil
}

// checkOrigin asks for the origin of a page that has no address of its own, and hides the
// page if the client may not see that. With answered, the page is hidden until then.
func (v *visibility) checkOrigin(s *cdp.Session, page string, answered chan<- struct{}) {
	s.Send("Storage.getStorageKeyForFrame", map[string]any{"frameId": page}, func(result json.RawMessage, err error) {
		own := v.ownOrigin(result, err)
		v.mu.Lock()
		own = own || !nowhere(v.urls[page]) // it has gone elsewhere meanwhile
		if own && answered != nil {
			delete(v.hidden, page)
		} else if !own {
			v.hidden[page] = true
		}
		v.mu.Unlock()
		if answered != nil {
			close(answered)
		} else if !own {
			v.client.lose(page)
		}
	})
}

func (v *visibility) ownOrigin(result json.RawMessage, err error) bool {
	if err != nil {
		return strings.Contains(err.Error(), "opaque") // an origin of the page alone
	}
	var got struct{ StorageKey string }
	if json.Unmarshal(result, &got) != nil || got.StorageKey == "" {
		return false
	}
	return ofWeb.MatchString(got.StorageKey) || v.shared.Shows(got.StorageKey)
}
