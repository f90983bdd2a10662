package handlers

import (
	"context"
	"sync"
	"time"

	"pwpipe/provider"
)

func signalTools() []*provider.Tool {
	// What drains a buffer is no mere reading: two at once would share it out.
	pull := func(name, title, doc string) provider.Spec {
		return rpc(name, title, doc, 5*time.Second, provider.Waits)
	}
	subscribe := func(name, title, doc string) provider.Spec { return ownWords(unlogged(pull(name, title, doc))) }
	short := core("events", "Events", "Have events (console, page-error, request, ...) sent as they happen, a line each; none for []", 5, provider.Waits)
	short.Profile, short.Unlogged, short.Words = "events", true, provider.OwnWords
	return []*provider.Tool{
		onSession(pull("logs.pull", "Console and errors", "Get what the pages logged and what scripts threw since the last time"), pullLogs),
		onSession(pull("network.pull", "Network", "Get the responses since the last time, those of failed requests unless told otherwise"), pullNetwork),
		onSession(subscribe("events.subscribe", "Events", "Have events sent as they happen, over a socket or a pipe"), subscribeEvents),
		onSession(subscribe("events.unsubscribe", "No events", "Have no more events sent"), unsubscribeEvents),
		onSession(short, shortEvents),
	}
}

// drained is how far the buffers have been handed out.
type drained struct {
	mu        sync.Mutex
	logs, net int64
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

// pullLogs drains what console and page errors the session recorded.
func pullLogs(_ context.Context, s *Session, _ noParams) (logsResult, error) {
	s.drained.mu.Lock()
	defer s.drained.mu.Unlock()
	out := logsResult{[]consoleEntry{}, []errorEntry{}}
	for _, e := range s.events.since(s.drained.logs, EventConsole, EventPageError) {
		s.drained.logs = e.Seq
		if e.Kind == EventConsole {
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

// pullNetwork drains what responses the session recorded.
func pullNetwork(_ context.Context, s *Session, in networkParams) (networkResult, error) {
	s.drained.mu.Lock()
	defer s.drained.mu.Unlock()
	out := networkResult{[]networkEntry{}}
	for _, e := range s.events.since(s.drained.net, EventResponse, EventRequestFailed) {
		s.drained.net = e.Seq
		if !in.OnlyErrors || e.Kind == EventRequestFailed || e.Status >= 400 {
			out.Requests = append(out.Requests, networkEntry{e.URL, e.Status, e.Text})
		}
	}
	return out, nil
}
