package main

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"pwpipe/internal/machine/tricks"
)

var switches = []string{tricks.RawIO, tricks.DirectReads, tricks.DirectFills, tricks.DirectClicks, tricks.QuietClicks,
	tricks.DirectPictures, tricks.FastPictures, tricks.DriverCache, tricks.DriverParts, tricks.EarlyBrowser,
	tricks.Films, tricks.KeptTree, tricks.EarlyAnswer}

// TestTricksHaveAPrice: docs/tricks.md names exactly the switches that exist.
func TestTricksHaveAPrice(t *testing.T) {
	text, err := os.ReadFile("../../docs/tricks.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile("`PWPIPE_NO_([A-Z_]+)`").FindAllStringSubmatch(string(text), -1) {
		named = append(named, m[1])
	}
	slices.Sort(named)
	all := slices.Sorted(slices.Values(switches))
	if !slices.Equal(slices.Compact(named), all) {
		t.Errorf("the page names %v; there are %v", named, all)
	}
}
