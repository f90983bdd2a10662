package devtools

import (
	_ "embed"

	"pwpipe/handlers/tool"
	"pwpipe/internal/script/strictjson"
	"pwpipe/provider"
)

// vitalsOf runs in the page and returns its [vitals].
//
//go:embed vitals.js
var vitalsOf string

// vitals are the Core Web Vitals of a document, from its performance timeline. Times are
// in milliseconds. Elements are CSS selectors, which are empty when the element is gone.
type vitals struct {
	TTFB *duration `json:"ttfb,omitempty" doc:"time to first byte"`
	FCP  *duration `json:"fcp,omitempty" doc:"first contentful paint"`
	LCP  *paint    `json:"lcp,omitempty" doc:"largest contentful paint"`
	CLS  shift     `json:"cls" doc:"cumulative layout shift, and what moved most"`
	INP  *reaction `json:"inp,omitempty" doc:"interaction to next paint, of slow interactions"`
	Long longTasks `json:"longTasks" doc:"tasks over 50 ms"`
}

type duration struct {
	MS float64 `json:"ms" doc:"since the navigation began"`
}

type paint struct {
	MS      float64 `json:"ms" doc:"since the navigation began"`
	Element string  `json:"element,omitempty" doc:"CSS selector"`
	URL     string  `json:"url,omitempty" doc:"of an image"`
}

type shift struct {
	Score   float64 `json:"score" doc:"of the worst window of 5 s"`
	Element string  `json:"element,omitempty" doc:"CSS selector"`
}

type reaction struct {
	MS      float64 `json:"ms" doc:"from the input to the next frame"`
	Event   string  `json:"event" doc:"such as click"`
	Element string  `json:"element,omitempty" doc:"CSS selector"`
}

type longTasks struct {
	Count    int        `json:"count" doc:"how many"`
	MS       float64    `json:"ms" doc:"of all"`
	Blocking float64    `json:"blockingMs" doc:"what is over 50 ms in each"`
	Longest  []longTask `json:"longest" doc:"five at most"`
}

type longTask struct {
	MS float64 `json:"ms" doc:"how long"`
	At float64 `json:"atMs" doc:"since the navigation began"`
	// Of the script that took most of it.
	By       string `json:"by,omitempty" doc:"what called its script, such as BUTTON#pay.onclick"`
	Script   string `json:"script,omitempty" doc:"URL"`
	Function string `json:"function,omitempty" doc:"name"`
}

// showVitals reads the timeline of the page's document.
func showVitals(c *tool.Call, _ tool.NoParams) (vitals, error) {
	var v vitals
	raw, err := c.Evaluate(vitalsOf, nil)
	if err != nil {
		return v, err
	}
	if err := strictjson.Decode(raw, &v); err != nil { // the page decides what it answers
		return vitals{}, provider.Errorf(provider.KindFailed, "the page broke the measurement")
	}
	v.Long.Longest = v.Long.Longest[:min(len(v.Long.Longest), 5)]
	return v, nil
}
