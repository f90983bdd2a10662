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
	texts := map[string]*string{"dir": &c.Dir, "session": &c.Session, "output": &c.Output,
		"build": &c.Build, "elements": &c.Elements}
	flags := map[string]*bool{"quiet": &c.Quiet, "start": &c.Start}
	for _, m := range o {
		ok := false
		switch text, flag := texts[m.Key], flags[m.Key]; {
		case text != nil:
			*text, ok = rawjson.Text(m.Value)
		case flag != nil:
			*flag, ok = string(m.Value) == "true", true
		case m.Key == "words" || m.Key == "values":
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
		}
		if !ok {
			return c, bad(m.Key)
		}
	}
	return c, nil
}
