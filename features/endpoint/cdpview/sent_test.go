package cdpview

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestWhatTheBrowserGets: what a command becomes on its way to the browser, or why it does not get there.
func TestWhatTheBrowserGets(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("testdata/sent.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		ask, want, given := strings.Cut(strings.TrimSpace(line), " => ")
		if !given {
			continue // a comment
		}
		c := strings.SplitN(ask, " ", 3) // session, method, params
		on, o := "", strict()
		if o.Sole = func() (int64, bool) { return 1, true }; c[0] != "-" {
			on = fmt.Sprintf(`"sessionId":%q,`, c[0])
		}
		list, heard := play(t, o, `{"id":1,"method":"Target.getTargets"}`,
			`{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`,
			fmt.Sprintf(`{"id":3,%s"method":%q,"params":%s}`, on, c[1], c[2]))
		_, answer, _ := strings.Cut(heard, `{"id":3,`)
		sent := ""
		for _, a := range list[4:] {
			if a.Method == c[1] && string(a.Params) != `{"sessionId":"S2"}` { // with which it leaves
				sent = string(a.Params)
			}
		}
		why, refused := strings.CutPrefix(want, "!")
		if refused && (sent != "" || !strings.Contains(answer, `"error"`) || !strings.Contains(answer, why)) ||
			!refused && (sent != want || strings.Contains(answer, `"error"`)) {
			t.Errorf("%s: sent %s, answered %s", ask, sent, answer)
		}
	}
}

// TestSessionsWithTheBrowser: a client has a few, beside its own. What it asks of the browser for all pages goes to
// its own ones.
func TestSessionsWithTheBrowser(t *testing.T) {
	t.Parallel()
	says := []string{`{"id":1,"method":"Target.getTargets"}`,
		`{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`,
		`{"id":3,"method":"Security.setIgnoreCertificateErrors","params":{"ignore":true}}`,
		`{"id":4,"method":"Fetch.enable"}`, `{"id":5,"method":"Tracing.start"}`}
	for i := range maxWhole + 1 {
		says = append(says, fmt.Sprintf(`{"id":%d,"method":"Target.attachToBrowserTarget"}`, 10+i))
	}
	list, heard := play(t, strict(), says...)
	trusting := ""
	for _, a := range list {
		if a.Method == "Security.setIgnoreCertificateErrors" {
			trusting += a.Session + " "
		}
	}
	if trusting != "S4 " {
		t.Errorf("certificates are the matter of %s", trusting)
	}
	last := fmt.Sprintf(`{"id":%d,"error"`, 10+maxWhole)
	for _, want := range []string{errFetchOff.Error(), errTracingOff.Error(), last} {
		if strings.Count(heard, want) != 1 || strings.Count(heard, `"error"`) != 3 {
			t.Errorf("%s: %s", want, heard)
		}
	}
}

// TestReasonsOfRefusals: a client hears why its request failed, if it was refused, and not why one before it was.
func TestReasonsOfRefusals(t *testing.T) {
	r := &refusals{judge: func(url string) error {
		if strings.Contains(url, "evil") {
			return errors.New("not here")
		}
		return nil
	}}
	const failed = `"errorText":"net::ERR_FAILED"`
	for _, c := range [][2]string{{"http://evil.example/", blockedWord + `: not here","requestId":"1"`},
		{"http://fine.example/", failed}, {"data:evil", failed}} {
		r.event("Network.requestWillBeSent", []byte(`{"requestId":"1","request":{"url":"`+c[0]+`"}}`))
		got := string(r.event("Network.loadingFailed", []byte(`{"requestId":"1","errorText":"net::ERR_FAILED"}`)))
		stopped := strings.Contains(got, `"blockedReason":"inspector"`)
		if !strings.Contains(got, c[1]) || stopped != strings.Contains(got, blockedWord) {
			t.Errorf("%s: %s", c[0], got)
		}
	}
}
