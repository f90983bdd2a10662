package agent

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNumbersAndDatesAsTheBrowserWritesThem: what a script formats by itself is
// what the browser would have written, or an error.
func TestNumbersAndDatesAsTheBrowserWritesThem(t *testing.T) {
	t.Parallel()
	p := start(t, "/login")
	raw := pipetest.Execute(p, `const both = ({numbers, numberOptions, dates, dateOptions}) => {
  const out = [];
  for (const n of numbers) for (const o of numberOptions) out.push([n + ' ' + JSON.stringify(o), n.toLocaleString('en-US', o), new Intl.NumberFormat('en-US', o).format(n)]);
  for (const d of dates) for (const o of dateOptions) for (const m of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    if (o.dateStyle && m === 'toLocaleTimeString' || o.timeStyle && m === 'toLocaleDateString') continue;
    out.push([d.toISOString() + ' ' + m + JSON.stringify(o), d[m]('en-US', o), new Intl.DateTimeFormat('en-US', o).format(d)]);
  }
  out.push(['none', (1234.5).toLocaleString(), (12345678901234567890n).toLocaleString(), new Date(0).toLocaleString(), new Date(NaN).toLocaleString()]);
  return out;
};
const input = {
  numbers: [0, -0, 1, -1, 0.1 + 0.2, 1.005, 2.5, 999.995, 1234.5, -1234567.891, 1e21, 1e-7, 123456789012345680000, NaN, Infinity, 0.000045, 12.5],
  numberOptions: [{}, {minimumFractionDigits: 2}, {maximumFractionDigits: 0}, {minimumFractionDigits: 2, maximumFractionDigits: 2}, {style: 'percent'}, {style: 'percent', maximumFractionDigits: 1},
    {style: 'currency', currency: 'USD'}, {style: 'currency', currency: 'EUR', maximumFractionDigits: 0}, {style: 'currency', currency: 'JPY'}, {style: 'currency', currency: 'CHF'}, {useGrouping: false}, {minimumIntegerDigits: 2}],
  dates: [new Date(0), new Date(2024, 1, 29, 13, 5, 9), new Date(1999, 11, 31, 0, 30), new Date(2026, 6, 4, 12, 0, 0)],
  dateOptions: [{}, {timeZone: 'UTC'}, {year: 'numeric', month: 'long', day: 'numeric'}, {month: 'short', day: 'numeric'}, {month: 'long', year: 'numeric'}, {weekday: 'long'}, {weekday: 'short', month: 'short', day: 'numeric'},
    {weekday: 'long', year: 'numeric', month: 'long', day: 'numeric'}, {year: 'numeric', month: '2-digit', day: '2-digit'}, {month: 'numeric', day: 'numeric'}, {year: '2-digit', month: 'numeric', day: 'numeric'}, {day: 'numeric'}, {month: 'long'}, {year: 'numeric'},
    {hour: 'numeric', minute: '2-digit'}, {hour: '2-digit', minute: '2-digit'}, {hour: '2-digit', minute: '2-digit', hour12: false}, {hour: 'numeric', minute: '2-digit', second: '2-digit'}, {hour: 'numeric'}, {minute: '2-digit', second: '2-digit'},
    {dateStyle: 'full'}, {dateStyle: 'long'}, {dateStyle: 'medium'}, {dateStyle: 'short'}, {timeStyle: 'short'}, {timeStyle: 'medium'}, {dateStyle: 'medium', timeStyle: 'short'}, {dateStyle: 'full', timeStyle: 'short'},
    {year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit'}, {hour: 'numeric', minute: '2-digit', hourCycle: 'h23'}],
};
[both(input), await page.evaluate(both, input)]`)
	var sides [2][][]string
	if err := json.Unmarshal([]byte(raw), &sides); err != nil {
		t.Fatalf("%v: %.300s", err, raw)
	}
	if len(sides[0]) != len(sides[1]) || len(sides[0]) < 400 {
		t.Fatalf("%d and %d lines", len(sides[0]), len(sides[1]))
	}
	for i, own := range sides[0] {
		for k := range own {
			if browser := sides[1][i][k]; own[k] != browser {
				t.Errorf("%s: got %q, the browser writes %q", own[0], own[k], browser)
			}
		}
	}
}
