package cdpview

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
)

// A trace is of the whole browser, whichever session starts it. It is offered if the browser
// has one session only, and the client gets it as long as that is so: no other session is
// in a trace.

// traces are the params that a trace may have; no other reaches the browser: no other
// backend, which would trace the machine, no memory dumps, and no binary formats.
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
	maxNames      = 10_000    // length of the list of them, as a text
	maxTrace      = 200 << 10 // KiB of its buffer, which is Chromium's own default
	leastUsage    = 100       // milliseconds between two reports of how full the buffer is
)

// Names in the params of a trace: categories (one or a list), options, and others.
var (
	category      = regexp.MustCompile(`^[-\w.*,() /]*$`)
	ofOptions     = regexp.MustCompile(`^[-\w=,]{0,200}$`)
	ofTracing     = regexp.MustCompile(`^[A-Za-z]{0,40}$`)
	errTracingOff = errors.New("a trace covers the whole browser, so it needs a browser with one session only")
)

// startTrace is the rule of Tracing.start.
func startTrace(c *command) error {
	since, sole := c.o.Sole()
	if !sole {
		return errTracingOff
	}
	t, err := c.traced()
	if err != nil {
		return err
	}
	c.params = nil
	err = json.Unmarshal(encoded(t), &c.params)
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err == nil { // otherwise a trace that is under way goes on
			c.tracing.Store(since)
		}
		return result
	}
	return err
}

func (c *command) traced() (t traces, err error) {
	if err := c.decodeOnly(map[string]any{"categories": &t.Categories, "options": &t.Options,
		"bufferUsageReportingInterval": &t.Usage, "transferMode": &t.Mode, "streamFormat": &t.Format,
		"streamCompression": &t.Packed, "tracingBackend": &t.Backend}, "traceConfig"); err != nil {
		return t, err
	}
	if t.Config, err = c.traceOptions(); err != nil {
		return t, err
	}
	if t.Backend != "" && t.Backend != "auto" && t.Backend != "chrome" {
		return t, errors.New("tracingBackend: only chrome is supported")
	}
	if t.Format != "" && t.Format != "json" {
		return t, errors.New("streamFormat: only json is supported")
	}
	if len(t.Categories) > maxNames || !category.MatchString(t.Categories) || !ofOptions.MatchString(t.Options) ||
		!ofTracing.MatchString(t.Mode) || !ofTracing.MatchString(t.Packed) {
		return t, errors.New("it contains an invalid name")
	}
	if t.Backend = "chrome"; t.Usage != 0 {
		t.Usage = max(t.Usage, leastUsage)
	}
	return t, nil
}

// decodeOnly is decode, and refuses params that are neither decoded nor in others.
func (c *command) decodeOnly(to map[string]any, others ...string) error {
	if err := c.only(append(others, slices.Collect(maps.Keys(to))...)...); err != nil {
		return err
	}
	return c.decode(to)
}

func (c *command) traceOptions() (*traceOptions, error) {
	own, err := c.object("traceConfig")
	if err != nil || own == nil {
		return nil, err
	}
	o := &traceOptions{}
	inner := &command{params: own}
	if err := inner.decodeOnly(map[string]any{"recordMode": &o.Record, "traceBufferSizeInKb": &o.Size,
		"enableSampling": &o.Sampling, "enableArgumentFilter": &o.Filter, "includedCategories": &o.Included,
		"excludedCategories": &o.Excluded}); err != nil {
		return nil, err
	}
	if len(o.Included)+len(o.Excluded) > maxCategories || !ofTracing.MatchString(o.Record) {
		return nil, errors.New("traceConfig: it is invalid")
	}
	for _, list := range [][]string{o.Included, o.Excluded} {
		for _, name := range list {
			if len(name) > maxNames || !category.MatchString(name) {
				return nil, errors.New("traceConfig: the name of a category is invalid")
			}
		}
	}
	o.Size = min(o.Size, maxTrace)
	return o, nil
}

// mark is the rule of Tracing.recordClockSyncMarker.
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

// noParams is the rule of commands without params. What a client adds is left out, as
// Chromium ignores it: Lighthouse sends its own timeout.
func noParams(c *command) error {
	clear(c.params)
	return nil
}

// traceEvent is an event of a trace for the client, nil for none. Once another session has
// come, the client hears only that the trace has ended. It runs where the connection is
// read.
func (b *browser) traceEvent(method string, params json.RawMessage) json.RawMessage {
	since, sole := b.o.Sole()
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
