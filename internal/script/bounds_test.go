package script

import (
	"errors"
	"strings"
	"testing"
)

// TestBounds: what is over a bound is an error that names it, and the engine
// goes on.
func TestBounds(t *testing.T) {
	r := bareEngine(t)
	for code, want := range map[string]string{
		`JSON.parse('['.repeat(1001))`:                             "nested 1001 deep, 1000 is the most",
		`JSON.stringify(1, () => ({ a: 1 }))`:                      "nested more than 1000 deep",
		`eval('('.repeat(100_000))`:                                "may be nested too deep",
		`new RegExp('('.repeat(100_000))`:                          "100000 groups",
		`new BigInt64Array(2 ** 42)`:                               "members of 8 bytes",
		`Buffer.from({ length: 2 ** 40 })`:                         "members",
		`1n << (2n ** 40n)`:                                        "a shift by 1099511627776",
		`'x'.repeat(1e9)`:                                          "more than 67108864 characters",
		`for (;;) setTimeout(() => {}, 1e6)`:                       "more than 10000 timers",
		`let p = {}; for (;;) p = new Proxy(p, {})`:                "chained more than 100",
		`const o = { get length() { return 1 } }; [].fill.call(o)`: "computes its length",
	} {
		if v, err := r.runs(t, code); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q is missing in %v, %.100s", code, want, err, v)
		}
	}
	if v, err := r.runs(t, "6 * 7"); v != "42" {
		t.Errorf("afterwards: %s, %v", v, err)
	}
}

// TestKeptTooMuch: an engine that keeps too much is of no more use, whatever
// holds it; what is not kept does not count.
func TestKeptTooMuch(t *testing.T) {
	const large = `const l = []; for (let i = 0; i < 14; i++) l.push('a'.repeat(6e6 + i)); `
	for _, keep := range []string{"state.l = l; 1", "globalThis.l = l; 1", "state.w = new WeakMap(); state.k = {}; state.w.set(state.k, l); 1"} {
		r := bareEngine(t)
		if _, err := r.runs(t, large+"l.length"); err != nil {
			t.Fatalf("what is not kept: %v", err)
		}
		if _, err := r.runs(t, large+keep); !errors.Is(err, ErrSpent) {
			t.Errorf("%s: %v", keep, err)
		}
		r.Close()
	}
}

// TestAfterTooDeep: calls that were nested too deep, in a promise's job, keep
// the next script from nothing.
func TestAfterTooDeep(t *testing.T) {
	r := bareEngine(t)
	if _, err := r.runs(t, `const f = async () => { await 0; const g = () => g() + 1; g() }; await f()`); err == nil || !strings.Contains(err.Error(), "nested more than 1500 deep") {
		t.Error(err)
	}
	if v, err := r.runs(t, "await 0; 1"); v != "1" {
		t.Errorf("the next: %s, %v", v, err)
	}
}
