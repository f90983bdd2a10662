package handlers

import "pwpipe/provider"

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

// Parameters that many tools share.
type (
	noParams struct{}
	selParam struct {
		Sel Selector `json:"sel" doc:"selector"`
	}
)
