//go:build !linux

package chromesandbox

import "context"

func refusedToUs() *Finding { return nil }

// Conditions are constant here: nothing is tried.
func Conditions(string) string { return "" }

func try(context.Context, Browser) (Finding, error) { return Finding{}, nil }
