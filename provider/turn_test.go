package provider_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pwpipe/provider"
)

// TestReadsAskInTheirOrder: reads of a lane run together, but take turns in the
// order of their requests. They do not wait for other lanes, or for tools
// without turns.
func TestReadsAskInTheirOrder(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	free := make(chan struct{})
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute, Effect: provider.Reads}
	}
	turns := spec("turns")
	turns.TakesTurns = true
	slow := spec("slow")
	s := newTalk(t,
		provider.Define(turns, func(ctx context.Context, in gateIn) (string, error) {
			turn := provider.TurnFrom(ctx)
			defer turn.Pass()
			if !turn.Wait(ctx) {
				return "", ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			if asked = append(asked, in.Name); len(asked) == 100 {
				close(free)
			}
			return in.Name, nil
		}),
		provider.Define(slow, func(ctx context.Context, in gateIn) (string, error) {
			<-free
			return in.Name, nil
		}))
	var want []string
	s.send(0, "slow", "s", "")
	for i := range 100 {
		want = append(want, fmt.Sprint(i))
		s.send(i+1, "turns", fmt.Sprint(i), "")
	}
	s.reply(`{"id":0,"result":"s"}`)
	for i := range 100 {
		s.reply(fmt.Sprintf(`{"id":%d,"result":"%d"}`, i+1, i))
	}
	if !slices.Equal(asked, want) {
		t.Errorf("asked in the order %v", asked)
	}
}
