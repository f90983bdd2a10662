package read

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// DocumentTools report the response of the page's document.
func DocumentTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("response", "Response",
			"Tell how the page's document was answered: status, headers and the redirects that led to it"), documentResponse),
	}
}

// shown has the responses of each page's document. Event callbacks write to it.
var shown browser.State[*browser.Page, document]

// Hooks records the responses of documents.
var Hooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		o.OnResponse(func(r playwright.Response) { answeredDocument(s, r) })
		return nil
	},
	Page: func(p *browser.Page) {
		orphans.Of(p.Session).claim(p)
		main := p.PW.MainFrame()
		p.PW.OnFrameNavigated(func(f playwright.Frame) {
			if f == main {
				shown.Of(p).navigated(f.URL())
			}
		})
	},
}

type document struct {
	mu      sync.Mutex
	coming  []playwright.Response // of the pending navigation: redirects, then the last
	current []playwright.Response // of the page's current document
}

// answered records a response to a navigation of the page's main frame.
func (d *document) answered(r playwright.Response) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Request().RedirectedFrom() == nil {
		d.coming = nil
	}
	d.coming = append(d.coming, r)
}

// navigated records that the page is at a URL: with the pending document, with one that
// did not come from the network, or with the current one under another address
// (history.pushState).
func (d *document) navigated(url string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	url, _, _ = strings.Cut(url, "#")
	if n := len(d.coming); n > 0 {
		if at, _, _ := strings.Cut(d.coming[n-1].URL(), "#"); at == url {
			d.current, d.coming = d.coming, nil
			return
		}
	}
	if !strings.HasPrefix(url, "http:") && !strings.HasPrefix(url, "https:") {
		d.current = nil
	}
}

// unclaimed are responses to navigations of pages that don't exist yet, such as
// pop-ups. Their requests have no frame before the page exists.
var orphans browser.State[*browser.Session, unclaimed]

type unclaimed struct {
	mu   sync.Mutex
	list []playwright.Response
}

const maxUnclaimed = 100

// answeredDocument gives a response to the page whose document it is, if there is one.
func answeredDocument(s *browser.Session, r playwright.Response) {
	q := r.Request()
	if !q.IsNavigationRequest() {
		return
	}
	f := q.Frame()
	if f == nil {
		u := orphans.Of(s)
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.list = append(u.list, r); len(u.list) > maxUnclaimed {
			u.list = u.list[1:]
		}
		return
	}
	if f.ParentFrame() != nil {
		return
	}
	if p := s.Find(f.Page()); p != nil {
		shown.Of(p).answered(r)
	}
}

// claim gives a new page what came before it.
func (u *unclaimed) claim(p *browser.Page) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list = slices.DeleteFunc(u.list, func(r playwright.Response) bool {
		own := r.Request().Frame() == p.PW.MainFrame()
		if own {
			shown.Of(p).answered(r)
		}
		return own
	})
	shown.Of(p).navigated(p.PW.URL())
}

type documentAnswer struct {
	URL        string            `json:"url" doc:"address that answered"`
	Status     int               `json:"status" doc:"HTTP status"`
	StatusText string            `json:"statusText" doc:"the reason phrase"`
	Headers    map[string]string `json:"headers" doc:"names in lower case"`
	Redirects  []redirect        `json:"redirects" doc:"what was answered before, in order"`
}

type redirect struct {
	URL      string `json:"url" doc:"address"`
	Status   int    `json:"status" doc:"HTTP status"`
	Location string `json:"location" doc:"where it sent the browser"`
}

// headersTime bounds the wait for the complete headers; the headers that the browser
// reports at once lack some.
const headersTime = time.Second

// documentResponse is the response that page.goto returns, for every kind of
// navigation.
func documentResponse(c *tool.Call, _ tool.NoParams) (documentAnswer, error) {
	d := shown.Of(c.Page)
	d.mu.Lock()
	chain := d.current
	d.mu.Unlock()
	if len(chain) == 0 {
		return documentAnswer{}, provider.Errorf(provider.KindFailed, "no response is known for the document of %s", c.Where()).
			WithHint("a document that was loaded before pwpipe attached, or that no server sent, has none; reload requests it again")
	}
	last := chain[len(chain)-1]
	out := documentAnswer{URL: last.URL(), Status: last.Status(), StatusText: last.StatusText(), Headers: headersOf(last), Redirects: []redirect{}}
	for i, r := range chain[:len(chain)-1] {
		to := r.Headers()["location"]
		if to == "" {
			to = chain[i+1].URL()
		}
		out.Redirects = append(out.Redirects, redirect{r.URL(), r.Status(), to})
	}
	return out, nil
}

func headersOf(r playwright.Response) map[string]string {
	var all map[string]string
	if launch.Within(headersTime, func() (err error) { all, err = r.AllHeaders(); return err }) {
		return all
	}
	return r.Headers()
}
