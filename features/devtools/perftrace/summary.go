package perftrace

import (
	"cmp"
	"math"
	"slices"
)

// Bounds of what is kept for a summary.
const (
	maxSpans    = 200_000
	maxRequests = 10_000
	maxListed   = 5
	maxURL      = 120
)

// longTask is what counts as long, in microseconds.
const longTask = 50_000

// Summary says what took a page's time. Times are in milliseconds; those of moments count
// from the navigation, or from the beginning of the trace if the page did not navigate.
type Summary struct {
	URL        string
	Duration   float64
	LCP        *LCP
	CLS        float64
	Kinds      []Part // of the main thread
	Tasks      []Task // the longest
	LongTasks  int
	Blocking   float64 // what is over 50 ms in each
	Scripts    []Part
	Styles     Work
	Layouts    Work
	Forced     []Part // layouts and styles that a script forced, by the script
	Requests   []Request
	MoreBlocks int // blocking requests that are not listed
}

// LCP is the largest contentful paint, and what the time until then went for.
type LCP struct {
	At                               float64
	Node, URL                        string
	TTFB, LoadDelay, Load, AfterThat float64
	IsImage                          bool
}

// Part is the time of something.
type Part struct {
	Name  string
	MS    float64
	Count int
}

// Task is a task of the main thread.
type Task struct {
	At, MS float64
	Parts  []Part
}

// Work is how often something was done.
type Work struct {
	Count       int
	MS, Longest float64
}

// Request is a request that the page waited for before it painted.
type Request struct {
	URL, Type string
	At, MS    float64
}

func (s *summary) done() *Summary {
	begin := cmp.Or(s.navigated, s.begin)
	if math.IsInf(begin, 0) {
		begin = 0
	}
	out := &Summary{URL: s.short(s.url), Duration: max(0, s.last-s.begin) / 1000, CLS: worst(s.shifts),
		Styles: s.styles, Layouts: s.layouts}
	out.LCP = s.largest()
	s.addTasks(out, begin)
	out.Forced = most(s.forced)
	for _, r := range s.requests {
		if r.blocks && r.end > 0 {
			at, took := (r.sent-begin)/1000, (r.end-r.sent)/1000
			out.Requests = append(out.Requests, Request{s.short(r.url), r.kind, at, took})
		}
	}
	slices.SortFunc(out.Requests, func(a, b Request) int {
		return cmp.Or(cmp.Compare(b.MS, a.MS), cmp.Compare(a.URL, b.URL))
	})
	out.MoreBlocks = max(0, len(out.Requests)-maxListed)
	out.Requests = out.Requests[:len(out.Requests)-out.MoreBlocks]
	return out
}

// largest says what the time until the largest paint went for.
func (s *summary) largest() *LCP {
	if s.candidate == nil || s.navigated == 0 {
		return nil
	}
	l := *s.candidate
	painted := l.At
	l.At = (painted - s.navigated) / 1000
	l.Node = s.short(l.Node)
	var document, image *request
	for _, r := range s.requests {
		if r.kind == "Document" && r.url == s.url && r.headers >= s.navigated &&
			(document == nil || r.headers < document.headers) {
			document = r
		}
		if l.IsImage && r.url == s.image && r.end > 0 && r.sent >= s.navigated &&
			(image == nil || r.sent < image.sent) {
			image = r
		}
	}
	if document != nil {
		l.TTFB = (document.headers - s.navigated) / 1000
	}
	loaded := l.TTFB
	if image != nil {
		l.URL = s.short(image.url)
		sent, end := (image.sent-s.navigated)/1000, (image.end-s.navigated)/1000
		l.LoadDelay, l.Load = max(0, sent-l.TTFB), max(0, end-max(sent, l.TTFB))
		loaded = max(loaded, end)
	}
	l.AfterThat = max(0, l.At-loaded)
	return &l
}

// worst is the cumulative layout shift: of the worst window of at most 5 s with less than
// 1 s between two shifts.
func worst(shifts []shift) (score float64) {
	slices.SortFunc(shifts, func(a, b shift) int { return cmp.Compare(a.ts, b.ts) })
	sum, began, last := 0.0, 0.0, math.Inf(-1)
	for _, s := range shifts {
		if s.ts-last >= 1e6 || s.ts-began >= 5e6 {
			sum, began = 0, s.ts
		}
		last = s.ts
		sum += s.score
		score = max(score, sum)
	}
	return score
}
