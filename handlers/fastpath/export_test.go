package fastpath

import "time"

// InjectedScript exports Playwright's injected script for a comparing test.
var InjectedScript = injectedScript

// The tests of this package ask whether the page or the driver has answered. On a slow
// machine the page gets the time that it needs, within a quarter of a call's.
func init() { maxPatience = time.Minute }
