package script

import (
	"maps"
	"slices"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"
)

// unreachable are the members of Playwright's JavaScript API that scripts can't
// use. Those that a script could come upon say why when they are used; the
// reason of the others is here.
var unreachable = map[string]string{
	"Accessibility.snapshot":              "behind Page.accessibility",
	"BrowserContext.setHTTPCredentials":   "",
	"BrowserType.connect":                 "",
	"BrowserType.connectOverCDP":          "",
	"BrowserType.launch":                  "",
	"BrowserType.launchPersistentContext": "",
	"BrowserType.launchServer":            "",
	"Coverage.startCSSCoverage":           "behind Page.coverage",
	"Coverage.startJSCoverage":            "behind Page.coverage",
	"Coverage.stopCSSCoverage":            "behind Page.coverage",
	"Coverage.stopJSCoverage":             "behind Page.coverage",
	"Download.createReadStream":           "",
	"Page.accessibility":                  "",
	"Page.coverage":                       "",
	"Page.pause":                          "",
	"Request.serviceWorker":               "",
	"Selectors.register":                  "",
}

// reason is a function of an object, a prototype, and a member's name: null if
// there is no such member, else why it is refused, "" if it is not.
const reason = `(o, name) => {
  for (; o; o = Object.getPrototypeOf(o)) {
    const d = Object.getOwnPropertyDescriptor(o, name);
    if (d) return (d.value ?? d.get)?.refused ?? '';
  }
  return null;
}`

func TestEveryMemberIsReachable(t *testing.T) {
	r, err := New(Host{Folders: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	type found struct{ name, why string }
	all := make(chan []found, 1)
	r.loop.post(func() {
		v, _ := r.vm.RunString(reason)
		fn, _ := goja.AssertFunction(v)
		var list []found
		for _, m := range members() {
			var proto goja.Value = goja.Null()
			if p := r.protos[m.class]; p != nil {
				proto = p
			}
			v, err := fn(goja.Undefined(), proto, r.vm.ToValue(m.name))
			if err != nil {
				t.Error(err)
			} else if goja.IsNull(v) || v.String() != "" {
				why := ""
				if !goja.IsNull(v) {
					why = v.String()
				}
				list = append(list, found{m.class + "." + m.name, why})
			}
		}
		all <- list
	})
	var got []string
	for _, f := range <-all {
		got = append(got, f.name)
		if f.why == "" && unreachable[f.name] == "" {
			t.Errorf("%s can't be used and gives no reason", f.name)
		}
	}
	known := slices.Sorted(maps.Keys(unreachable))
	slices.Sort(got)
	if d := cmp.Diff(known, got); d != "" {
		t.Errorf("unreachable members (-listed +found):\n%s", d)
	}
}
