// Package tricks says which devices of docs/tricks.md are switched off.
package tricks

import "os"

// Devices that can be switched off, by the rest of their variables' names.
const (
	RawIO          = "RAW_IO"          // internal/machine/rawio
	DirectReads    = "DIRECT_READS"    // handlers/fastpath/document.go
	DirectFills    = "DIRECT_FILLS"    // handlers/fastpath/fastpath.go
	DirectClicks   = "DIRECT_CLICKS"   // handlers/fastpath/click.go
	DirectPictures = "DIRECT_PICTURES" // handlers/tool/capture.go
	FastPictures   = "FAST_PICTURES"   // there, and internal/browser/driver/bounds.cjs
	QuietClicks    = "QUIET_CLICKS"    // handlers/fastpath/quiet.js
	DriverCache    = "DRIVER_CACHE"    // internal/browser/driver/start.cjs
	DriverParts    = "DRIVER_PARTS"    // the rest of what start.cjs does
	EarlyBrowser   = "EARLY_BROWSER"   // internal/browser/chromium
	KeptTree       = "KEPT_TREE"       // handlers/refs/kept.js
	Films          = "FILMS"           // internal/browser/cdp/session.go
	EarlyAnswer    = "EARLY_ANSWER"    // internal/shell/thin
)

// Off reports whether PWPIPE_NO_ and the name is set in the environment.
func Off(name string) bool { return os.Getenv("PWPIPE_NO_"+name) != "" }
