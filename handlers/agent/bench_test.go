//go:build evidence

package agent_test

import (
	"slices"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// BenchmarkSnapshotOfATable times the compressed snapshot of 5,000 rows beside
// Playwright's own of the same page, turn by turn in one run, and reports the
// ratio of the medians. The bound is 1.3.
//
//	go test ./handlers/agent -run '^$' -bench Snapshot -benchtime 5x
func BenchmarkSnapshotOfATable(b *testing.B) {
	p := pipetest.StartSite(b, "--profile", "agent", "--timeout", "60")
	p.Call("nav", []string{"/table?rows=5000"})
	var ours, raw []time.Duration
	timed := func(list *[]time.Duration, tool string, params any) {
		begin := time.Now()
		p.Call(tool, params)
		*list = append(*list, time.Since(begin))
	}
	median := func(list []time.Duration) time.Duration {
		slices.Sort(list)
		return list[len(list)/2]
	}
	for b.Loop() {
		timed(&ours, "snapshot", nil)
		timed(&raw, "execute", pipetest.Object{"code": "(await page.locator('body').ariaSnapshot({ref: true, timeout: 60000})).length"})
	}
	b.ReportMetric(float64(median(ours))/float64(median(raw)), "ours/raw")
	b.ReportMetric(median(ours).Seconds(), "s/snapshot")
}
