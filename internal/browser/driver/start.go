package driver

import (
	"bytes"
	_ "embed"
	"path/filepath"

	"pwpipe/internal/browser/bundle"
	"pwpipe/internal/machine/tricks"
	"pwpipe/internal/machine/writefile"
)

// The script that starts the driver from a cache of its compiled code, which halves the
// time until it answers. Its parts are the cache, the loader, bounds on page texts, and
// the driver. Node gets it as one file.
var (
	//go:embed start.cjs
	startCache []byte
	//go:embed trust.cjs
	startTrust []byte
	//go:embed loader.cjs
	startLoader []byte
	//go:embed bounds.cjs
	startBounds []byte
	//go:embed har.cjs
	startHars []byte
	//go:embed downloads.cjs
	startDownloads []byte
	//go:embed recorder.cjs
	startRecorder []byte
	//go:embed serve.cjs
	startServe []byte
)

// writeStart writes the script where Node can read it. Each run writes it anew, so it
// can be neither stale nor incomplete. "" means to do without.
func writeStart(dir string) string {
	if tricks.Off(tricks.DriverParts) {
		return ""
	}
	path := filepath.Join(dir, "start.cjs")
	parts := [][]byte{startCache, startTrust, bundle.Source, bundle.Inject, bundle.Places, startLoader, startBounds,
		startHars, startDownloads, startRecorder, startServe}
	if err := writefile.Bytes(path, bytes.Join(parts, []byte("\n")), writefile.Private); err != nil {
		return ""
	}
	return path
}
