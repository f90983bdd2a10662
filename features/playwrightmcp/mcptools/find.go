package mcptools

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pwpipe/provider"
)

type findParams struct {
	Text     string `json:"text,omitempty" doc:"ignoring case"`
	Regex    string `json:"regex,omitempty" doc:"RE2, or /RE2/i"`
	Most     int    `json:"maxResults,omitempty" doc:"max results" min:"1"`
	Filename string `json:"filename,omitempty" doc:"filename"`
}

// around is the number of lines that are shown before and after a match.
const around = 3

var reLiteral = regexp.MustCompile(`(?s)^/(.*)/([a-z]*)$`)

func find(c *call, in findParams) error {
	query, matches, err := in.matcher()
	if err != nil {
		return err
	}
	p, err := c.page()
	if err != nil {
		return err
	}
	text, err := c.tree(p, "", nil, false)
	if err != nil {
		return err
	}
	lines := strings.Split(c.hide(text), "\n") // secrets are masked before the text is cut
	found := []int{}
	for i, line := range lines {
		if matches(line) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		c.result(fmt.Sprintf("No matches found for %s.", query))
		return nil
	}
	word := "matches"
	if len(found) == 1 {
		word = "match"
	}
	head := fmt.Sprintf("Found %d %s for %s", len(found), word, query)
	if in.Most > 0 && in.Most < len(found) {
		found = found[:in.Most]
		head += fmt.Sprintf(" (showing first %d)", in.Most)
	}
	shown := head + ":\n\n" + strings.Join(snippets(lines, found), "\n\n----\n\n")
	return c.orSave("Matches", shown, in.Filename, "find", "txt")
}

// matcher returns a function that finds lines, and the name of the query in answers.
func (in findParams) matcher() (query string, matches func(string) bool, err error) {
	switch {
	case in.Text == "" && in.Regex == "":
		return "", nil, provider.Errorf(provider.KindArgs, `Provide either "text" or "regex" to search for.`)
	case in.Text != "" && in.Regex != "":
		return "", nil, provider.Errorf(provider.KindArgs, `Provide only one of "text" or "regex", not both.`)
	case in.Text != "":
		needle := strings.ToLower(in.Text)
		return `"` + in.Text + `"`, func(line string) bool { return strings.Contains(strings.ToLower(line), needle) },
			nil
	}
	pattern, flags := in.Regex, ""
	if m := reLiteral.FindStringSubmatch(in.Regex); m != nil {
		pattern, flags = m[1], strings.ReplaceAll(m[2], "g", "")
	}
	prefix := ""
	if own := strings.Map(func(r rune) rune {
		if strings.ContainsRune("ims", r) {
			return r
		}
		return -1
	}, flags); own != "" {
		prefix = "(?" + own + ")"
	}
	re, err := regexp.Compile(prefix + pattern)
	if err != nil {
		return "", nil, provider.Errorf(provider.KindArgs, "regex: Invalid regular expression: %w", err)
	}
	return "/" + pattern + "/" + flags, re.MatchString, nil
}

// snippets returns the matches with the lines around them. Each snippet stands below its
// ancestors.
func snippets(lines []string, found []int) (list []string) {
	type window struct{ from, to int }
	var windows []window
	path := map[int]bool{}
	for _, at := range found {
		from, to := max(0, at-around), min(len(lines)-1, at+around)
		if n := len(windows); n > 0 && from <= windows[n-1].to+1 {
			windows[n-1].to = max(windows[n-1].to, to)
		} else {
			windows = append(windows, window{from, to})
		}
		path[at] = true
		for _, above := range ancestors(lines, at) {
			path[above] = true
		}
	}
	for _, w := range windows {
		shown := ancestors(lines, w.from)
		for i := w.from; i <= w.to; i++ {
			shown = append(shown, i)
		}
		var out []string
		for i, at := range shown {
			if i > 0 && at > shown[i-1]+1 && !path[at] && !path[shown[i-1]] {
				out = append(out, strings.Repeat(" ", indent(lines[at]))+"...")
			}
			out = append(out, lines[at])
		}
		list = append(list, strings.Join(out, "\n"))
	}
	return list
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// ancestors returns the indices of the lines that a line is nested in, from the root.
func ancestors(lines []string, at int) (list []int) {
	depth := indent(lines[at])
	for i := at - 1; i >= 0 && depth > 0; i-- {
		if d := indent(lines[i]); d < depth {
			list, depth = append(list, i), d
		}
	}
	slices.Reverse(list)
	return list
}
