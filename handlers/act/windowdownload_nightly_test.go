//go:build evidence

package act_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
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

// TestWindowDownloads: download takes what a window that the act opens downloads, and the tab that was
// opened for it goes, as in a browser with windows. One that shows something stays.
func TestWindowDownloads(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestFilesUpAndDown is quick")
	t.Parallel()
	at := serveWindows(t)
	p := pipetest.SharedOn(t, at)
	for way := range windows {
		path := p.Text("download", []string{"#" + way})
		text, err := os.ReadFile(path)
		if err != nil || string(text) != "report" {
			t.Errorf("%s: the file holds %q: %v", way, text, err)
		}
		if err == nil {
			_ = os.RemoveAll(path[:strings.LastIndex(path, "/")])
		}
	}
	onlyThePrepared(t, p, at)
}

// TestWindowsThatWait: the tab of a download goes although nobody took the download, and a window whose
// server is late stays, and shows what comes.
func TestWindowsThatWait(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	var asked atomic.Int32
	answer := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte(`<button id=b onclick="for (const at of ['/late', '/file']) { window.open(at); window.open(at, '', 'noopener') }">Open`))
		case "/file":
			defer asked.Add(1)
			w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
			_, _ = w.Write([]byte("report"))
		case "/late":
			select {
			case <-answer:
			case <-r.Context().Done():
			}
			_, _ = w.Write([]byte("<title>late</title>"))
		}
	}))
	t.Cleanup(s.Close)
	p := pipetest.SharedOn(t, s.URL)
	p.Call("click", []string{"#b"})
	pipetest.Eventually(t, "the requests of both files", func() bool { return asked.Load() == 2 })
	close(answer)
	pipetest.Eventually(t, "both late windows, and no other", func() bool {
		got := pagesOf(p)
		return len(got) == 3 && strings.Contains(got[1], "/late") && strings.Contains(got[2], "/late")
	})
}

// serveWindows serves a page with a button for each of them.
func serveWindows(t *testing.T) string {
	t.Helper()
	page := "<!doctype html><title>Reports</title>"
	for way, code := range windows {
		page += "<button id=" + way + ">" + way + "</button><script>document.getElementById('" + way + "').onclick = () => { " + code + " }</script>"
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
			_, _ = w.Write([]byte("report"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// onlyThePrepared waits until the page and the window that shows something are all that is open.
func onlyThePrepared(t *testing.T, p *pipetest.Pipe, at string) {
	t.Helper()
	pipetest.Eventually(t, "the end of the empty tabs", func() bool {
		got := pagesOf(p)
		// document.write gives the window the address of the page that wrote; the browser may not have said so.
		return len(got) == 2 && got[0] == at+"/" && (got[1] == "about:blank" || got[1] == at+"/")
	})
}

// windows opens a window in several ways, each of which downloads a file that holds "report".
var windows = map[string]string{
	"blob":     `window.open(URL.createObjectURL(new Blob(['report'], {type: 'application/octet-stream'})))`,
	"document": `fetch('/file').then(r => r.text()).then(t => window.open(URL.createObjectURL(new Blob([t], {type: 'application/pdf'}))))`,
	"opened":   `window.open('/file')`,
	"alone":    `window.open('/file', '_blank', 'noopener')`,
	"link":     `const a = document.createElement('a'); a.href = '/file'; a.target = '_blank'; a.click()`,
	"form":     `const f = document.createElement('form'); f.action = '/file'; f.target = '_blank'; document.body.append(f); f.submit()`,
	"sent":     `const w = window.open(''); w.document.write('<p>Preparing'); setTimeout(() => w.location = '/file', 50)`,
}

// pagesOf are the addresses of the open pages.
func pagesOf(p *pipetest.Pipe) (list []string) {
	for _, page := range pipetest.Get[[]struct{ URL string }](p, "pages", nil) {
		list = append(list, page.URL)
	}
	return list
}
