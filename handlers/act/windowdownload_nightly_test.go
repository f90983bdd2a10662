//go:build evidence

package act_test

import (
	"regexp"
	"testing"

	"pwpipe/internal/pipetest"
)

// news is of a download, also of one whose file takes longer than a second.
var news = regexp.MustCompile(`→ (before this call: )?(downloaded|a download began, its file will be) /`)

// TestWindowDownloadsAreTold: an act that opens such a window reports the file, or the next reply does.
func TestWindowDownloadsAreTold(t *testing.T) {
	pipetest.Nightly(t, "it opens seven windows, as TestWindowDownloads does")
	t.Parallel()
	at := serveWindows(t)
	p := pipetest.StartOn(t, at, "--profile", "agent")
	call := pipetest.OverMCP(p)
	for way := range windows {
		got := call("click", pipetest.Object{"sel": "#" + way, "timeout": 60})
		pipetest.Eventually(t, "news of the download of "+way, func() bool { // on a busy machine it comes late
			if news.MatchString(got) {
				return true
			}
			if got != "blob" {
				t.Logf("%s: %s", way, got)
			}
			got = call("txt", pipetest.Object{"sel": "#blob"})
			return news.MatchString(got)
		})
	}
	onlyThePrepared(t, p, at)
}
