package eachtool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestEmulateLive(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript looks is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/media"), "null"),
		does("viewport", list(700, 500), "null"),
		does("expect-text", list("#viewport", "700 x 500"), "null"),
		does("device", list("Pixel 7"), "null"),
		does("locale", list("fr-FR"), "null"),
		// If a newer Chromium says true here, the tool's help is wrong.
		does("eval", list(`new Promise((done) => { new Worker(URL.createObjectURL(new Blob(["postMessage([Intl.NumberFormat().resolvedOptions().locale, navigator.language === 'fr-FR'])"]))).onmessage = (e) => done(e.data) })`),
			`["fr-FR",false]`),
		does("timezone", list("Asia/Tokyo"), "null"),
		does("media", pipetest.Object{"scheme": "dark", "motion": "reduce", "media": "print"}, "null"),
		does("code-list", nil, "~media"), // another DevTools session, without a medium of its own
		does("nav", list(strings.Replace(p.Site, "127.0.0.1", "localhost", 1)+"/media"), "null"),
		does("txt", list("#viewport"), `"412 x 839"`),
		does("txt", list("#ratio"), `"2.625"`), does("txt", list("#touch"), `"yes"`),
		does("txt", list("#locale"), `"fr-FR"`), does("txt", list("#timezone"), `"Asia/Tokyo"`),
		does("txt", list("#scheme"), `"dark"`), does("txt", list("#motion"), `"reduce"`),
		does("txt", list("#medium"), `"print"`),
		does("txt", list("#agent"), "~Pixel 7"),
		does("user-agent", list("Lamp/1.0"), "null"),
		does("media", pipetest.Object{"scheme": "light"}, "null"),
		does("reload", nil, "null"),
		does("txt", list("#agent"), `"Lamp/1.0"`),
		does("txt", list("#locale"), `"fr-FR"`),
		does("txt", list("#scheme"), `"light"`),
		does("locale", list("de-DE"), "null"), // it forgets nothing either
		does("eval", list("navigator.userAgent"), `"Lamp/1.0"`),
		does("eval", list("fetch('/api/echo').then(r => r.text()).then(s => /de-DE/.test(s) + /Lamp/.test(s))"), "2"),
		does("device", list("iPhone 99"), "!there are iPhone 11"),
		does("devices", list("pixel 7"), `["Pixel 7","Pixel 7 landscape"]`),
		does("timezone", list("No/Where"), "!there is no time zone"),
		does("locale", list("not a locale"), "!is not a locale"),
		does("viewport", list(0, 10), "!width: expected"),
		does("media", pipetest.Object{"scheme": "pink"}, "!expected one of light"),
	)
}

func TestEmulateContext(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript looks is quick")
	t.Parallel()
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, given := r.BasicAuth()
		if w.Header().Set("WWW-Authenticate", "Basic"); !given {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = fmt.Fprint(w, user, " ", password)
	}))
	t.Cleanup(private.Close)
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("close-ctx", list("c1"), "null"),
		does("open-ctx", pipetest.Object{"device": "iPhone 15", "locale": "de-DE", "timezone": "Asia/Tokyo", "scheme": "dark", "headers": pipetest.Object{"X-Lamp": "lit"}}, `"c2"`),
		does("new-page", list("c2"), `"p2"`),
		does("nav", list("/media"), "null"),
		does("txt", list("#viewport"), `"393 x 659"`),
		does("txt", list("#number"), `"1.234.567,89"`),
		does("locale", list("fr-FR"), "null"),
		does("eval", list("[navigator.language, Intl.NumberFormat().resolvedOptions().locale]"), `["fr-FR","fr-FR"]`),
		does("locale", list("de-CH"), "null"),
		does("eval", list("navigator.language"), `"de-CH"`),
		does("locale", list(""), "null"), // the browser's own locale again
		does("eval", list("navigator.language !== 'fr-FR' && navigator.language === Intl.NumberFormat().resolvedOptions().locale"), "true"),
		does("txt", list("#scheme"), `"dark"`),
		does("txt", list("#touch"), `"yes"`),
		does("eval", list("fetch('/api/echo').then(r => r.text())"), "~X-Lamp"),
		does("tap", list("#locate"), "null"),
		does("open-ctx", pipetest.Object{"user": "ann", "password": "sesame"}, `"c3"`),
		does("new-page", list("c3", true), `"p3"`),
		does("nav", list(private.URL), "null"),
		does("txt", list("body"), `"ann sesame"`),
		does("close-ctx", list("c3"), "null"),
		does("open-ctx", pipetest.Object{"device": "toaster"}, "!no device"),
		does("open-ctx", pipetest.Object{"timezone": "No/Where"}, "!there is no time zone"),
		does("open-ctx", pipetest.Object{"locale": "not a locale"}, "!is not a locale"),
		does("close-ctx", list("c2"), "null"),
		does("pages", nil, "[]"),
		does("close-ctx", list("c2"), "!context c2 is gone"),
		does("close-ctx", list("c99"), "!no context c99"),
		does("nav", list("/form"), "null"),
	)
	if got := p.Fail("txt", list("h1"), "page", "p2"); !strings.Contains(got, "p2 is gone") {
		t.Error(got)
	}
}
