//go:build evidence

package endpoint_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Pages with URLs of 400,000 characters are listed with shortened URLs, even for many
// requests at once. Another session goes on.
func TestListsOfLongAddresses(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPipe is quick")
	t.Parallel()
	svc, ours, theirs, site, _ := startPair(t)
	c := connect(t, svc, ours)
	c.settle()
	long := site + "/#" + strings.Repeat("A", 400_000)
	const pages = 4
	for range pages {
		c.get("", "Target.createTarget", map[string]any{"url": long}, &struct{}{})
	}
	const asked = 40
	for i := range asked - 1 {
		if err := c.ws.WriteJSON(map[string]any{"id": 1e6 + i, "method": "Target.getTargets"}); err != nil {
			t.Fatal(err)
		}
	}
	var got struct{ TargetInfos []struct{ URL string } }
	c.get("", "Target.getTargets", nil, &got)
	cut := 0
	for _, info := range got.TargetInfos {
		if strings.HasPrefix(info.URL, site+"/#AAA") && len(info.URL) < 5000 {
			cut++
		}
	}
	if cut != pages {
		t.Errorf("%d of %d addresses begin as they are, and are cut", cut, pages)
	}
	if got := theirs.On("txt", map[string]any{"sel": "body", "timeout": 60}); !strings.Contains(got, "first") {
		t.Errorf("another session: %s", got)
	}
	if _, body := fetched(t, svc.URL+"/cdp/"+ours.ID+"/json/list", "X-Api-Key", svc.Key); len(body) > 200_000 || strings.Count(body, `"url":"`+site+`/#AAA`) != pages {
		t.Errorf("json/list has %d bytes", len(body))
	}
	if starts := svc.Metric("pwpipe_browser_restarts_total"); starts != "0" {
		t.Errorf("the browser was started anew: %s", starts)
	}
}
