// Package chromesandbox finds out whether Chromium can run with its own sandbox on.
//
// On Linux that depends on the user, the kernel, the container and the build,
// and Chromium ends at once where it can't be had. So the browser is really
// started with it, off to the side and without a window; it counts when a page
// answered and the kernel says that the page's process is confined.
package chromesandbox

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Browser is a Chromium to try.
type Browser struct {
	Path string   // executable
	Env  []string // KEY=VALUE that it needs
	Args []string // arguments that this build needs
}

// Finding says whether a browser runs with its sandbox on.
type Finding struct {
	On  bool   `json:"on"`
	Why string `json:"why,omitempty"` // what keeps it off
	Fix string `json:"fix,omitempty"` // what mends that
}

// tryTime bounds a try: a browser of 200 MB may have to come from a slow disk.
const tryTime = 20 * time.Second

// Known is what can be said without starting a browser, nil if nothing can.
func Known() *Finding {
	switch runtime.GOOS {
	case "linux":
		return refusedToUs()
	case "darwin", "windows":
		return &Finding{On: true} // there it needs no leave of the system's
	}
	return &Finding{Why: "it is not known how Chromium's sandbox does on " + runtime.GOOS}
}

// Try starts the browser with its sandbox on and looks. An error means that it
// could not be found out.
func Try(ctx context.Context, b Browser) (Finding, error) {
	if f := Known(); f != nil {
		return *f, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryTime, fmt.Errorf("the browser did not answer within %s", tryTime))
	defer cancel()
	return try(ctx, b)
}
