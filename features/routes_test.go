package features_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRoutesWithout: what `serve` has at an address of a feature is not there without it.
func TestRoutesWithout(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWithout is quick")
	t.Parallel()
	for without, there := range map[string]bool{"har": true, "watch,endpoint": false} {
		s := pipetest.StartService(t, "--without="+without)
		for path, its := range map[string]bool{"/": there, "/cdp/s_1": there, "/openrpc.json": true, "/none": false} {
			r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Api-Key", s.Key)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			nothing := answer.StatusCode == http.StatusNotFound && strings.Contains(string(text), "nothing is served at ")
			if err != nil || nothing == its {
				t.Errorf("without %s, %s: status %d, %.200s, %v", without, path, answer.StatusCode, text, err)
			}
		}
	}
}
