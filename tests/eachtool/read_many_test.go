package eachtool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestManyLongReads: thirty long pages that are read at once are all answered, a short one is
// answered beside them, and pwpipe holds a few of them only.
func TestManyLongReads(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript reads is quick")
	long := strings.Repeat("A line of the text, which has \"quotes\".\n", 7<<20/40)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if r.URL.Path == "/short" {
			_, _ = w.Write([]byte("short"))
			return
		}
		_, _ = w.Write([]byte(long))
	}))
	t.Cleanup(site.Close)
	s := pipetest.StartService(t)
	results := make(chan int, 30)
	for n := range cap(results) {
		go func() {
			r := s.Try("read", map[string]any{"url": site.URL + fmt.Sprint("/", n), "timeout": 100})
			results <- len(r.Result)
		}()
	}
	if got := s.Call("read", map[string]any{"url": site.URL + "/short", "timeout": 100}); got != `"short"` {
		t.Errorf("beside them: %s", got)
	}
	for range cap(results) {
		if got := <-results; got < len(long) {
			t.Errorf("an answer has %d bytes", got)
		}
	}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	_, peak, _ := strings.Cut(string(text), "VmHWM:")
	if f := strings.Fields(peak); len(f) > 0 {
		kib, _ := strconv.Atoi(f[0])
		t.Logf("%d MiB", kib>>10)
		if kib>>10 > 450 && !pipetest.Race {
			t.Errorf("pwpipe took %d MiB", kib>>10)
		}
	}
}
