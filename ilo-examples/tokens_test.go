package iloexamples

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	counter "pwpipe/internal/text/tokens"
)

// flows are the rows of the table, with their files.
var flows = []struct{ title, ilo, playwright, cypress, ndjson string }{
	{"login, as the seed prints it", "compare/seed-login.ilo", "compare/seed-login.js", "", ""},
	{"login flow, without checks", "compare/login-flow.ilo", "compare/login-flow.mjs", "compare/login-flow.cy.js", "compare/login-flow.ndjson"},
	{"login", "login.ilo", "compare/login.mjs", "compare/login.cy.js", "compare/login.ndjson"},
	{"scrape", "scrape.ilo", "compare/scrape.mjs", "compare/scrape.cy.js", "compare/scrape.ndjson"},
	{"multi-page", "multi-page.ilo", "compare/multi-page.mjs", "", "compare/multi-page.ndjson"},
	{"mock", "mock.ilo", "compare/mock.mjs", "compare/mock.cy.js", "compare/mock.ndjson"},
}

// TestTokenTable: the README's table is current.
func TestTokenTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| flow | ilo | ilo and its declarations | Playwright JS | Cypress | NDJSON | ilo ÷ Playwright JS |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range flows {
		program, own := split(read(t, f.ilo))
		if own == "" {
			own = used(read(t, "tools.ilo"), program)
		}
		n, js := tokens(t, program), tokens(t, read(t, f.playwright))
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s | %.2f |\n", f.title, n, n+tokens(t, own), js,
			count(t, f.cypress), count(t, f.ndjson), float64(n)/float64(js))
	}
	all := read(t, "tools.ilo")
	fmt.Fprintf(&b, "\nAll %d declarations of `tools.ilo`: %d tokens.\n", strings.Count(all, "\n"), tokens(t, all))
	t.Log("\n" + b.String())
	section(t, "tokens", b.String())
}

// TestTokenClaims: the README's claims about the table are true.
func TestTokenClaims(t *testing.T) {
	shorter, cypressWins := 0, 0
	for _, f := range flows {
		text := read(t, f.ilo)
		program, own := split(text)
		if own == "" {
			own = used(read(t, "tools.ilo"), program)
		}
		n, js := tokens(t, program), tokens(t, read(t, f.playwright))
		declared := n + tokens(t, own)
		if f.ndjson == "" { // the seed's
			if n <= js || float64(declared) < 2.2*float64(js) {
				t.Errorf("%s: ilo %d, %d with declarations, JavaScript %d", f.title, n, declared, js)
			}
			continue
		}
		lines := tokens(t, read(t, f.ndjson))
		if n < js {
			shorter++
		}
		if f.title == "scrape" && n <= js || float64(n) < 0.67*float64(js) {
			t.Errorf("%s: ilo %d, JavaScript %d", f.title, n, js)
		}
		if declared <= js || declared <= lines {
			t.Errorf("%s: ilo with declarations %d, JavaScript %d, NDJSON %d", f.title, declared, js, lines)
		}
		if lines > 2*n || float64(lines) < 0.95*float64(n) {
			t.Errorf("%s: ilo %d, NDJSON %d", f.title, n, lines)
		}
		if f.cypress != "" {
			cy := tokens(t, read(t, f.cypress))
			if declared <= cy {
				t.Errorf("%s: ilo with declarations %d, Cypress %d", f.title, declared, cy)
			}
			if cy < n && cy < js && cy < lines {
				cypressWins++
			}
		}
	}
	if shorter != 4 || cypressWins != 3 {
		t.Errorf("ilo is shorter than JavaScript in %d flows, Cypress the shortest in %d", shorter, cypressWins)
	}
}

// section compares the README's text between <!-- name --> and <!-- /name -->
// with text, or writes it with -update.
func section(t *testing.T, name, text string) {
	t.Helper()
	pipetest.GoldenPart(t, "README.md", name, text)
}

// split separates a program from its declarations, and drops comments.
func split(text string) (program, declarations string) {
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "tool "):
			declarations += line
		case !strings.HasPrefix(line, "--"):
			program += line
		}
	}
	return program, declarations
}

// used are the declarations of the tools that a program calls.
func used(declarations, program string) string {
	var s string
	for line := range strings.Lines(declarations) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "tool "), `"`)
		if regexp.MustCompile(`\b` + name + `!`).MatchString(program) {
			s += line
		}
	}
	return s
}

// count is a file's tokens as a cell; "" has none.
func count(t *testing.T, file string) string {
	if file == "" {
		return "–"
	}
	return fmt.Sprint(tokens(t, read(t, file)))
}

// tokens counts a text without the blank lines around it.
func tokens(t *testing.T, text string) int {
	t.Helper()
	n, err := counter.Count(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
