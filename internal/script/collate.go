package script

import (
	"fmt"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collate is what String.prototype.localeCompare answers.
func (r *Runtime) collate(a, b, locale string, numeric bool, sensitivity string) (int, error) {
	key := fmt.Sprint(locale, numeric, sensitivity)
	if c := r.collators[key]; c != nil {
		return c.CompareString(a, b), nil
	}
	tag, err := language.Parse(locale)
	if err != nil {
		return 0, fmt.Errorf("incorrect locale information provided: %s", locale)
	}
	var options []collate.Option
	if numeric {
		options = append(options, collate.Numeric)
	}
	switch sensitivity {
	case "base":
		options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics)
	case "accent":
		options = append(options, collate.IgnoreCase)
	case "case":
		options = append(options, collate.IgnoreDiacritics)
	}
	c := collate.New(tag, options...)
	if len(r.collators) > 16 { // a script may name many
		clear(r.collators)
	}
	r.collators[key] = c
	return c.CompareString(a, b), nil
}
