//go:build evidence

package snapshot

import (
	"fmt"
	"strings"
	"testing"
)

// tableOf is what the engine writes of a table of orders.
func tableOf(rows int) string {
	var b strings.Builder
	b.WriteString("1\n0\theading\te1\t1\t\t\tOrders\n0\ttable\te2\t\t\t\t\n1\trowgroup\te3\t\t\t\t\n")
	for i := range rows {
		line := func(depth int, role, url, name string, n int) {
			fmt.Fprintf(&b, "%d\t%s\te%d\t\t%s\t\t%s\n", depth, role, 4+7*i+n, url, name)
		}
		state := []string{"new", "paid", "sent"}[i%3]
		line(2, "row", "", fmt.Sprintf("%d Order %[1]d %s Open", i, state), 0)
		line(3, "cell", "", fmt.Sprint(i), 1)
		line(3, "cell", "", fmt.Sprint("Order ", i), 2)
		line(4, "link", fmt.Sprint("/o/", i), fmt.Sprint("Order ", i), 3)
		line(3, "cell", "", state, 4)
		line(3, "cell", "", "Open", 5)
		line(4, "button", "", "Open", 6)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// BenchmarkTable times an outline of a table of 2,000 rows, once its tree has come.
func BenchmarkTable(b *testing.B) {
	text := tableOf(2000)
	for b.Loop() {
		root, _, err := Parse(text, "")
		if err != nil {
			b.Fatal(err)
		}
		if out := root.Fit(Options{}); len(out.Lines) == 0 {
			b.Fatal("no outline")
		}
	}
}
