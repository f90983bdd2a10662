package service

import (
	"cmp"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// readCommand reads what a client sends.
func readCommand(body []byte) (c thin.Command, err error) {
	if err := rawjson.Check(body); err != nil {
		return c, provider.Errorf(provider.KindParse, "parse error: %w", err)
	}
	err = json.Unmarshal(body, &c, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true))
	var at *json.SemanticError
	if errors.As(err, &at) {
		key, _, _ := strings.Cut(strings.TrimPrefix(string(at.JSONPointer), "/"), "/")
		return c, provider.Errorf(provider.KindInvalid, "a command's %q can't be read", cmp.Or(key, "body"))
	}
	return c, err
}
