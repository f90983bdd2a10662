package devtools_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// slowPage answers after 0.3 s, paints a large heading, moves it down, and blocks the main
// thread for 0.2 s on a click.
const slowPage = `<!doctype html><title>Slow</title>
<style>body { margin: 0 } h1 { font: 80px sans-serif; margin: 0 }</style>
<div id=top></div><main><h1>A heading that is larger than the rest</h1><p>small</p><button id=go onclick="busy(200)">Go</button></main>
<script>
	const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
	setTimeout(() => { document.querySelector('#top').style.height = '200px'; setTimeout(() => busy(150), 50) }, 300);
</script>`

type vitals struct {
	TTFB, FCP *struct{ MS float64 }
	LCP       *struct {
		MS           float64
		Element, URL string
	}
	CLS struct {
		Score   float64
		Element string
	}
	INP *struct {
		MS             float64
		Event, Element string
	}
	LongTasks struct {
		Count          int
		MS, BlockingMS float64
		Longest        []struct {
			MS, AtMS   float64
			By, Script string
		}
	}
}

// causes are the URLs of the longest tasks' scripts, by what called them.
// causes are what called the scripts of long tasks. Chromium itself may be slow, without one.
func (v vitals) causes() map[string]string {
	by := map[string]string{}
	for _, task := range v.LongTasks.Longest {
		if task.By != "" {
			by[task.By] = task.Script
		}
	}
	return by
}

func TestVitals(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, slowPage)
	}))
	t.Cleanup(site.Close)
	p, _ := startIn(t)
	p.Call("nav", []string{site.URL})
	p.Call("wait", []string{"#top[style]", "attached"})
	p.Call("click", []string{"button"})
	var v vitals
	pipetest.Eventually(t, "each of them", func() bool { // each comes by itself
		v = pipetest.Get[vitals](p, "vitals", nil)
		return v.TTFB != nil && v.FCP != nil && v.LCP != nil && v.CLS.Score > 0 && v.INP != nil && v.LongTasks.Count > 1 && v.causes()["BUTTON#go.onclick"] != ""
	})
	if v.TTFB.MS < 300 || v.FCP.MS < v.TTFB.MS {
		t.Errorf("TTFB %+v, FCP %+v", v.TTFB, v.FCP)
	}
	if v.LCP.MS < 300 || v.LCP.Element != "h1" {
		t.Errorf("LCP %+v", v.LCP)
	}
	if v.CLS.Score > 1 || v.CLS.Element != "h1" && v.CLS.Element != "main" {
		t.Errorf("CLS %+v", v.CLS)
	}
	if v.INP.MS < 200 || v.INP.Element != "button#go" {
		t.Errorf("INP %+v", v.INP)
	}
	if l := v.LongTasks; l.MS < 350 || l.BlockingMS > l.MS-50*float64(l.Count)+1 || l.Longest[0].MS < 200 || len(l.Longest) < 2 {
		t.Errorf("long tasks %+v", v.LongTasks)
	}
	if by := v.causes(); by["BUTTON#go.onclick"] != site.URL+"/" || by["TimerHandler:setTimeout"] != site.URL+"/" {
		t.Errorf("the long tasks are of %v", by)
	}

	p.Call("nav", []string{"data:text/html,<p>no response"})
	if v = pipetest.Get[vitals](p, "vitals", nil); v.INP != nil || v.CLS.Score != 0 || len(v.causes()) > 0 {
		t.Errorf("a page that does nothing: %+v", v)
	}
	// The page may replace whatever the measurement calls.
	p.Call("eval", []string{"Array.prototype.at = () => ({ startTime: 1, url: 5 }); 1"})
	pipetest.Has(t, p.Fail("vitals", nil), "broke the measurement")
	p.Call("eval", []string{"PerformanceObserver = undefined; 1"})
	pipetest.Has(t, p.Fail("vitals", nil), "PerformanceObserver is not a constructor")
}
