package cdpview

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/browser/cdp"
)

// originTime is how long the browser may take to say of whose origin a page is.
const originTime = 2 * time.Second

// nowhere says whether a document has no address of its own: it is of the origin of
// who made it.
func nowhere(url string) bool { return url == "" || strings.HasPrefix(url, "about:") }

// seen says whether a part of a page that is seen is, its frame or its worker: it is,
// wherever in the web it is from. Extensions put frames into pages, too.
func (b *browser) seen(info targetInfo) bool {
	if !b.o.Theirs.hides() {
		return true
	}
	b.mu.Lock()
	foreign := b.foreign[info.TargetID]
	b.mu.Unlock()
	return !foreign && b.inWeb(info.URL)
}

// inWeb says whether that is so by the URL.
func (b *browser) inWeb(url string) bool {
	return nowhere(url) || ofWeb.MatchString(url) || b.o.Theirs.Shows(url)
}

// partMoved hears where a part of a page is.
func (b *browser) partMoved(info targetInfo) {
	if !b.o.Theirs.hides() || info.URL == "" {
		return
	}
	own := b.inWeb(info.URL)
	b.mu.Lock()
	if delete(b.foreign, info.TargetID); !own {
		b.foreign[info.TargetID] = true
	}
	b.mu.Unlock()
	if !own {
		b.lose(info.TargetID)
	}
}

// origins hides the pages without an address that are there already and of an origin
// that the client may not see: what a file has written into them, say.
func (b *browser) origins(ctx context.Context) error {
	if !b.o.Theirs.hides() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, originTime)
	defer cancel()
	var got struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	if err := b.watch.Call(ctx, "Target.getTargets", nil, &got); err != nil {
		return err
	}
	var all sync.WaitGroup
	for _, info := range got.Infos {
		id := info.TargetID
		if info.Type != "page" || !nowhere(info.URL) || !b.owns(info.Context) && info.Context != b.o.Theirs.Home {
			continue
		}
		b.mu.Lock()
		b.hidden[id] = true
		b.mu.Unlock()
		all.Go(func() {
			s, err := b.watch.Attach(ctx, id)
			if err != nil {
				return
			}
			defer s.Drop()
			answered := make(chan struct{})
			b.origin(s, id, answered)
			select {
			case <-answered:
			case <-ctx.Done():
			}
		})
	}
	all.Wait()
	return nil
}

// origin asks of what origin a page is that has no address of its own, and hides it
// where the client may not see that. With answered the page is hidden until then.
func (b *browser) origin(s *cdp.Session, page string, answered chan<- struct{}) {
	s.Send("Storage.getStorageKeyForFrame", map[string]any{"frameId": page}, func(result json.RawMessage, err error) {
		var got struct{ StorageKey string }
		own := err != nil && strings.Contains(err.Error(), "opaque") || // nobody's, but its own
			err == nil && json.Unmarshal(result, &got) == nil && got.StorageKey != "" && (ofWeb.MatchString(got.StorageKey) || b.o.Theirs.Shows(got.StorageKey))
		b.mu.Lock()
		own = own || !nowhere(b.there[page]) // it has gone elsewhere meanwhile
		if own && answered != nil {
			delete(b.hidden, page)
		} else if !own {
			b.hidden[page] = true
		}
		b.mu.Unlock()
		if answered != nil {
			close(answered)
		} else if !own {
			b.lose(page)
		}
	})
}
