package driver

import (
	_ "embed"
	"os"
	"path/filepath"
)

// startScript starts the driver from a cache of its compiled modules, which
// halves the time until it answers.
//
//go:embed start.cjs
var startScript []byte

// writeStart puts the script where Node can read it. Written anew for every
// run, it can be neither stale nor half there. "" says to do without.
func writeStart(dir string) string {
	path := filepath.Join(dir, "start.cjs")
	if err := os.WriteFile(path, startScript, 0o600); err != nil {
		return ""
	}
	return path
}
