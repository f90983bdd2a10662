package endpoint

import (
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"pwpipe/features/endpoint/cdpview"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
)

// downloadsOf are the downloads of a browser's pages. The driver makes the browser put
// the files into a folder of its own, named by their ids.
func downloadsOf(e *browser.Engine) *cdpview.Downloads {
	temp := e.Run.Driver.Temp
	return &cdpview.Downloads{
		Folder: func() (string, error) { return os.MkdirTemp(temp, "client-") },
		Give: func(path, from string, beside bool) (string, error) {
			if beside {
				return files.CopyBeside(path, from)
			}
			return path, files.CopyFile(path, from)
		},
		Path: func(guid string) string {
			id, err := uuid.Parse(guid)
			if err != nil {
				return ""
			}
			dirs, _ := filepath.Glob(filepath.Join(temp, "playwright-artifacts-*"))
			for _, dir := range dirs {
				path := filepath.Join(dir, id.String())
				for _, ends := range []string{"", cdpview.Unfinished} {
					if _, err := os.Stat(path + ends); err == nil {
						return path
					}
				}
			}
			return ""
		},
	}
}
