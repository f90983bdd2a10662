package provider_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// TestErrorsHideSecrets: no part of an error shows a secret, in whichever part a tool has put it.
func TestErrorsHideSecrets(t *testing.T) {
	const value = "correct-horse-battery"
	set, err := secrets.New(map[string]string{"TOKEN": value})
	if err != nil {
		t.Fatal(err)
	}
	spec := provider.Spec{Name: "fails", Title: "T", Doc: "fails", Profile: "core", Timeout: time.Minute, Effect: provider.Acts}
	table := provider.NewTable([]*provider.Tool{provider.Define(spec, func(context.Context, struct{}) (provider.None, error) {
		e := provider.Errorf(provider.KindFailed, "message %s", value).WithHint("hint %s", value)
		e.URL, e.Log, e.Err = "http://a.example/?"+value, "log "+value, errors.New(value)
		return provider.None{}, e
	})}, provider.TableOptions{Secrets: set})
	_, err = table.Call(context.Background(), provider.Request{Tool: "fails"})
	e := provider.AsError(err)
	for part, text := range map[string]string{"message": e.Msg, "hint": e.Hint, "URL": e.URL, "log": e.Log} {
		if strings.Contains(text, value) || !strings.Contains(text, "<secret:TOKEN>") {
			t.Errorf("the %s is %q", part, text)
		}
	}
	if e.Err != nil {
		t.Errorf("it wraps %v", e.Err)
	}
	for _, line := range []string{
		`{"id":1,"method":"fails"}`, `{"jsonrpc":"2.0","id":1,"method":"fails"}`,
	} {
		if out, _ := serve(t, &wire.Stdio{Table: table}, line+"\n"); strings.Contains(out, value) || !strings.Contains(out, "hint <secret:TOKEN>") {
			t.Errorf("%s is answered with %s", line, out)
		}
	}
}
