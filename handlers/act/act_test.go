package act_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestActOnElements(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("hover", list("#hover-menu"), "null"),
		does("click", list("#menu-clean"), "null"),
		does("txt", list("#menu-result"), `"Clean the glass"`),
		does("rclick", list("#right"), "null"),
		does("txt", list("#right-result"), `"done"`),
		does("rclick", pipetest.Object{"sel": "#count", "button": "left", "count": 3}, "null"),
		does("txt", list("#counter"), `"3"`),
		does("rclick", pipetest.Object{"sel": "#count", "keys": list("Hyper")}, "!keys: expected Alt"),
		does("tap", list("#count"), "null"),
		does("txt", list("#counter"), `"4"`),
		does("check", list("#terms"), "null"),
		does("uncheck", list("#terms"), "null"),
		does("checked", list("#terms"), "false"),
		does("uncheck", list("h1"), "!"),
		does("drag", list("[data-id=a]", "[data-id=c]"), "null"),
		does("txt", list("#order"), `"b,c,a"`),
		does("scroll", pipetest.Object{"sel": ".scrollbox", "to": "bottom"}, "null"),
		does("eval", list("document.querySelector('.scrollbox').scrollTop > 0"), "true"),
		does("scroll", pipetest.Object{"to": "bottom"}, "null"),
		does("eval", list("scrollY > 500"), "true"),
		does("scroll", pipetest.Object{"dy": -10000}, "null"),
		does("eval", list("scrollY"), "0"),
		does("scroll", list("#below"), "null"),
		does("eval", list("scrollY > 500"), "true"),
		does("scroll", nil, "!give sel, dx, dy or to"),
		does("focus", list("#email"), "null"),
		does("eval", list("document.activeElement.id"), `"email"`),
		does("blur", list("#email"), "null"),
		does("eval", list("document.activeElement.tagName"), `"BODY"`),
	)
}

func TestKeyboardAndMouse(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcripts acts and mouse are quick")
	t.Parallel()
	p := pipetest.Shared(t)
	long := strings.Repeat("Zwölf Boxkämpfer 灯台 ", 10)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("type", list("#name", "Ada"), "null"),
		does("type", pipetest.Object{"sel": "#name", "text": " Albers", "delay": 5}, "null"),
		does("value", list("#name"), `"Ada Albers"`),
		does("type", pipetest.Object{"sel": "#none", "text": "x", "timeout": 1}, `!nothing matches "#none" after 1 s`),
		does("type", list("#message", long), "null"),
		does("value", list("#message"), "~Written before you came."+long[:len(long)-1]),
		does("press", list("Control+a", "#name"), "null"),
		does("press", list("Delete"), "null"),
		does("value", list("#name"), `""`),
		does("press", list("Foo"), `!there is no key "Foo"`),
		does("focus", list("#keys"), "null"),
		does("key-down", list("Shift"), "null"),
		does("press", list("KeyA"), "null"),
		does("key-up", list("Shift"), "null"),
		does("txt", list("#keys-result"), `"Shift\nShift+A\n"`),
		does("scroll", list("#count"), "null"),
	)
	at := pipetest.Decode[struct{ X, Y, Width, Height float64 }](t, p.Call("box", list("#count")))
	x, y := at.X+at.Width/2, at.Y+at.Height/2
	pipetest.Steps(p,
		does("mouse-click", list(x, y), "null"),
		does("mouse-move", pipetest.Object{"x": x, "y": y, "steps": 3}, "null"),
		does("mouse-down", nil, "null"),
		does("mouse-up", nil, "null"),
		does("txt", list("#counter"), `"2"`),
		does("scroll", pipetest.Object{"to": "top"}, "null"),
		does("wheel", list(0, 300), "null"),
		does("eval", list("new Promise(done => { const look = () => scrollY > 0 ? done('moved') : setTimeout(look, 20); look() })"), `"moved"`),
	)
}

func TestFilesUpAndDown(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	dir := t.TempDir()
	here := filepath.Join(dir, "kept.txt")
	pipetest.Steps(p,
		does("nav", list("/files"), "null"),
		does("download", list("#download-text", here), `"`+here+`"`),
		does("download", pipetest.Object{"url": "/files/notes.txt", "path": dir + "/"}, `"`+filepath.Join(dir, "notes.txt")+`"`),
		does("download", pipetest.Object{"sel": "#download-named", "path": dir}, "~Jahresbericht für 灯台.txt"),
		does("download", nil, "!give one of sel and url"),
		does("upload", list("#file", here), "null"),
		does("click", list("#send-one"), "null"),
		does("txt", list("#received .name"), `"kept.txt"`),
		does("upload", list("#files", list(here, filepath.Join(dir, "notes.txt"))), "null"),
		does("click", list("#send-many"), "null"),
		does("count", list("#received tbody tr"), "2"),
		does("upload", list("#file", filepath.Join(dir, "none")), "!no such file"),
		does("upload", list("#file", 7), "!files: expected a path or an array"),
		does("eval", list("(() => { const b = document.createElement('button'); b.id = 'pick'; b.textContent = 'Pick'; b.onclick = () => file.click(); document.body.prepend(b) })()"), "null"),
		does("upload", list("#pick", here), "null"),
		does("eval", list("file.files[0].name"), `"kept.txt"`),
	)
	data, err := os.ReadFile(here)
	if err != nil || !strings.HasPrefix(string(data), "Check the lamp.") {
		t.Errorf("downloaded %q, %v", data, err)
	}
	if path := p.Text("download", list("#download-slow")); filepath.Base(path) != "slow.bin" {
		t.Errorf("without a path: %s", path)
	} else if info, err := os.Stat(path); err != nil || info.Size() != 256<<10 {
		t.Errorf("%v %v", info, err)
	} else {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	if got := p.Fail("download", list("#send-one"), "timeout", 1); !strings.Contains(got, "no download started") {
		t.Error(got)
	}
}

func TestHistoryAndPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcripts nav and pages are quick")
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("nav", list("/shop"), "null"),
		does("back", nil, `~/form"`),
		does("forward", nil, `~/shop"`),
		does("eval", list("window.mark = 1"), "1"),
		does("reload", nil, "null"),
		does("eval", list("typeof mark"), `"undefined"`),
		does("eval", list("void window.open('/form')"), ""),
	)
	if got := p.Call("wait", list("#name"), "page", "p2"); got != "null" {
		t.Error(got)
	}
	type page struct {
		Page, Context, Title, URL, Opener string
		Active                            bool
	}
	pages := pipetest.Decode[[]page](t, p.Call("pages", nil))
	if len(pages) != 2 || !pages[0].Active || pages[1].Opener != "p1" || pages[1].Title != "Form | Skerry" || !strings.HasSuffix(pages[1].URL, "/form") {
		t.Errorf("%+v", pages)
	}
	if got := p.Call("front", nil, "page", "p2"); got != "null" {
		t.Error(got)
	}
}
