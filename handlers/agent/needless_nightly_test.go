//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// What says nothing has no line: what stands for content to come, attributes that are no listeners, the parts of a
// logo, pictures of buttons, menus out of reach, names that programs made, the tiles of a map.
func TestNeedlessIsLeftOut(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := start(t, "/")
	box := "width:120px;height:16px;background:#ccc;"
	outlinesOf(t, p, []pageCase{
		{name: "a list of bars that shimmer", html: `<style>@keyframes sh{to{background-position:99px}} li{` + box + `animation:sh 1s infinite}</style><h1>Boards</h1><ul class=load><li><li><li></ul><button>New</button>`,
			has: []string{`h1 "Boards"`, `button "New"`}, lacks: []string{"clickable", "shape"}},
		{name: "bars with a light that passes over them", html: `<style>@keyframes sh{to{left:99px}} .b{` + box + `}.b::after{content:"";animation:sh 1s infinite}</style><div class=b data-n=1></div><div class=b data-n=2></div>`,
			lacks: []string{"clickable", "shape"}},
		{name: "cards that pulse", html: `<style>@keyframes pu{50%{opacity:.5}} .card{cursor:pointer;animation:pu 2s infinite}</style><div class=card><div id=x1 style="` + box + `"></div></div><div class=card><div id=x2 style="` + box + `"></div></div>`,
			lacks: []string{"clickable", "shape"}},
		{name: "a part that is busy", html: `<div aria-busy=true><span data-x=1 style="display:inline-block;` + box + `"></span><span data-x=2 style="display:inline-block;` + box + `"></span></div>`, lacks: []string{"clickable", "shape"}},
		{name: "skeletons by their class", html: `<div class="v-skeleton-loader" id=s1 style="` + box + `"></div><div data-slot=skeleton id=s2 style="` + box + `"></div>`, lacks: []string{"clickable", "shape"}},
		{name: "swatches and a target that moves", html: `<style>@keyframes mv{to{margin-left:9px}} #hit{animation:mv 1s infinite}</style><i id=red style="display:inline-block;width:20px;height:20px;background:red"></i><div id=hit onclick=1 style="` + box + `"></div>`,
			has: []string{"#red", "#hit"}},

		{name: "stimulus", html: `<div data-action="w-sync:check@document->w-field#read">Section</div><div data-action="keydown.esc@window->menu#close">Panel</div><div data-action="gallery#next">Forward</div><div data-action="click->gallery#prev">Back</div>`,
			has: []string{`"Section"`, `"Panel"`, "]: Forward", "]: Back"}, lacks: []string{"]: Section", "]: Panel"}},
		{name: "jsaction", html: `<div jsaction="rcuQ6b:npT2md">Area</div><div jsaction="click:go;keydown:x">Press</div>`, has: []string{`"Area"`, "]: Press"}},
		{name: "htmx", html: `<div hx-get=/n hx-trigger="load, every 2s">News</div><div hx-get=/m>More</div><form hx-post=/f>Words <button>Send</button></form><div hx-get=/r hx-trigger=revealed>Later</div>`,
			has: []string{`"News"`, "]: More", `button "Send"`, "Later"}, lacks: []string{"]: News", "]: Later", "clickable [ref=e1]:\n"}},
		{name: "hints that hover", html: `<span data-toggle=tooltip>Hover</span> <span data-bs-toggle=dropdown>Drop</span> <span data-action=delete>Delete</span>`, has: []string{"Hover", "]: Drop", "]: Delete"}, lacks: []string{"]: Hover"}},
		{name: "what takes no clicks", html: `<div class=btn style="pointer-events:none">Next</div><p>and</p><a style="pointer-events:none">Previous</a><p>and</p><a href=x style="pointer-events:none">Link</a>`,
			has: []string{`"Next"`, `"Previous"`, `link "Link"`}, lacks: []string{"clickable"}},

		{name: "named drawings", html: `<svg width=300 height=80 role=img aria-label="Acme Works"><path d="M0 0h20v20z"/><circle cx=80 cy=40 r=20 /></svg><svg width=300 height=80><title>Northwind</title><rect width=40 height=40 fill=blue /></svg>` +
			`<h1 title="Brand"><svg width=300 height=80><path d="M0 0h20v20z"/></svg></h1><div role=img aria-label="Sun"><svg width=100 height=100><circle cx=40 cy=40 r=20 /></svg></div>`,
			has: []string{"Acme Works", "Northwind", "Brand", "Sun"}, lacks: []string{"shape"}},
		{name: "a drawing without a name, and a part that is used", html: `<svg width=100 height=100><circle cx=40 cy=40 r=20 fill=#00ff00 /></svg><svg width=100 height=100 aria-label=Map><rect width=30 height=30 onclick=1 fill=#0000ff /></svg>`,
			has: []string{"shape", "circle #00ff00", "rect", "#0000ff"}},
		{name: "pictures in controls", html: `<button aria-label="Open menu"><img ` + pixel + ` width=16 height=16 alt=hamburger></button><a href=x aria-label="Ann"><svg role=img aria-label=avatar width=24 height=24></svg></a>` +
			`<div role=menuitem tabindex=0 aria-label="Copy"><svg role=img aria-label=chain width=9 height=9></svg></div><button aria-label="Choose photo 3"><img ` + pixel + ` width=200 height=100 alt="A red boat"></button>`,
			has: []string{`button "Open menu"`, `link "Ann"`, `menuitem "Copy"`, `img "A red boat"`}, lacks: []string{"hamburger", "avatar", "chain"}},

		{name: "menus that are parked", html: `<nav style="position:fixed;left:-541px;top:0;width:541px"><a href=/a>Home</a></nav><aside style="position:fixed;left:0;top:0;width:300px;transform:translateX(-100%)"><ul><li><a href=/c>Drawer</a></ul></aside>` +
			`<div style="position:fixed;right:-400px;width:300px;top:0"><button>Cart</button></div><div style="position:absolute;top:-300px;height:99px"><a href=x>Notice</a></div><button>Menu</button>`,
			has: []string{`button "Menu"`}, lacks: []string{"Home", "Drawer", "Cart", "Notice"}},
		{name: "what is used out of sight", html: `<div style="position:absolute;left:-9999px"><label>Photo <input type=file></label><button>x</button></div><div role=status style="position:absolute;left:-9999px">3 results</div>` +
			`<textarea style="position:absolute;left:-9999px" aria-label=Keys></textarea><div style="height:50px;overflow:auto;position:relative" id=s><div style="position:absolute;top:0;height:20px"><button>First row</button></div><div style="height:3000px"></div></div>`,
			code: "s.scrollTop = 2000", has: []string{"Photo", "3 results", "Keys", "First row"}},

		{name: "names that programs made", html: `<button class=css-1p1oehi></button><button id="react-aria4728374-:r2:"></button><button id="react-aria-99-_r_2u_" class="flex items-center px-2 hover:bg-red-500 rounded-md"></button>` +
			`<button class="sc-bZkfAO kYhGtA"></button><button id=field_7f3a9c2e41 class=jss123></button>`, lacks: []string{"("}},
		{name: "names that people gave", html: `<button id=save class="btn btn-primary"></button><button id=":r1:" class="delete-row css-ab12cd"></button><button class=Toolbar_bold__x3Fy2></button><button class=_close_1q2w3_45></button>` +
			`<button class="h-9 w-9"><svg class="lucide lucide-trash-2 h-4 w-4" width=9 height=9></svg></button><button class=left-arrow></button><button id=r10c12></button><button class=card__title></button>`,
			has: []string{"#save .btn.btn-primary", "(.delete-row)", "(.Toolbar_bold)", "(.close)", "(icon lucide lucide-trash-2)", "(.left-arrow)", "(#r10c12)", "(.card__title)"}},
		{name: "a map", html: `<div id=map style="position:relative;width:600px;height:300px;overflow:hidden;cursor:grab">` + repeated(`<img alt="" class=tile `+pixel+` style="position:absolute;left:%d00px;width:256px;height:256px">`, 6) + `</div>` +
			`<div id=plan style="position:relative;width:600px;height:300px;cursor:grab">` + repeated(`<div class=part style="position:absolute;left:%d00px;width:128px;height:128px;background:#ddd"></div>`, 6) + `</div><button>Zoom in</button>`,
			has: []string{"#map", "#plan", `button "Zoom in"`}, lacks: []string{"(.tile", "(.part", ".tile)"}},
	})
}

// An error about several elements says what tells them apart, in a few words.
func TestStrictErrorsAreShort(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	p := start(t, "/")
	const button = `<button class="MuiButtonBase-root MuiButton-root MuiButton-text css-1abcde" tabindex=0 type=button data-x="words that are here for their length">`
	for name, c := range map[string]struct {
		html, call string
		has        []string
	}{
		"names":             {repeated(`<button aria-label="Edit row %d" data-x="words that are here for their length">Edit</button>`, 12), "locator('button').click()", []string{"Edit row 0", "Edit row 4", "and 7 more"}},
		"texts":             {button + "Save</button>" + button + "Cancel</button>", "getByRole('button').click()", []string{"Save", "Cancel"}},
		"no names":          {repeated(`<div class=c><p>Words of paragraph %d that go on for quite a while, further than a line has room for</p></div>`, 7), "locator('div.c p').innerText()", []string{"Words of paragraph 0", "and 2 more"}},
		"an assertion":      {repeated(`<label>Field %d <input></label>`, 6), "expect", []string{"Field 0", "and 1 more"}},
		"the same in links": {repeated(`<li><a href=/a/very/long/address/of/number/%d>Open</a></li>`, 9), "getByText('Open').click()", []string{"getByRole('link'", "and 4 more"}},
	} {
		show(p, c.html)
		code := "await page." + c.call
		if c.call == "expect" {
			code = "await expect(page.locator('input')).toBeVisible()"
		}
		got := p.Fail("execute", pipetest.Object{"code": code})
		pipetest.Has(t, got, append(c.has, "strict mode violation", "resolved to")...)
		if n := count(t, got); n > 180 {
			t.Errorf("%s: %d tokens: %s", name, n, got)
		}
		pipetest.Lacks(t, got, "MuiButton", "data-x")
	}
}
