package cdpview

import (
	"encoding/json"
	"errors"
	"regexp"
)

// A trace is of a whole browser, whichever session has it begun: it is offered where
// that is the client's own and nobody else's, and what there is of one is given for as
// long as that is so. Who comes meanwhile is in none.

// traces is what a trace may be told, of which nothing else reaches the browser: no
// other backend, which traces the machine, no dumps of memory, and no format of which
// we could not say what is in it.
type traces struct {
	Categories string        `json:"categories,omitempty"`
	Options    string        `json:"options,omitempty"`
	Usage      float64       `json:"bufferUsageReportingInterval,omitempty"`
	Mode       string        `json:"transferMode,omitempty"`
	Format     string        `json:"streamFormat,omitempty"`
	Packed     string        `json:"streamCompression,omitempty"`
	Config     *traceOptions `json:"traceConfig,omitempty"`
	Backend    string        `json:"tracingBackend"`
}

type traceOptions struct {
	Record   string   `json:"recordMode,omitempty"`
	Size     float64  `json:"traceBufferSizeInKb,omitempty"`
	Sampling bool     `json:"enableSampling,omitempty"`
	Filter   bool     `json:"enableArgumentFilter,omitempty"`
	Included []string `json:"includedCategories,omitempty"`
	Excluded []string `json:"excludedCategories,omitempty"`
}

const (
	maxCategories = 300       // of one trace
	maxNames      = 10_000    // how long the list of them is, as a text
	maxTrace      = 200 << 10 // KiB of its buffer, which is Chromium's own default
	leastUsage    = 100       // milliseconds between two words on how full that is
)

// Names in what a trace is told: of categories, one or a list, of options, and of the rest.
var (
	category      = regexp.MustCompile(`^[-\w.*,() /]*$`)
	ofOptions     = regexp.MustCompile(`^[-\w=,]{0,200}$`)
	ofTracing     = regexp.MustCompile(`^[A-Za-z]{0,40}$`)
	errTracingOff = errors.New("a trace is of the whole browser: it is offered where that has one session only")
)

// startTrace judges what a trace is to be.
func startTrace(c *command) error {
	since, sole := c.o.sole()
	if !sole {
		return errTracingOff
	}
	t, err := c.traced()
	if err != nil {
		return err
	}
	c.params = nil
	raw, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(raw, &c.params)
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err == nil { // another that is under way goes on as what it is
			c.tracing.Store(since)
		}
		return result
	}
	return err
}

// traced reads the params of a trace.
func (c *command) traced() (t traces, err error) {
	if err := c.only("categories", "options", "bufferUsageReportingInterval", "transferMode", "streamFormat", "streamCompression", "traceConfig",
		"tracingBackend"); err != nil {
		return t, err
	}
	for name, to := range map[string]any{"categories": &t.Categories, "options": &t.Options, "bufferUsageReportingInterval": &t.Usage,
		"transferMode": &t.Mode, "streamFormat": &t.Format, "streamCompression": &t.Packed, "tracingBackend": &t.Backend} {
		if _, err := c.has(name, to); err != nil {
			return t, err
		}
	}
	if t.Config, err = c.traceOptions(); err != nil {
		return t, err
	}
	if t.Backend != "" && t.Backend != "auto" && t.Backend != "chrome" {
		return t, errors.New("tracingBackend: chrome is offered here")
	}
	if t.Format != "" && t.Format != "json" {
		return t, errors.New("streamFormat: json is offered here")
	}
	if len(t.Categories) > maxNames || !category.MatchString(t.Categories) || !ofOptions.MatchString(t.Options) || !ofTracing.MatchString(t.Mode) || !ofTracing.MatchString(t.Packed) {
		return t, errors.New("a name in it can't be one of a trace's")
	}
	if t.Backend = "chrome"; t.Usage != 0 {
		t.Usage = max(t.Usage, leastUsage)
	}
	return t, nil
}

// traceOptions reads its traceConfig.
func (c *command) traceOptions() (*traceOptions, error) {
	own, err := c.object("traceConfig")
	if err != nil || own == nil {
		return nil, err
	}
	o := &traceOptions{}
	inner := &command{params: own}
	if err := inner.only("recordMode", "traceBufferSizeInKb", "enableSampling", "enableArgumentFilter", "includedCategories", "excludedCategories"); err != nil {
		return nil, err
	}
	for name, to := range map[string]any{"recordMode": &o.Record, "traceBufferSizeInKb": &o.Size, "enableSampling": &o.Sampling, "enableArgumentFilter": &o.Filter,
		"includedCategories": &o.Included, "excludedCategories": &o.Excluded} {
		if _, err := inner.has(name, to); err != nil {
			return nil, err
		}
	}
	if len(o.Included)+len(o.Excluded) > maxCategories || !ofTracing.MatchString(o.Record) {
		return nil, errors.New("traceConfig: it can't be one of a trace")
	}
	for _, list := range [][]string{o.Included, o.Excluded} {
		for _, name := range list {
			if len(name) > maxNames || !category.MatchString(name) {
				return nil, errors.New("traceConfig: a category can't be called so")
			}
		}
	}
	o.Size = min(o.Size, maxTrace)
	return o, nil
}

// mark is a mark in a trace.
func mark(c *command) error {
	if err := c.only("syncId"); err != nil {
		return err
	}
	id, err := param[string](c, "syncId")
	if err == nil && len(id) > 200 {
		err = errors.New("syncId: it is too long")
	}
	return err
}

// noParams is the rule of what takes none. What a client adds is left out, as Chromium
// leaves it: Lighthouse says its own timeout there.
func noParams(c *command) error {
	clear(c.params)
	return nil
}

// traceEvent is what a trace tells the client, nil for nothing: once another session has
// come, no more than that it has ended. It runs where the connection is read.
func (b *browser) traceEvent(method string, params json.RawMessage) json.RawMessage {
	since, sole := b.o.sole()
	own := sole && since == b.tracing.Load()
	switch method {
	case "Tracing.bufferUsage":
		return params
	case "Tracing.dataCollected":
		if own {
			return params
		}
	case "Tracing.tracingComplete":
		var e struct{ Stream string }
		if !own || json.Unmarshal(params, &e) != nil {
			return json.RawMessage(`{"dataLossOccurred":true}`)
		}
		if e.Stream != "" {
			b.streams.add(e.Stream)
		}
		return params
	}
	return nil
}
