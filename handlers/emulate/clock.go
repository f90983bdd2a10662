package emulate

import (
	"encoding/json"
	"regexp"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// ClockTools put a context's time under control.
func ClockTools() []*provider.Tool {
	clock := func(verb, title, doc string) tool.Spec {
		return tool.Emulate.Acts("clock-"+verb, title, doc).Within(10 * time.Second)
	}
	return []*provider.Tool{
		tool.OnPageDo(clock("install", "Install clock",
			"Put the time and the timers of the context's pages under control, from a time on or from now; "+
				"call it before the page is loaded"), clockInstall),
		tool.OnPageDo(clock("forward", "Fast-forward clock",
			"Jump ahead in time; timers that are due fire once"), ticks(playwright.Clock.FastForward)),
		tool.OnPageDo(clock("run", "Run clock",
			"Let time pass quickly; every timer fires as often as it is due"), ticks(playwright.Clock.RunFor)),
		tool.OnPageDo(clock("set", "Set clock", "Fix the time of Date, while timers run on"),
			moves(playwright.Clock.SetFixedTime)),
		tool.OnPageDo(clock("pause", "Pause clock", "Jump to a time and stop the clock there"),
			moves(playwright.Clock.PauseAt)),
		tool.OnPageDo(clock("resume", "Resume clock", "Let the clock run again"), clockResume),
	}
}

type optTimeParam struct {
	Time json.RawMessage `json:"time,omitempty" doc:"ISO text such as 2026-01-31T09:00:00Z, or milliseconds since 1970; default: now"`
}

type timeParam struct {
	Time json.RawMessage `json:"time" doc:"ISO text such as 2026-01-31T09:00:00Z, or milliseconds since 1970"`
}

type ticksParam struct {
	Ticks json.RawMessage `json:"ticks" doc:"milliseconds, or text such as 08, 01:30 or 02:00:00"`
}

// clockInstall is clock.install.
func clockInstall(c *tool.Call, in optTimeParam) error {
	var o playwright.ClockInstallOptions
	if in.Time != nil && string(in.Time) != "null" {
		t, err := pointInTime(in.Time)
		if err != nil {
			return err
		}
		o.Time = t
	}
	return c.Fail(c.PW.Clock().Install(o), "")
}

var reTicks = regexp.MustCompile(`^\d+(:\d\d){0,2}$`)

// ticks is a tool that lets time pass.
func ticks(move func(playwright.Clock, any) error) func(*tool.Call, ticksParam) error {
	return func(c *tool.Call, in ticksParam) error {
		var v any
		var ms float64
		var text string
		switch {
		case string(in.Ticks) != "null" && json.Unmarshal(in.Ticks, &ms) == nil && ms >= 0 && ms < 1e15:
			v = int64(ms)
		case json.Unmarshal(in.Ticks, &text) == nil && reTicks.MatchString(text):
			v = text
		default:
			return provider.Errorf(provider.KindArgs,
				"ticks: expected milliseconds, or text such as 01:30, got %s", in.Ticks)
		}
		return clockError(c, move(c.PW.Clock(), v))
	}
}

// moves is a tool that goes to a time.
func moves(to func(playwright.Clock, any) error) func(*tool.Call, timeParam) error {
	return func(c *tool.Call, in timeParam) error {
		t, err := pointInTime(in.Time)
		if err != nil {
			return err
		}
		return clockError(c, to(c.PW.Clock(), t))
	}
}

// clockResume is clock.resume.
func clockResume(c *tool.Call, _ tool.NoParams) error {
	return clockError(c, c.PW.Clock().Resume())
}

func clockError(c *tool.Call, err error) error {
	if pwerrors.IsPast(err) {
		return provider.Errorf(provider.KindFailed, "the clock can't go back").WithHint("clock-install sets an earlier time before the page is loaded")
	}
	return c.Fail(err, "")
}

// pointInTime reads a time. A text without a zone is in the machine's zone, as in a
// browser.
func pointInTime(raw json.RawMessage) (time.Time, error) {
	var ms float64
	if string(raw) != "null" && json.Unmarshal(raw, &ms) == nil {
		return time.UnixMilli(int64(ms)), nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
			if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
				return t, nil
			}
		}
		if t, err := time.Parse(time.DateOnly, text); err == nil {
			return t, nil // a date alone is UTC in ECMAScript
		}
	}
	return time.Time{}, provider.Errorf(provider.KindArgs, "time: expected ISO text such as 2026-01-31T09:00:00Z, or milliseconds since 1970, got %s", raw)
}
