package program

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
)

// An unknown method name is not logged: it may be anything, such as a key.
func TestNamesOfNoToolAreNotLogged(t *testing.T) {
	var out strings.Builder
	spec := provider.Spec{Name: "echo", Title: "Echo", Doc: "Says it again", Profile: "core", Timeout: time.Second, Effect: provider.Reads}
	table := provider.NewTable([]*provider.Tool{provider.Define(spec, func(context.Context, struct{}) (string, error) { return "", nil })}, provider.TableOptions{})
	log := observer(slog.New(slog.NewTextHandler(&out, nil)), table)
	failed := provider.Errorf(provider.KindFailed, "no")
	log(t.Context(), provider.Request{Tool: "echo", Page: "p12"}, time.Second, failed)
	log(t.Context(), provider.Request{Tool: "echo", Page: "key-0123456789abcdef"}, time.Second, failed)
	log(t.Context(), provider.Request{Tool: "key-0123456789abcdef"}, time.Second, failed)
	if got := out.String(); !strings.Contains(got, "tool=echo") || !strings.Contains(got, "page=p12") || !strings.Contains(got, "tool=unknown") || strings.Contains(got, "0123456789") {
		t.Error(got)
	}
}
