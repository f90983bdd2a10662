package act_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// hiddenInput is how style sheets hide an input and keep it for screen readers.
const hiddenInput = "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap"

// restyled are pages with checkboxes, radio buttons and switches that something else draws, each with the id x.
var restyled = map[string]struct {
	role string // with its name
	html string
}{
	"drawn by ::before of its label": {`checkbox "News"`, `<style>input{display:none} label::before{content:'';display:inline-block;width:14px;height:14px;border:1px solid}
input:checked + label::before{background:#090}</style><input type=checkbox id=x><label for=x>News</label>`},
	"in a clipped span": {`checkbox "Wide mode"`, `<label style="display:inline-flex"><span style="` + hiddenInput + `"><input type=checkbox id=x style="width:13px;height:13px"></span>
<span style="width:16px;height:16px;border:1px solid;display:inline-block"></span><div>Wide mode</div></label><p>Below</p>`},
	"covered by its own label": {`checkbox "Remember me"`, `<style>.f{position:relative} .f input{position:absolute;opacity:0;margin:0;left:0;top:0}
.f label{position:relative;padding-left:30px} .f label::before{content:'';position:absolute;left:0;top:0;width:18px;height:18px;background:#ccc}</style>
<div class=f><input type=checkbox id=x><label for=x>Remember me</label></div>`},
	"opacity 0 below what is drawn": {`checkbox "Terms"`, `<label style="position:relative"><input type=checkbox id=x style="position:absolute;opacity:0;width:16px;height:16px;left:0;top:0;margin:0">
<i style="position:absolute;left:0;top:0;width:16px;height:16px;background:#ccc"></i><b style="padding-left:24px">Terms</b></label>`},
	"moved off the screen": {`radio "Monthly"`, `<style>input{position:absolute;left:-9999px}</style>
<input type=radio name=r id=o checked><label for=o>Yearly</label><input type=radio name=r id=x><label for=x>Monthly</label>`},
	"without an appearance":  {`checkbox "Dark"`, `<label><input type=checkbox id=x style="appearance:none;width:30px;height:16px;background:#ccc;border-radius:8px"> Dark</label>`},
	"its label is elsewhere": {`checkbox "Compact"`, `<div style="display:none"><input type=checkbox id=x></div><p>Text</p><div style="margin-top:2000px"><label for=x style="padding:4px;border:1px solid">Compact</label></div>`},
	"in a shadow root": {`switch "Sync"`, `<x-switch></x-switch><script>document.querySelector('x-switch').attachShadow({mode:'open'}).innerHTML =
"<style>input{display:none} i{display:inline-block;width:32px;height:16px;background:#ccc}</style><label><input type=checkbox role=switch id=x><i></i>Sync</label>"</script>`},
	"a link in the middle of its label": {`checkbox "I accept the very long terms of this service"`, `<style>input{display:none} label::before{content:'';display:inline-block;width:14px;height:14px;border:1px solid}</style>
<input type=checkbox id=x><label for=x>I accept <a href="about:blank">the very long terms of this</a> service</label>`},
	"a label without a size": {`switch "Alerts"`, `<style>input{display:none} label{position:absolute;left:60px;top:40px} label::before{content:'';position:absolute;left:-20px;top:0;width:40px;height:20px;background:#999}</style>
<input type=checkbox role=switch aria-label=Alerts id=x><label for=x></label>`},
	"a switch without a label": {`checkbox "Airplane"`, `<div style="width:40px;height:20px;background:#ccc;cursor:pointer" onclick="x.checked = !x.checked"><input type=checkbox id=x aria-label=Airplane style="display:none"><i style="display:block;width:18px;height:18px;background:#555"></i></div>`},
	"a segment of several": {`radio "Week"`, `<style>input{position:absolute;clip-path:inset(50%);width:1px;height:1px;opacity:0;pointer-events:none} span{border:1px solid;padding:3px}</style>
<fieldset><label><input type=radio name=v checked><span>Day</span></label><label><input type=radio name=v id=x><span>Week</span></label></fieldset>`},
}

// TestRestyledControls: what is drawn in the place of a control is pressed for it, whoever names the control and how, and
// the outline has it with its state.
func TestRestyledControls(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	pages := map[string]string{"/": "<p>"}
	for name, c := range restyled {
		pages["/"+strings.ReplaceAll(name, " ", "-")] = "<body>" + c.html
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.SharedOn(t, site)
	// Each control in each way, or each in the next way.
	ways := func(i int, list ...string) []string {
		if pipetest.Thorough() {
			return list
		}
		return list[i%len(list) : i%len(list)+1]
	}
	for i, name := range pipetest.Some(slices.Sorted(maps.Keys(restyled)), 4) {
		c := restyled[name]
		path, isRadio := site+"/"+strings.ReplaceAll(name, " ", "-"), strings.HasPrefix(c.role, "radio")
		role, label, _ := strings.Cut(c.role, " ")
		byRole := "role=" + role + "[name=" + label + "]"
		state := func(want, after string) {
			t.Helper()
			if got := p.Call("checked", list("#x")); got != want {
				t.Errorf("%s: checked is %s after %s, want %s", name, got, after, want)
			}
		}
		ref := func() string {
			t.Helper()
			outline := p.Text("snapshot", nil)
			m := regexp.MustCompile(`- ` + regexp.QuoteMeta(c.role) + `.*\[ref=(e\d+)\]`).FindStringSubmatch(outline)
			if m == nil {
				t.Fatalf("%s: no %s in the outline:\n%s", name, c.role, outline)
			}
			return m[1]
		}
		for _, sel := range ways(i, "#x", byRole, "ref") {
			p.Call("nav", list(path))
			if sel == "ref" {
				sel = ref()
			}
			p.Call("check", list(sel))
			state("true", "check "+sel)
			pipetest.Has(t, p.Text("snapshot", nil), "[checked]")
			if isRadio {
				continue
			}
			p.Call("uncheck", list(sel))
			state("false", "uncheck "+sel)
			p.Call("click", list(sel))
			state("true", "click "+sel)
		}
		for _, code := range ways(i, "await page.hover('#x'); await page.check('#x')",
			"await page.getByRole('"+role+"', { name: '"+strings.Trim(label, `"`)+"' }).click()", "await $('REF').check()") {
			p.Call("nav", list(path))
			pipetest.Execute(p, strings.ReplaceAll(code, "REF", ref()))
			state("true", code)
		}
	}
}
