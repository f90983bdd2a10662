package service

import (
	"strconv"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

// readCommand reads what a client sends.
func readCommand(body []byte) (c thin.Command, err error) {
	bad := func(key string) error {
		return provider.Errorf(provider.KindInvalid, "a command's %q can't be read", key)
	}
	if err := rawjson.Check(body); err != nil {
		return c, provider.Errorf(provider.KindParse, "parse error: %w", err)
	}
	o, err := rawjson.Split(body)
	if err != nil {
		return c, bad("body")
	}
	for _, m := range o {
		ok := true
		switch m.Key {
		case "words", "values":
			list, err := rawjson.SplitArray(m.Value)
			ok = err == nil
			for _, raw := range list {
				if text, is := rawjson.Text(raw); is && m.Key == "words" {
					c.Words = append(c.Words, text)
				} else if n, err := strconv.Atoi(string(raw)); err == nil && m.Key == "values" {
					c.Values = append(c.Values, n)
				} else {
					return c, bad(m.Key)
				}
			}
		case "dir":
			c.Dir, ok = rawjson.Text(m.Value)
		case "session":
			c.Session, ok = rawjson.Text(m.Value)
		case "output":
			c.Output, ok = rawjson.Text(m.Value)
		case "build":
			c.Build, ok = rawjson.Text(m.Value)
		case "elements":
			c.Elements, ok = rawjson.Text(m.Value)
		case "quiet":
			c.Quiet = string(m.Value) == "true"
		case "start":
			c.Start = string(m.Value) == "true"
		default:
			ok = false
		}
		if !ok {
			return c, bad(m.Key)
		}
	}
	return c, nil
}
