package handlers

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// scriptGuard judges the calls of scripts before they are made, where the
// proxy and the checks around a tool don't see them: a script could go
// somewhere, read, and come back before anybody looks.
type scriptGuard struct {
	policy   *policy.Policy
	base     string // relative URLs belong to it
	attached bool   // there is no proxy
}

// refuse is what script.Host asks.
func (g scriptGuard) refuse(class, method string, args []any) error {
	switch {
	case class == "CDPSession" && method == "send":
		return g.devtools(args)
	case class == "Tracing" && slices.ContainsFunc(args, namesPath):
		return blockedScript("tracing."+method, "name is a name, not a path")
	case method == "goto":
		return g.judge(target(args), g.policy.Navigate)
	case class == "APIRequestContext" && method != "dispose" && method != "storageState":
		return g.judge(target(args), func(raw, base string) error {
			if b, err := url.Parse(base); err == nil {
				if u, err := b.Parse(raw); err == nil {
					raw = u.String()
				}
			}
			return g.policy.Request(raw)
		})
	case class == "Browser" && g.attached && g.policy.Guards() && slices.Contains([]string{"newContext", "newPage", "newBrowserCDPSession"}, method):
		return blockedScript("browser."+method, "what it opens in a browser that pwpipe did not start would not be under the policy")
	case g.policy.Guards() && slices.ContainsFunc(args, hasProxy):
		return blockedScript("proxy", "where domains are restricted, pwpipe's own proxy is the only one")
	}
	return nil
}

func target(args []any) string {
	if len(args) == 0 {
		return ""
	}
	switch v := args[0].(type) {
	case string:
		return v
	case playwright.Request:
		return v.URL()
	}
	return ""
}

func (g scriptGuard) judge(raw string, by func(raw, base string) error) error {
	if err := by(raw, g.base); err != nil {
		return provider.Errorf(provider.KindBlocked, "blocked: %s: %w", shorten(raw, 200), err)
	}
	return nil
}

// closedCommands are the DevTools commands that read and write files, or that
// pass on commands which would not be judged.
var closedCommands = map[string]string{
	"DOM.setFileInputFiles": "use setInputFiles", "Browser.setDownloadBehavior": "use download.saveAs", "Page.setDownloadBehavior": "use download.saveAs",
	"Target.sendMessageToTarget": "use newCDPSession on the page", "Target.exposeDevToolsProtocol": "use newCDPSession",
	"Target.setRemoteLocations": "nothing else can be reached", "Browser.executeBrowserCommand": "it is the browser's own",
	"Extensions.loadUnpacked": "start the browser with it",
}

func (g scriptGuard) devtools(args []any) error {
	command := target(args)
	if instead, ok := closedCommands[command]; ok {
		return blockedScript(command, "it is closed to scripts: "+instead)
	}
	if len(args) < 2 {
		return nil
	}
	params, _ := args[1].(map[string]any)
	if command == "Target.createBrowserContext" && g.policy.Guards() && (params["proxyServer"] != nil || params["proxyBypassList"] != nil) {
		return blockedScript("proxy", "where domains are restricted, pwpipe's own proxy is the only one")
	}
	if data, _ := params["data"].(map[string]any); command == "Input.dispatchDragEvent" && data["files"] != nil {
		return blockedScript(command, "files can't be dropped by it: use setInputFiles, or a DataTransfer made in the page")
	}
	raw, ok := params["url"].(string)
	if !ok || !strings.HasPrefix(command, "Page.navigate") && command != "Target.createTarget" {
		return nil
	}
	return g.judge(raw, g.policy.Navigate)
}

func hasProxy(arg any) bool {
	v := reflect.ValueOf(arg)
	if v.Kind() != reflect.Struct {
		return false
	}
	f := v.FieldByName("Proxy")
	return f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil()
}

// namesPath tells the options whose name leads out of the folder of traces.
func namesPath(arg any) bool {
	v := reflect.ValueOf(arg)
	if v.Kind() != reflect.Struct {
		return false
	}
	f := v.FieldByName("Name")
	return f.IsValid() && f.Kind() == reflect.Pointer && !f.IsNil() && strings.ContainsAny(fmt.Sprint(f.Elem()), `/\`)
}

func blockedScript(what, why string) error {
	return provider.Errorf(provider.KindBlocked, "blocked: %s: %s", what, why)
}
