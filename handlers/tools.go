package handlers

import (
	"time"

	"pwpipe/provider"
)

// Tools declares every tool, in the order in which lists show them. It needs
// no browser: a table for documents and completions is made the same way.
func Tools() []*provider.Tool {
	var all []*provider.Tool
	for _, topic := range [][]*provider.Tool{
		navTools(), actTools(), readTools(), waitTools(), shotTools(), evalTools(), pageTools(), routeTools(),
		sessionTools(), rpcPageTools(), signalTools(), findTools(),
		clipboardTools(), findTextTools(), pasteTools(), waitTextTools(),
	} {
		all = append(all, topic...)
	}
	return all
}

// none is the result of a tool that answers null.
type none = provider.None

// core declares a tool of profile core: seed 002's, with its time-outs.
func core(name, title, doc string, timeout int, effect provider.Effect) provider.Spec {
	return provider.Spec{Name: name, Title: title, Doc: doc, Profile: "core",
		Timeout: time.Duration(timeout) * time.Second, Effect: effect}
}

// Parameters that many tools share.
type (
	noParams struct{}
	selParam struct {
		Sel string `json:"sel" doc:"selector"`
	}
)
