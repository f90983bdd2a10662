package perftrace

import (
	"cmp"
	"encoding/json"
	"math"
)

// span is an event with a duration on the main thread.
type span struct {
	ts, dur, self float64
	kind, script  string
	task          bool
}

// request is what is known of a request. Times are in microseconds.
type request struct {
	url, kind          string
	blocks             bool
	sent, headers, end float64
}

type summary struct {
	pages       *pages
	mask        func(string) string
	begin, last float64
	navigated   float64
	url         string
	threads     map[[2]int64]bool
	spans       map[[2]int64][]span
	many        int
	requests    map[string]*request
	candidate   *LCP
	image       string
	shifts      []shift
	rendering
}

// rendering is the work of styles and layouts, and what scripts forced of it.
type rendering struct {
	styles, layouts Work
	forced          map[string]*Part
}

type shift struct{ ts, score float64 }

func newSummary(p *pages, mask func(string) string) *summary {
	return &summary{pages: p, mask: mask, begin: math.Inf(1),
		threads: map[[2]int64]bool{}, spans: map[[2]int64][]span{},
		requests: map[string]*request{}, rendering: rendering{forced: map[string]*Part{}}}
}

// details are the arguments of events that a summary reads.
type details struct {
	Frame string `json:"frame"`
	Data  struct {
		URL        string  `json:"url"`
		LoaderURL  string  `json:"documentLoaderURL"`
		Node       string  `json:"nodeName"`
		Type       string  `json:"type"`
		ImageURL   string  `json:"imageUrl"`
		Score      float64 `json:"weighted_score_delta"`
		Input      bool    `json:"had_recent_input"`
		ID         string  `json:"requestId"`
		Blocking   string  `json:"renderBlocking"`
		Resource   string  `json:"resourceType"`
		Timing     *timing `json:"timing"`
		FinishTime float64 `json:"finishTime"`
		StackTrace []call  `json:"stackTrace"`
	} `json:"data"`
	BeginData struct {
		StackTrace []call `json:"stackTrace"`
	} `json:"beginData"`
}

type timing struct {
	RequestTime float64 `json:"requestTime"`
	Headers     float64 `json:"receiveHeadersStart"`
	HeadersEnd  float64 `json:"receiveHeadersEnd"`
}

type call struct {
	URL      string `json:"url"`
	Function string `json:"functionName"`
}

// kinds are the events of the main thread that count, by what they are.
var kinds = map[string]string{
	"EvaluateScript": "script", "FunctionCall": "script", "v8.compile": "script", "v8.compileModule": "script",
	"V8.CompileCode": "script", "RunMicrotasks": "script", "TimerFire": "script", "EventDispatch": "script",
	"FireAnimationFrame": "script", "FireIdleCallback": "script", "v8.run": "script",
	"ParseHTML": "parse", "ParseAuthorStyleSheet": "parse",
	"UpdateLayoutTree": "style", "Layout": "layout", "PrePaint": "paint", "Paint": "paint", "Layerize": "paint",
	"Commit": "paint", "CompositeLayers": "paint", "Decode Image": "paint",
	"MinorGC": "garbage", "MajorGC": "garbage", "V8.GCFinalizeMC": "garbage", "BlinkGC.AtomicPhase": "garbage",
}

// known reports whether an event is Blink's or V8's own, and not a mark of the page.
func known(e *event) bool {
	return e.has("devtools.timeline") || e.has("disabled-by-default-devtools.timeline") || e.has("v8") ||
		e.has("disabled-by-default-v8.compile") || e.has("loading")
}

// take reads an event of the page.
func (s *summary) take(e *event) {
	at := [2]int64{e.PID, e.TID}
	switch {
	case e.Ph == "M":
		var d struct{ Name string }
		if e.Name == "thread_name" && json.Unmarshal(e.Args, &d) == nil && d.Name == "CrRendererMain" {
			s.threads[at] = true
		}
		return
	case e.TS == 0 || !s.pages.renderers[e.PID]:
		return
	}
	s.begin, s.last = min(s.begin, e.TS), max(s.last, e.TS+e.Dur)
	if e.Name == "navigationStart" && e.has("blink.user_timing") {
		s.takeNavigation(e)
		return
	}
	if !known(e) {
		return
	}
	if e.Ph == "X" && (e.Name == "RunTask" || kinds[e.Name] != "") {
		s.takeSpan(at, e)
		return
	}
	s.takeMoment(e)
}

func (s *summary) takeNavigation(e *event) {
	var d details
	if json.Unmarshal(e.Args, &d) != nil || d.Frame != s.pages.main || d.Data.LoaderURL == "" {
		return
	}
	s.navigated, s.url, s.candidate, s.image, s.shifts = e.TS, d.Data.LoaderURL, nil, "", nil
}

func (s *summary) takeSpan(at [2]int64, e *event) {
	one := span{ts: e.TS, dur: e.Dur, kind: kinds[e.Name], task: e.Name == "RunTask"}
	var d details
	if !one.task {
		_ = json.Unmarshal(e.Args, &d)
		one.script = d.Data.URL
	}
	ms := e.Dur / 1000
	switch e.Name {
	case "Layout":
		s.layouts.add(ms)
		s.force(d.BeginData.StackTrace, ms)
	case "UpdateLayoutTree":
		s.styles.add(ms)
		stack := d.BeginData.StackTrace
		if len(stack) == 0 {
			stack = d.Data.StackTrace
		}
		s.force(stack, ms)
	}
	if s.many++; s.many <= maxSpans {
		s.spans[at] = append(s.spans[at], one)
	}
}

func (w *Work) add(ms float64) {
	w.Count++
	w.MS += ms
	w.Longest = max(w.Longest, ms)
}

// force notes a layout or a style that a script asked for.
func (s *summary) force(stack []call, ms float64) {
	if len(stack) == 0 {
		return
	}
	name := s.short(stack[0].URL)
	if f := stack[0].Function; f != "" {
		name = s.short(f) + " in " + name
	}
	add(s.forced, name, ms)
}

func (s *summary) takeMoment(e *event) {
	switch e.Name {
	case "largestContentfulPaint::Candidate", "LargestImagePaint::Candidate", "LayoutShift",
		"ResourceSendRequest", "ResourceReceiveResponse", "ResourceFinish":
	default:
		return
	}
	var d details
	if json.Unmarshal(e.Args, &d) != nil {
		return
	}
	switch e.Name {
	case "largestContentfulPaint::Candidate":
		if d.Frame == s.pages.main {
			s.candidate = &LCP{At: e.TS, Node: d.Data.Node, IsImage: d.Data.Type == "image"}
		}
	case "LargestImagePaint::Candidate":
		if d.Frame == s.pages.main {
			s.image = d.Data.ImageURL
		}
	case "LayoutShift":
		if !d.Data.Input && len(s.shifts) < maxSpans {
			s.shifts = append(s.shifts, shift{e.TS, d.Data.Score})
		}
	case "ResourceSendRequest":
		if len(s.requests) < maxRequests {
			s.requests[d.Data.ID] = &request{url: d.Data.URL, kind: d.Data.Resource, sent: e.TS,
				blocks: d.Data.Blocking == "blocking" || d.Data.Blocking == "in_body_parser_blocking"}
		}
	case "ResourceReceiveResponse":
		if r := s.requests[d.Data.ID]; r != nil && d.Data.Timing != nil {
			t := d.Data.Timing
			r.sent = t.RequestTime * 1e6
			r.headers = r.sent + cmp.Or(t.Headers, t.HeadersEnd)*1000
		}
	case "ResourceFinish":
		if r := s.requests[d.Data.ID]; r != nil {
			if r.end = e.TS; d.Data.FinishTime > 0 {
				r.end = d.Data.FinishTime * 1e6
			}
		}
	}
}
