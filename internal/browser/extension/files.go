package extension

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// The extension's files. Its id follows from the key in its manifest.
//
//go:embed files
var files embed.FS

const (
	id     = "mknmcmdkjcjbalcbepkegjlafephledp"
	origin = "chrome-extension://" + id + "/"
	host   = "pwpipe.tabs" // the name of our native messaging host
)

// Files are the extension's files, to be loaded unpacked.
func Files() fs.FS {
	sub, err := fs.Sub(files, "files")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Unpack writes the files to a folder, over those of another version.
func Unpack(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	list, err := fs.ReadDir(Files(), ".")
	if err != nil {
		return err
	}
	for _, f := range list {
		text, err := fs.ReadFile(Files(), f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
