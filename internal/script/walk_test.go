package script

import (
	_ "embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/tour.js
var tourCode string

// walkCode looks at every object that the tour comes upon, by every own and
// inherited member, symbols and accessors included.
const walkCode = `
const seen = new Set([judge, isProxy]), todo = [], found = [];
const note = (path, v) => {
  if (v === null || typeof v !== 'object' && typeof v !== 'function' || seen.has(v)) return;
  seen.add(v); todo.push([path, v]);
};
let walking = false; // what the walk itself does to proxies is nothing that a script was given
const walk = () => {
  walking = true;
  while (todo.length) {
    const [path, o] = todo.pop();
    const why = judge(o);
    if (why) { found.push(path + ': ' + why); continue; }
    if (ArrayBuffer.isView(o) && o.length > 1000) continue;
    try {
      note(path + '.[[Prototype]]', Object.getPrototypeOf(o));
      for (const k of Reflect.ownKeys(o)) {
        const at = path + '.' + String(k), d = Object.getOwnPropertyDescriptor(o, k);
        if (d && 'value' in d) note(at, d.value); else if (d) { note(at + ' get', d.get); note(at + ' set', d.set); }
      }
    } catch (e) { note(path + ' threw', e); }
    if (seen.size > 100000) throw new Error('there is no end to it: ' + path);
  }
  walking = false;
};
const each = (path, v) => { if (!walking) { note(path, v); walk(); } };
const named = { page, context, browser, state, $, console, expect, require, fetch, crypto, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, queueMicrotask,
  process, performance, structuredClone, atob, btoa, TextEncoder, TextDecoder, AbortController, AbortSignal, Headers, Response, FormData, Blob, File, $import,
  accessibilitySnapshot, screenshotWithAccessibilityLabels, showAriaRefLabels, hideAriaRefLabels, getCleanHTML, waitForPageLoad,
  getLatestLogs, getCDPSession, createDebugger, createEditor, getStylesForLocator, formatStylesAsText, getReactSource };
each('this', this); each('globalThis', globalThis); each('global', (0, eval)('this'));
for (const [name, v] of Object.entries(named)) each(name, v);
`

// TestNoWayToTheEngine walks all that scripts can reach.
func TestNoWayToTheEngine(t *testing.T) {
	page := realPage(t)
	s := spied(t)
	var got struct {
		Found []string
		Seen  int
	}
	out := s.run(t, page, tourCode+walkCode+"await tour(each); ({found, seen: seen.size})")
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Found {
		t.Error(f)
	}
	t.Logf("%d objects", got.Seen)
	if got.Seen < 2000 {
		t.Errorf("only %d objects were seen", got.Seen)
	}
	// A script that is a function is given what others name.
	out = s.run(t, page, walkCode+"async ({page, ...rest}) => { each('given', rest); each('arguments', page); return found }")
	if out != "[]" {
		t.Errorf("what a function is given: %s", out)
	}
}

// lockedCode tries to put something else in the place of every member of the
// language and of Playwright's classes, in each way there is.
const lockedCode = `
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, is, entries } = Object, { ownKeys, set } = Reflect;
const evil = () => 'evil', known = new Set([judge, evil]), queue = [globalThis, ...handles.map((h) => getPrototypeOf(h))], replaced = [];
for (const o of queue) {
  if (known.has(o) || o === null || typeof o !== 'object' && typeof o !== 'function') continue;
  known.add(o);
  queue.push(getPrototypeOf(o));
  for (const k of ownKeys(o)) {
    if (o === globalThis && k === 'judge' || typeof o === 'function' && (k === 'name' || k === 'length' || k === 'prototype' && !/^[A-Z]/.test(o.name))) continue;
    const d = getOwnPropertyDescriptor(o, k), was = 'value' in d ? d.value : d.get;
    if (d.value && typeof k === 'string') queue.push(d.value);
    for (const [how, change] of entries({
      assigned: () => { o[k] = evil; }, 'assigned strictly': () => { 'use strict'; o[k] = evil; }, set: () => set(o, k, evil), defined: () => defineProperty(o, k, { value: evil }), 'defined anew': () => defineProperty(o, k, { get: evil, configurable: true }),
      deleted: () => delete o[k], 'of __proto__': () => { ({ __proto__: o })[k] = evil; }, getter: () => o.__defineGetter__(k, evil), setter: () => o.__defineSetter__(k, evil), evaluated: () => { if (o === globalThis && typeof k === 'string' && /^\w+$/.test(k)) (0, eval)('var ' + k + ' = 1; ' + k + ' = 1; function ' + k + '() {}'); },
      lexical: () => { if (o === globalThis && typeof k === 'string' && /^\w+$/.test(k)) { (0, eval)('let ' + k + ' = 1'); } },
    })) {
      try { change(); } catch {}
      const now = getOwnPropertyDescriptor(o, k);
      if (!now || ('value' in now ? now.value : now.get) !== was && !is('value' in now ? now.value : now.get, was)) { replaced.push(how + ' ' + String(o.name || o.constructor && o.constructor.name) + '.' + String(k)); defineProperty(o, k, d); break; }
    }
  }
}
`

// TestLanguageIsLocked: what the prelude calls stays what it is.
func TestLanguageIsLocked(t *testing.T) {
	s := spied(t)
	page := realPage(t)
	out := s.run(t, page, "const handles = [page, context, browser, page.mainFrame(), page.locator('a'), page.keyboard, page.request, context.tracing, expect(page), expect(page.locator('a'))];"+lockedCode+"({replaced, known: known.size})")
	var got struct {
		Replaced []string
		Known    int
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Replaced {
		t.Error(r)
	}
	if got.Known < 300 {
		t.Errorf("only %d objects were tried", got.Known)
	}
}

// trapCode has every name that the prelude uses, and that objects do not have,
// tell what it was looked up on, and what was put there.
const trapCode = `
let telling = false; // telling looks things up itself
const told = new Map(); // how often, of each
const look = (what, v) => { // a walk would keep all that there ever was
  const why = judge(v);
  if (why) found.push(what + ': ' + why);
};
const tell = (what, ...values) => {
  if (telling) return;
  telling = true;
  try {
    const n = (told.get(what) || 0) + 1;
    if (n > 50) return;
    told.set(what, n);
    for (let i = 0; i < values.length; i++) {
      const v = values[i];
      look(what, v);
      if (v === null || typeof v !== 'object' && typeof v !== 'function' || ArrayBuffer.isView(v) || isProxy(v)) continue;
      const keys = Reflect.ownKeys(v);
      for (let k = 0; k < keys.length && k < 100; k++) { const d = Object.getOwnPropertyDescriptor(v, keys[k]); if (d && 'value' in d) look(what + '.' + String(keys[k]), d.value); }
    }
  } finally { telling = false; }
};
for (const name of trapped) {
  if (Object.getOwnPropertyDescriptor(Object.prototype, name)) continue;
  Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true,
    get() { tell('a look for ' + String(name), this); return undefined; },
    set(v) { tell('an assignment of ' + String(name), this, v); Object.defineProperty(this, name, { __proto__: null, value: v, writable: true, enumerable: true, configurable: true }); } });
}
`

// TestTrapsCatchNothing: names that scripts add to what all objects inherit
// don't bring them what the prelude keeps to itself.
func TestTrapsCatchNothing(t *testing.T) {
	page := realPage(t)
	names := map[string]bool{}
	for _, file := range files {
		code, err := scripts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`[A-Za-z_$][\w$]*`).FindAllString(string(code), -1) {
			names[name] = true
		}
	}
	for i := range 20 {
		names[strconv.Itoa(i)] = true
	}
	describing := []string{"get", "set", "value", "writable", "enumerable", "configurable"} // those of property descriptors spoil much
	for _, name := range describing {
		delete(names, name)
	}
	all, _ := json.Marshal(slices.Sorted(maps.Keys(names)))
	some, _ := json.Marshal(describing)
	symbols := "Reflect.ownKeys(Symbol).map((k) => Symbol[k]).filter((v) => typeof v === 'symbol')"
	for what, trapped := range map[string]string{"names": string(all), "descriptors": string(some), "symbols": symbols} {
		t.Run(what, func(t *testing.T) {
			s := spied(t)
			page := another(t, page.Context().Browser(), strings.TrimSuffix(page.URL(), "/form"))
			out := s.run(t, page, tourCode+walkCode+"const trapped = "+trapped+";\n"+trapCode+"await tour(each, 2).then(() => found.push('to the end'), (e) => found.push('the tour threw ' + e.stack)); found")
			if out != `["to the end"]` {
				t.Error(out)
			}
		})
	}
}
