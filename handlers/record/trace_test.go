package record

import (
	"testing"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// A failure that the page causes is worth a trace, whatever comes after it. A mistake of the caller or a limit is not.
func TestWorthATrace(t *testing.T) {
	for kind, want := range map[provider.Kind]bool{
		provider.KindFailed: true, provider.KindTimeout: true, provider.KindInternal: true, provider.KindUnavailable: true,
		provider.KindArgs: false, provider.KindNoTarget: false, provider.KindBlocked: false, provider.KindLimit: false, provider.KindCancelled: false,
	} {
		s := new(browser.Session)
		Hooks.Answered(s, &provider.Error{Kind: kind})
		if Hooks.Answered(s, nil); failed.Of(s).Load() != want {
			t.Errorf("%s: %t", kind, !want)
		}
	}
}
