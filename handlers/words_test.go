package handlers_test

import (
	"slices"
	"testing"

	"pwpipe/features"
	"pwpipe/provider"
)

// These tools' answers are not marked. Any other tool's answer is marked until
// somebody has checked all that it may contain.
func TestWhoseWordsToolsAnswer(t *testing.T) {
	own := map[string]string{
		"shot": "the path given", "eshot": "the path given", "pdf": "the path given", "save-state": "the path given", "trace-stop": "the path given", "video-start": "the path given",
		"video-stop": "the path given to video-start", "har-record": "the path given", "find.byRole": "the role and name given", "box": "numbers",
		"new-ctx": "a handle", "new-page": "a handle", "use-page": "null", "close-page": "null", "open-ctx": "a handle", "close-ctx": "null", "reset": "a handle", "session.create": "a handle", "session.cdp": "an address of ours",
		"log-start": "the path given", "log-stop": "a number", "devices": "Playwright's list", "rpc.discover": "the declarations", "help": "the declarations", "events": "the kinds given",
		"events.subscribe": "the kinds given", "events.unsubscribe": "true", "ask-person": "done", "highlight": "null", "video-chapter": "null", "label-page": "null", "perf-trace-start": "null", "batch": "each step is marked by its own tool",
	}
	var unknown []string
	for _, tool := range features.Tools() {
		if tool.Words != provider.PageWords && own[tool.Name] == "" {
			unknown = append(unknown, tool.Name)
		}
		if tool.Words == provider.PageWords {
			delete(own, tool.Name)
		}
	}
	if slices.Sort(unknown); len(unknown) > 0 {
		t.Errorf("not marked, for no reason that is known here: %v", unknown)
	}
	for name := range own {
		if !slices.ContainsFunc(features.Tools(), func(tool *provider.Tool) bool { return tool.Name == name }) {
			t.Errorf("there is no tool %s", name)
		}
	}
}
