package scripthost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// behind are the options structs behind a script's calls: everything that opens a
// context or a page, or changes one.
var behind = []any{
	playwright.BrowserNewContextOptions{}, playwright.BrowserNewPageOptions{}, playwright.PageEmulateMediaOptions{},
	playwright.BrowserTypeLaunchOptions{}, playwright.BrowserTypeLaunchPersistentContextOptions{},
	playwright.BrowserTypeConnectOverCDPOptions{}, playwright.BrowserContextRouteFromHAROptions{},
	playwright.TracingStartOptions{}, playwright.BrowserStartTracingOptions{},
	playwright.APIRequestNewContextOptions{}, playwright.PageScreenshotOptions{}, playwright.PagePdfOptions{},
	playwright.PageCloseOptions{}, playwright.RecordVideo{}, playwright.ClientCertificate{}, playwright.Proxy{},
	playwright.PageAddScriptTagOptions{}, playwright.FrameSetInputFilesOptions{},
}

// spellings are a name itself, Go's field name, all capitals, and letters that fold to
// the same. encoding/json accepts each of them for the field.
func spellings(name, field string) []string {
	folded := strings.NewReplacer("s", "\u017f", "k", "\u212a").Replace(name)
	list := []string{name, field, strings.ToUpper(name), folded}
	slices.Sort(list)
	return slices.Compact(list)
}

// names are the JSON names of one of our structs.
func names(t reflect.Type) (list []string) {
	for i := range t.NumField() {
		list = append(list, t.Field(i).Tag.Get("json"))
	}
	return list
}

// answerTo is a call's error, "" for none. Calls without a reply return the error with
// which reading ends.
func answerTo(t *testing.T, dir, call, args string) string {
	t.Helper()
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		head := fmt.Sprintf(`{"call":%q,"id":1,"args":%s}`, call, args)
		err := lonelyIn(t, dir).readCalls(bytes.NewReader(framed(head, "")), &writer{w: out}, false)
		if !errors.Is(err, io.EOF) {
			_ = out.CloseWithError(err)
		}
		ended <- err
	}()
	if inOrder[call] {
		if err := <-ended; !errors.Is(err, io.EOF) {
			return err.Error()
		}
		return ""
	}
	f, err := readFrame(in)
	if err != nil {
		return err.Error()
	}
	if f.Error == nil {
		return ""
	}
	return *f.Error
}

func refused(t *testing.T, dir, call, args string) bool {
	t.Helper()
	return strings.Contains(answerTo(t, dir, call, args), "unknown member")
}

// No call accepts a member that its struct lacks, in any spelling, whatever Playwright
// would do with it.
func TestCallsTakeNothingElse(t *testing.T) {
	own := map[string][]string{"options of newContext": names(reflect.TypeFor[ContextOptions]()), "options of media": names(reflect.TypeFor[Media]())}
	extra := map[string]bool{"__proto__": true, "constructor": true, "": true}
	for _, o := range behind {
		of := reflect.TypeOf(o)
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			for _, s := range spellings(name, of.Field(i).Name) {
				extra[s] = true
			}
		}
	}
	if !extra["recordHarPath"] || !extra["RECORDHARPATH"] || !extra["clientCertificate\u017f"] || !extra["storageStatePath"] {
		t.Fatal("the options that broke out are not among those that are tried")
	}
	dir := t.TempDir()
	for call := range handlers() {
		for name := range extra {
			if takesIt(call, name) {
				continue
			}
			quoted, _ := json.Marshal(name)
			if !refused(t, dir, call, fmt.Sprintf(`{%s:null}`, quoted)) {
				t.Errorf("%s took %q", call, name)
			}
		}
	}
	for name := range extra {
		quoted, _ := json.Marshal(name)
		for _, call := range []string{"newContext", "media"} {
			if slices.Contains(own["options of "+call], name) {
				continue
			}
			for _, value := range []string{"null", `"/tmp/x"`, `{"dir":"/tmp/x"}`} {
				if !refused(t, dir, call, fmt.Sprintf(`{"options":{%s:%s}}`, quoted, value)) {
					t.Errorf("the options of %s took %q", call, name)
				}
			}
		}
	}
}

// takesIt reports whether a call has a member of this name.
func takesIt(call, name string) bool {
	own := map[string]any{
		"failed": failedCall{}, "say": sayCall{}, "file": fileCall{}, "context": contextCall{}, "newContext": newContextCall{},
		"closeContext": contextCall{}, "viewport": viewportCall{}, "media": mediaCall{}, "selector": selectorCall{},
		"describe": pageCall{}, "helper": helperCall{}, "plain": plainCall{}, "explain": About{}, "request": requestCall{},
		"upload": uploadCall{}, "har": harCall{}, "dial": Address{}, "data": dataCall{}, "hears": hearsCall{}, "hangUp": hangUpCall{},
		"film": filmCall{}, "picture": pictureCall{}, "endFilm": pictureCall{},
	}
	return own[call] != nil && slices.Contains(names(reflect.TypeOf(own[call])), name)
}

// FuzzCalls sends arbitrary arguments. Accepted ones have no member that the struct
// lacks, in any spelling.
func FuzzCalls(f *testing.F) {
	calls := slices.Sorted(maps.Keys(handlers()))
	for i := range calls {
		f.Add(uint8(i), `{"options":{"viewport":{"width":1,"height":1}},"page":"x","path":"a"}`)
		f.Add(uint8(i), `{"options":{"Viewport":{"width":1}},"recordHarPath":"a"}`)
		f.Add(uint8(i), `{"op":"read","path":"a","\u0070ath":"b"}`)
	}
	f.Fuzz(func(t *testing.T, which uint8, args string) {
		var whole map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &whole) != nil || whole == nil || len(args) > longestHead/2 {
			return
		}
		call := calls[int(which)%len(calls)]
		said := answerTo(t, t.TempDir(), call, args)
		for _, refusal := range []string{"unknown member", "jsontext:", "is not expected here"} {
			if strings.Contains(said, refusal) {
				return
			}
		}
		for name := range whole {
			if !takesIt(call, name) {
				t.Errorf("%s took %q", call, name)
			}
		}
	})
}
