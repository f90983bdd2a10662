package features_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
)

var (
	reCommand = regexp.MustCompile("(?m)^    pwpipe ([^#\n]+)|`pwpipe ([^`]+)`")
	reWord    = regexp.MustCompile(`'([^']*)'|[^\s']+`)
	rePattern = regexp.MustCompile(`^[A-Z]+$|\[`) // in a usage line
)

// TestSkill: the skill is short, and its commands exist with these parameters.
func TestSkill(t *testing.T) {
	text, _, _ := pipetest.Run(t, "", "skill")
	if n := strings.Count(text, "\n"); n > 120 {
		t.Errorf("%d lines, of 120 at most", n)
	}
	table := table()
	tried := 0
	for _, m := range reCommand.FindAllStringSubmatch(text, -1) {
		var words []string
		for _, w := range reWord.FindAllStringSubmatch(m[1]+m[2], -1) {
			if w[1] != "" {
				w[0] = w[1]
			}
			words = append(words, w[0])
		}
		name, tool := words[0], table.Find(words[0])
		switch {
		case name == "<" || name == "open":
		case slices.Contains(thin.Words, name) || slices.Contains(service.Commands, name):
		case tool == nil:
			t.Errorf("%s: no such command", m[0])
		case slices.ContainsFunc(words[1:], rePattern.MatchString):
		default:
			l, err := commandline.Split(words, nil, commandline.Options{})
			if err == nil {
				_, err = l.Request(tool, "/")
			}
			if err != nil {
				t.Errorf("%s: %v", m[0], err)
			}
			tried++
		}
	}
	if tried < 15 {
		t.Errorf("%d commands were tried", tried)
	}
}
