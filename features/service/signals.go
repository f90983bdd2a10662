package service

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// SignalTools report what happened, on request or as it happens.
func SignalTools() []*provider.Tool {
	// A tool that drains a buffer is not among Reads: two at once would share its lines.
	return []*provider.Tool{
		tool.OnSession(tool.RPC.Waits("logs.pull", "Console and errors", "Get what the pages logged and what scripts threw since the last time").Within(5*time.Second), pullLogs),
		tool.OnSession(tool.RPC.Waits("network.pull", "Network", "Get the responses since the last time, by default only those of failed requests").Within(5*time.Second), pullNetwork),
		tool.Alias(tool.RPC.Second("events.subscribe", "Events",
			"Have events sent as they happen, over a socket or a pipe").Within(5*time.Second), "events", nil),
		tool.Alias(tool.RPC.Second("events.unsubscribe", "Unsubscribe", "Stop sending events").Within(5*time.Second),
			"events", provider.Always(ok), provider.As{Param: "kinds", Fixed: json.RawMessage("[]")}),
		tool.OnSession(tool.Events.Waits("events", "Events", "Have events (console, page-error, request, ...) sent as they happen, a line each; none for []").NotLogged().OwnWords(), subscribe),
	}
}

// drains is how far a session's buffers have been drained.
var drains browser.State[*browser.Session, drained]

type drained struct {
	mu        sync.Mutex
	logs, net int64
}

type subscribeParams struct {
	Kinds []string `json:"kinds,omitempty" doc:"console, page-error, request, response, request-failed, dialog, download, popup, crash, person; all if left out"`
}

type subscribed struct {
	Kinds []string `json:"kinds" doc:"what is sent from now on"`
}

// subscribe sends a session's events to the client. A second call replaces the first.
func subscribe(ctx context.Context, s *browser.Session, in subscribeParams) (subscribed, error) {
	kinds, err := events.Stream(ctx, s, in.Kinds)
	return subscribed{kinds}, err
}

type consoleEntry struct {
	Type string `json:"type" own:"word" doc:"log, warning, error, ..."`
	Text string `json:"text" doc:"message"`
}

type errorEntry struct {
	Message string `json:"message" doc:"message"`
	Stack   string `json:"stack,omitempty" doc:"where it was thrown"`
}

type logsResult struct {
	Console    []consoleEntry `json:"console" doc:"messages"`
	PageErrors []errorEntry   `json:"pageErrors" doc:"errors that nothing caught"`
}

// pullLogs drains the recorded console messages and page errors.
func pullLogs(_ context.Context, s *browser.Session, _ tool.NoParams) (logsResult, error) {
	d := drains.Of(s)
	d.mu.Lock()
	defer d.mu.Unlock()
	out := logsResult{[]consoleEntry{}, []errorEntry{}}
	for _, e := range events.Recorded.Of(s).Since(d.logs, events.EventConsole, events.EventPageError) {
		d.logs = e.Seq
		if e.Kind == events.EventConsole {
			out.Console = append(out.Console, consoleEntry{e.Type, e.Text})
		} else {
			out.PageErrors = append(out.PageErrors, errorEntry{e.Text, e.Stack})
		}
	}
	return out, nil
}

type networkParams struct {
	OnlyErrors bool `json:"onlyErrors,omitempty" doc:"only statuses from 400 and requests without a response" default:"true"`
}

type networkEntry struct {
	URL    string `json:"url" doc:"address"`
	Status int    `json:"status" doc:"HTTP status, 0 where no response came"`
	Error  string `json:"error,omitempty" doc:"why no response came"`
}

type networkResult struct {
	Requests []networkEntry `json:"requests" doc:"in the order of the responses"`
}

// pullNetwork drains the recorded responses.
func pullNetwork(_ context.Context, s *browser.Session, in networkParams) (networkResult, error) {
	d := drains.Of(s)
	d.mu.Lock()
	defer d.mu.Unlock()
	out := networkResult{[]networkEntry{}}
	for _, e := range events.Recorded.Of(s).Since(d.net, events.EventResponse, events.EventRequestFailed) {
		d.net = e.Seq
		if !in.OnlyErrors || e.Kind == events.EventRequestFailed || e.Status >= 400 {
			out.Requests = append(out.Requests, networkEntry{e.URL, e.Status, e.Text})
		}
	}
	return out, nil
}
