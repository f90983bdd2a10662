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
		elementTools(), keyboardTools(), mouseTools(), uploadTools(), downloadTools(), dialogTools(), frameTools(), historyTools(), tabTools(),
		contentTools(), stateOfTools(), markdownTools(), documentTools(),
		batchTools(), playwrightBrowserTools(), checkTools(), pdfTools(), traceTools(), videoTools(), logTools(),
		cookieTools(), storageTools(), stateFileTools(), permissionTools(),
		emulateTools(), clockTools(), contextTools(),
		requestTools(), routeListTools(), conditionTools(), harTools(), websocketTools(),
		agentTools(),
		debuggerTools(), editorTools(), stylesTools(), reactTools(),
	} {
		all = append(all, topic...)
	}
	for _, t := range all {
		if !t.Unlogged {
			t.After, t.Prepare = logCall, logged(t.Prepare)
		}
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

// inProfile declares a tool of another profile; timeout is in seconds.
func inProfile(profile, name, title, doc string, timeout int, effect provider.Effect) provider.Spec {
	spec := core(name, title, doc, timeout, effect)
	spec.Profile = profile
	return spec
}

// ownAnswers is a tool on a page whose answers no page has a part in: paths
// that it was told to write to, handles, selectors of the caller's words. Its
// errors may quote the page.
func ownAnswers(s provider.Spec) provider.Spec {
	s.Words = provider.OwnAnswers
	return s
}

// ownWords is a tool that says nothing that a page worded, in errors neither.
func ownWords(s provider.Spec) provider.Spec {
	s.Words = provider.OwnWords
	return s
}

// Parameters that many tools share.
type (
	noParams struct{}
	selParam struct {
		Sel string `json:"sel" doc:"selector"`
	}
)
