package guard

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"pwpipe/handlers/files"
	"pwpipe/provider"
)

// ClosedFile is the error for the address of a file that pwpipe keeps closed, nil for
// others. --allow-file shows files, and not these.
func ClosedFile(raw string) *provider.Error {
	rest := strings.TrimSpace(raw)
	for {
		scheme, after, _ := strings.Cut(rest, ":")
		if !strings.EqualFold(scheme, "view-source") {
			break
		}
		rest = after
	}
	u, err := whatwg.Parse(rest)
	if err != nil || !strings.EqualFold(u.Scheme(), "file") {
		return nil
	}
	path, err := url.PathUnescape(u.Pathname())
	if err != nil {
		return provider.Errorf(provider.KindBlocked, "blocked: %s: it is no path", u.Pathname())
	}
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	if !files.IsClosed(filepath.FromSlash(path)) {
		return nil
	}
	return provider.Errorf(provider.KindBlocked, "blocked: %s: pwpipe keeps it closed", path)
}
