//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// What only the browser knows of an element is in the outline: roles, names and states that a custom element has in its
// ElementInternals, names by elements, options of a list that the page draws.
func TestMeaningsThatNoAttributeHas(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	const box = "this.attachShadow({mode: 'open'}).innerHTML = '<div style=\"width:20px;height:20px;border:1px solid\"></div>'"
	const picker = `<style>select,::picker(select){appearance:base-select}</style>`
	outlinesOf(t, p, []pageCase{
		{name: "a box to tick", html: "<t-check></t-check>", code: define("t-check", "{role: 'checkbox', ariaChecked: 'mixed', ariaLabel: 'Gift wrap'}", box), has: []string{`checkbox "Gift wrap" [checked=mixed] [ref=`}},
		{name: "a button in a closed tree", html: "<t-menu></t-menu>", code: define("t-menu", "{role: 'button', ariaExpanded: 'false', ariaLabel: 'Options'}", "this.attachShadow({mode: 'closed'}).innerHTML = '<span>v</span>'"),
			has: []string{`button "Options" [collapsed] [ref=`}},
		{name: "tabs", html: "<t-tab>One</t-tab><t-tab>Two</t-tab>", code: define("t-tab", "{role: 'tab'}", "") + ", document.querySelector('t-tab').i.ariaSelected = 'true'", has: []string{`tab "One" [selected] [ref=`, `tab "Two" [ref=`}},
		{name: "a slider, a switch that is off and one that can't be used", html: "<t-slider></t-slider><t-switch></t-switch><t-off></t-off>", code: define("t-slider", "{role: 'slider', ariaValueNow: '7', ariaValueMax: '9', ariaLabel: 'Volume'}", box) + "," +
			define("t-switch", "{role: 'switch', ariaChecked: 'false', ariaLabel: 'Alarm'}", box) + "," + define("t-off", "{role: 'switch', ariaChecked: 'true', ariaDisabled: 'true', ariaLabel: 'Lock'}", box),
			has: []string{`slider "Volume" [ref=`, "]: 7", `switch "Alarm" [ref=`, `switch "Lock" [checked] [disabled]`}},
		{name: "parts of a page", html: "<t-side><a href=x>Help</a></t-side><t-title>Prices</t-title><t-plain>words</t-plain>", code: define("t-side", "{role: 'navigation', ariaLabel: 'Side'}", "") + "," + define("t-title", "{role: 'heading', ariaLevel: '3'}", "") + ", customElements.define('t-plain', class extends HTMLElement {})",
			has: []string{`navigation "Side"`, `link "Help"`, `h3 "Prices"`, `"words"`}},
		{name: "an attribute says otherwise", html: "<t-check role=switch aria-label=Wifi aria-checked=false></t-check>", has: []string{`switch "Wifi"`}, lacks: []string{"checkbox", "Gift"}},

		{name: "names by elements", html: `<h2 id=h>Delivery</h2><b id=b>Express</b><input id=by><div role=group id=grp><button>In</button><button>Out</button></div><div role=button tabindex=0 id=bt><i></i></div>`,
			code: "by.ariaLabelledByElements = [h, b], grp.ariaLabelledByElements = [h], bt.ariaLabelledByElements = [b]", has: []string{`textbox "Delivery Express"`, `group "Delivery"`, `button "Express"`}},

		{name: "a list that the page draws", html: picker + `<label>Pet <select><button><selectedcontent></selectedcontent></button><option><i aria-hidden=true>#</i><span>Cat</span><option><span>Dog</span> <small>barks</small><option><img alt="A horse" ` + pixel + `></select></label>`,
			has: []string{`combobox "Pet" [ref=`, ": Cat [selected] | Dog barks | A horse"}, lacks: []string{"button", "#"}},
		{name: "one that is open", html: picker + `<select aria-label=Pet id=s><option><span>Cat</span><option><span>Dog</span></select>`, code: "s.focus()", has: []string{"Cat [selected] | Dog"}},
		{name: "a common list", html: `<select aria-label=Pet><option>Cat<option label=Dog></select>`, has: []string{"Cat [selected]"}},
	})
}
