package script

import "testing"

func TestImportsAreWrittenAsCalls(t *testing.T) {
	for code, want := range map[string]string{
		`import fs from 'fs'`:                  `const fs = $import.all("fs").default;`,
		`import * as p from "path";`:           `const p = $import.all("path");`,
		"import {\n a as b,\n c } from 'os';":  "const {\n a : b,\n c } = $import.all(\"os\");",
		`import d, { e } from 'events'`:        `const d = $import.all("events").default, { e } = $import.all("events");`,
		`import 'fs'`:                          `$import.all("fs");`,
		"import type {\n X } from 'x'\n1":      "\n\n1",
		`import { type X, y } from 'x'`:        `const {  y } = $import.all("x");`,
		`const m = await import ( 'fs' )`:      `const m = await $import ( 'fs' )`,
		`page.import('x'); $import('y'); im()`: `page.import('x'); $import('y'); im()`,
		`const important = 'import x'`:         `const important = 'import x'`,
	} {
		if got := withRequire(code); got != want {
			t.Errorf("%s\n got %s\nwant %s", code, got, want)
		}
	}
}

func TestPatternsOfBothLanguages(t *testing.T) {
	for source, want := range map[string]string{
		`a\/b`: `a/b`, `\u20ac\d`: `€\d`, `[\u002d\u005d]`: `[\-\]]`, `\\u20ac`: `\\u20ac`, `\ud83d\ude00`: `😀`, `\u{1F600}`: `😀`,
		`x[^]y`: `x[\s\S]y`, `\u002e`: `\.`, `\bé`: `\bé`, `a\u002fb`: `a/b`,
	} {
		if got := common(source); got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}
