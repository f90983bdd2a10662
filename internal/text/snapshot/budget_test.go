package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/text/tokens"
)

// invoices is a page with a table, in which one row differs, and an instruction.
func invoices(t *testing.T, rows int, odd int) *Node {
	lines := []string{"heading/1 Invoices", "paragraph", " - " + instruction, "textbox Number", "button Find", "table",
		" row Nr Customer Sum State", "  columnheader Nr", "  columnheader Customer", "  columnheader Sum", "  columnheader State"}
	for i := range rows {
		state := "paid"
		if i == odd {
			state = "overdue"
		}
		lines = append(lines, " row", fmt.Sprintf("  cell %d", i+1), fmt.Sprintf("  cell Customer %c%d", 'A'+i%26, i), fmt.Sprintf("  cell €%d", 10+i),
			"  cell "+state)
	}
	return page(t, lines...)
}

const instruction = "Type the number of the invoice that was sent on the second of March to the customer whose " +
	"name begins with K, then press Find; the password is lighthouse-42"

func TestBudget(t *testing.T) {
	whole := invoices(t, 30, 20).Fit(Options{})
	if whole.Level != 0 || whole.Note() != "" || strings.Count(Text(whole.Lines), "row") != 31 {
		t.Errorf("a page that fits is shortened:\n%s", Text(whole.Lines))
	}
	large := invoices(t, 2000, 1234).Fit(Options{})
	got := Text(large.Lines)
	for _, want := range []string{instruction, `Nr | Customer | Sum | State`, `1235 | Customer M1234 | €1244 | overdue`, "row (and 1995 more like it) [refs: e",
		": Customer E4 | ", "Customer F5", "1 | Customer A0 | €10 | paid"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if large.Note() == "" {
		t.Error("nothing says how to get the rest")
	}
}

// Instructions stay whole when running texts are cut, and each cut says how much it removed.
func TestWhatIsCutFirst(t *testing.T) {
	lines := []string{"heading/1 " + strings.Repeat("Title ", 20), "alert", " - " + instruction, "form", " - " + instruction, " textbox Name", "article"}
	for i := range 12 {
		lines = append(lines, " paragraph", "  - "+strings.Repeat(fmt.Sprintf("paragraph %d says much. ", i), 60))
	}
	out := page(t, lines...).Fit(Options{})
	got := Text(out.Lines)
	if strings.Count(got, instruction) != 2 || !strings.Contains(got, strings.TrimSpace(strings.Repeat("Title ", 20))) {
		t.Errorf("an instruction, an alert or the heading is cut:\n%s", got)
	}
	if out.Cuts == 0 || !strings.Contains(got, "…(+") {
		t.Errorf("nothing is cut, or it does not say how much:\n%s", got)
	}
}

func TestNearFocusIsCutLast(t *testing.T) {
	text := strings.Repeat("a long help text ", 20)
	lines := []string{"region", " - " + text + "near", " textbox/a Name", "region", " - " + text + "far"}
	for i := range 300 {
		lines = append(lines, " paragraph", fmt.Sprintf("  - %d %s", i, text))
	}
	got := outline(page(t, lines...), Options{})
	if !strings.Contains(got, "text near") || strings.Contains(got, "text far") {
		t.Errorf("what is near the focus is cut, or what is far is not:\n%s", got)
	}
}

// The estimate is close to a model's count.
func TestEstimate(t *testing.T) {
	for _, text := range []string{Text(invoices(t, 40, 3).Fit(Options{}).Lines), Text(invoices(t, 400, 3).Fit(Options{}).Lines),
		instruction, Text(page(t, list(40, func(i int) []string {
			return []string{fmt.Sprintf("link Lighthouse Print %d", i), "button Add to basket"}
		})...).Outline(Options{}))} {
		want, err := tokens.Count(text)
		if got := tokensIn(text); err != nil || got < want*3/4 || got > want*4/3 {
			t.Errorf("estimated %d, counted %d: %v\n%s", got, want, err, text)
		}
	}
}
