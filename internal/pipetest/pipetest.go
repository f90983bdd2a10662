// Package pipetest runs the real pwpipe binary for tests: over its real pipes
// and its real HTTP, against a real browser and the sample site.
package pipetest

import (
	"bytes"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/fixtures"
	"pwpipe/internal/pipetest/until"
)

// Patience is how long a test waits for something that must happen. It bounds a hang;
// it measures nothing.
const Patience = until.Patience

// Main is a TestMain. Most tests mostly wait for a browser, so somewhat more Parallel
// tests run than there are processors.
func Main(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(runtime.GOMAXPROCS(0)+3))
	}
	// Under the race detector every ending process sleeps for a second by default.
	if os.Getenv("GORACE") == "" {
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	status := m.Run()
	// Both run, even if the first fails.
	services, pipes := idleServices.end("service", (*Service).endIdle), idle.end("pwpipe", (*Pipe).endIdle)
	if !(services && pipes) && status == 0 {
		status = 1
	}
	for _, remove := range remains.remove {
		_ = remove()
	}
	os.Exit(status)
}

// Site serves the sample site until the test ends and returns its URL.
func Site(t testing.TB) string {
	t.Helper()
	s, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.URL
}

// Run runs pwpipe to its end with an input, and returns its output and exit status.
func Run(t testing.TB, input string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(Binary(t), args...)
	cmd.Stdin = strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// syncBuffer is a buffer that a process writes and a test reads.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// ProfileDir is a folder for a browser's profile, removed with the test. Parts of a
// browser write there for a moment after it was killed, which t.TempDir would report as
// an error.
func ProfileDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pwpipe-profile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = removeProfile(dir) })
	return dir
}

func removeProfile(dir string) (err error) {
	for range 100 {
		if err = os.RemoveAll(dir); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// ServePages serves small pages of HTML, by their paths, until the test ends.
func ServePages(t testing.TB, pages map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>" + r.URL.Path + "</title>" + page))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// NeverAnswers is a server that does not answer. asked gets a value for each request that
// has arrived, so that a test knows that a call runs.
func NeverAnswers(t testing.TB) (url string, asked <-chan bool) {
	t.Helper()
	came := make(chan bool, 9)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		came <- true
		<-r.Context().Done()
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL, came
}

// Thorough reports whether to run the long tests, and every case of the long lists:
// PWPIPE_TEST_ALL is set, as in CI.
func Thorough() bool { return os.Getenv("PWPIPE_TEST_ALL") != "" }

// EachNight reports whether to run every test and every case.
func EachNight() bool { return os.Getenv("PWPIPE_TEST_ALL") == "nightly" }

// InCI runs a slow test only in CI, if a faster test or a transcript covers the same core. why
// names that, or another reason.
func InCI(t testing.TB, why string) {
	t.Helper()
	if !Thorough() {
		t.Skipf("PWPIPE_TEST_ALL=1 runs this, as CI does: %s", why)
	}
}

// Nightly is [InCI] for a slow test about how something looks or whom it suits, not about what
// a tool or a wall does: `.ci/run evidence long` runs it. Its file has the build tag evidence.
func Nightly(t testing.TB, why string) {
	t.Helper()
	if !EachNight() {
		t.Skipf(".ci/run evidence long runs this: %s", why)
	}
}

// raced are the tests that are marked, by name.
var raced sync.Map

// UnderRace marks a test about concurrency, ends, kills or limits. Under the race detector only
// marked tests start a pwpipe; the others are skipped there, since they send their requests
// one after another. CI runs all of them without it.
func UnderRace(t testing.TB) { raced.Store(t.Name(), true) }

// InCIAndRace is [InCI] and [UnderRace] for a slow test about concurrency: the step race runs it too.
func InCIAndRace(t testing.TB, why string) {
	t.Helper()
	UnderRace(t)
	if !Race {
		InCI(t, why)
	}
}

// SkipUnmarked skips a test that is not marked as [UnderRace], under the race detector.
func SkipUnmarked(t testing.TB) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	if _, marked := raced.Load(name); Race && !marked {
		t.Skip("CI runs this without the race detector")
	}
}

// Some are all cases of a list about a wall, a loss or a race if Thorough, else every n-th,
// beginning with the first. All cases take much the same way through a browser.
func Some[T any](list []T, n int) []T { return everyNth(list, n, Thorough()) }

// Sample is [Some] for other lists: all cases are tried EachNight.
func Sample[T any](list []T, n int) []T { return everyNth(list, n, EachNight()) }

func everyNth[T any](list []T, n int, all bool) []T {
	if all {
		return list
	}
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}
