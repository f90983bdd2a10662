// Package chromesandbox finds out whether Chromium can run with its own sandbox on.
//
// On Linux that depends on the user, the kernel, the container and the build. Chromium
// ends at once if it can't have the sandbox. So this package really starts the browser
// with it, hidden and without a window. The sandbox works if a page answers and the
// kernel says that the page's process is confined.
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

// tryTime bounds a try: the browser has 200 MB, perhaps on a slow disk.
const tryTime = 20 * time.Second

// Known is the finding without starting a browser, nil if that is necessary.
func Known() *Finding {
	switch runtime.GOOS {
	case "linux":
		return refusedToUs()
	case "darwin", "windows":
		return &Finding{On: true} // it needs no permission of the system there
	}
	return &Finding{Why: "it is not known how Chromium's sandbox does on " + runtime.GOOS}
}

// Try starts the browser with its sandbox on and checks it. An error means that the
// answer is unknown.
func Try(ctx context.Context, b Browser) (Finding, error) {
	if f := Known(); f != nil {
		return *f, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, tryTime, fmt.Errorf("the browser did not answer within %s", tryTime))
	defer cancel()
	return try(ctx, b)
}
