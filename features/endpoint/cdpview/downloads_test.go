package cdpview

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// loads is a client with a page that downloads a file. The client expects files in its
// folders.
type loads struct {
	*script
	chromium *chromium
	left     chan error

	mu    sync.Mutex
	given []string // where copies were put
}

func startLoading(t *testing.T, path string, folders ...string) *loads {
	t.Helper()
	root, b := startChromium(t)
	l := &loads{script: &script{stays: true}, chromium: b, left: make(chan error, 1)}
	l.script.change.L = &l.script.mu
	o := strict()
	o.Downloads = &Downloads{Path: func(string) string { return path }, Folder: func() (string, error) { return t.TempDir(), nil },
		Give: func(path, _ string, _ bool) (string, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.given = append(l.given, path)
			return path, nil
		}}
	go func() { l.left <- Serve(context.Background(), root, l.script, o) }()
	says := []string{`{"id":1,"method":"Target.getTargets"}`, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`}
	for i, folder := range folders {
		if i > 0 {
			attach := `"Target.attachToTarget","params":{"targetId":"MINE-T"}`
			if i >= maxSame-1 { // no more on one target; these are on the browser
				attach = `"Target.attachToBrowserTarget"`
			}
			says = append(says, fmt.Sprintf(`{"id":%d,"method":%s}`, 100+i, attach))
		}
		session := ""
		if i > 0 { // the first is 1, the client's 2
			session = fmt.Sprintf(`,"sessionId":"S%d"`, 4+i)
		}
		says = append(says, fmt.Sprintf(`{"id":%d,"method":"Browser.setDownloadBehavior","params":{"behavior":"allowAndName","downloadPath":%q,"eventsEnabled":true}%s}`, 10+i, folder, session))
	}
	l.add(append(says, `{"id":99,"method":"Browser.getVersion"}`)...)
	synctest.Wait()
	return l
}

func (l *loads) emit(method, params string) {
	l.chromium.says <- fmt.Sprintf(`{"method":"%s","params":%s,"sessionId":"S4"}`, method, params)
	synctest.Wait()
}

// text is everything that the client has received.
func (l *loads) text() string {
	synctest.Wait()
	l.script.mu.Lock()
	defer l.script.mu.Unlock()
	return l.heard.String()
}

// leave ends the client and what it had: otherwise the test would not end.
func (l *loads) leave(t *testing.T) {
	t.Helper()
	l.end()
	if err := <-l.left; err != nil {
		t.Error(err)
	}
	time.Sleep(2 * followTime)
}

const begins1, detached = `{"frameId":"F","guid":"G","url":"http://x/","suggestedFilename":"a"}`, `{"method":"Target.detachedFromTarget","params":{"sessionId":"S4"},"sessionId":"S2"}`

// Each folder that a client names gets one copy of a file. Their number is bounded.
func TestFoldersOfDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var folders []string
		for range 3 {
			folders = append(folders, "/same/place")
		}
		for i := range maxFolders {
			folders = append(folders, fmt.Sprintf("/%d", i))
		}
		l := startLoading(t, "/nowhere", folders...)
		if got := l.text(); strings.Count(got, "over a limit") != 1 || strings.Count(got, `"error"`) != 1 {
			t.Errorf("it is told %s", got)
		}
		l.emit("Page.downloadWillBegin", begins1)
		l.emit("Page.downloadProgress", `{"guid":"G","state":"completed"}`)
		if l.text(); len(l.given) != maxFolders {
			t.Errorf("copies at %s", l.given)
		}
		l.leave(t)
	})
	long := strings.Repeat("x", maxPath+1)
	if _, heard := play(t, strict(), `{"id":1,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"`+long+`"}}`); !strings.Contains(heard, "path is too long") {
		t.Error(heard)
	}
}

// A download of a closed page is followed while it grows and the client is connected.
func TestDownloadsAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		does func(l *loads, path string)
		want string
	}{
		"it comes whole": {func(l *loads, path string) {
			time.Sleep(stallTime - time.Second)
			_ = os.WriteFile(path+Unfinished, []byte("ab"), 0o600) // grows
			time.Sleep(stallTime - time.Second)
			_ = os.WriteFile(path, nil, 0o600)
			time.Sleep(time.Second)
			_ = os.Rename(path+Unfinished, path)
			time.Sleep(time.Second)
		}, `"receivedBytes":2,"state":"completed"`},
		"it stalls": {func(*loads, string) { time.Sleep(stallTime + time.Second) }, `"state":"canceled"`},
		"it goes": {func(_ *loads, path string) {
			time.Sleep(time.Second)
			_ = os.Remove(path + Unfinished)
			time.Sleep(time.Second)
		}, `"state":"canceled"`},
		"it never comes": {func(_ *loads, path string) {
			_ = os.Remove(path + Unfinished)
			time.Sleep(appearTime + time.Second)
		}, `"state":"canceled"`},
		"the client leaves": {func(l *loads, _ string) { time.Sleep(time.Second) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "G")
			if err := os.WriteFile(path+Unfinished, []byte("a"), 0o600); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				l := startLoading(t, path, "")
				l.emit("Page.downloadWillBegin", begins1)
				l.chromium.says <- detached
				c.does(l, path)
				got := l.text()
				if at := strings.Index(got, "Browser.downloadProgress"); c.want == "" && at >= 0 || !strings.Contains(got, c.want) {
					t.Errorf("it is told %s", got)
				}
				l.leave(t)
			})
		})
	}
}

// The number of downloads reported at a time is bounded.
func TestDownloadsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := startLoading(t, "/nowhere", "")
		for i := range maxCalls + 10 {
			l.chromium.says <- fmt.Sprintf(`{"method":"Page.downloadWillBegin","params":{"guid":"G%d"},"sessionId":"S4"}`, i)
		}
		if n := strings.Count(l.text(), `"method":"Browser.downloadWillBegin"`); n != maxCalls {
			t.Errorf("%d", n)
		}
		l.leave(t)
	})
}

// A server's file name can choose a name, but no folder.
func TestNamesOfDownloads(t *testing.T) {
	for name, want := range map[string]string{
		"r.txt": "/d/r.txt", "../../etc/passwd": "/d/_._.._etc_passwd", `..\x`: "/d/_._x", "/etc/cron": "/d/_etc_cron",
		".bashrc": "/d/_bashrc", "..": "/d/_.", ".": "/d/_", "": "/d/download", "a\x00b\n": "/d/a_b_",
	} {
		if got := (place{"/d", true}).path("G", name); got != want {
			t.Errorf("%q: %s, expected %s", name, got, want)
		}
	}
	if got := (place{"/d", false}).path("../G", "r.txt"); got != "/d/G" {
		t.Error(got)
	}
}
