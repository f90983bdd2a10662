//go:build evidence

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"pwpipe/features"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// pictured is what a picture is taken of, and Chromium's own command for the same pixels.
type pictured struct {
	of     string
	caret  bool
	screen float64 // pixels for one of CSS
	tool   string
	params map[string]any
	clip   map[string]any // nil for what is in view
}

var pictures = []pictured{
	{"in view", false, 1, "shot", map[string]any{}, nil},
	{"in view, a caret", true, 1, "shot", map[string]any{}, nil},
	{"in view, two pixels for one", false, 2, "shot", map[string]any{}, clip(1280, 720)},
	{"the whole page", false, 1, "shot", map[string]any{"full": true}, clip(1280, 3757)},
	{"an element", false, 1, "eshot", map[string]any{"sel": "#h"}, clip(1264, 37)},
}

func clip(width, height int) map[string]any {
	return map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
}

// pictureWays are compared: the driver's command to Chromium alone, the same with the fast
// encoding, the tool, and the tool by the driver.
var pictureWays = []string{"Chromium, ms", "fast encoding, ms", "pwpipe, ms", "by the driver, ms"}

// BenchmarkPictures compares shot and eshot with Chromium's own command, on the same page of the
// same browser, in random order. A call that reads the page comes before each.
func BenchmarkPictures(b *testing.B) {
	url, path := site(b), filepath.Join(b.TempDir(), "shot.png")
	engine := features.NewBrowser(browser.Config{})
	defer engine.Close(context.Background())
	s := engine.NewSession(browser.SessionOptions{})
	ctx := browser.WithSession(context.Background(), s)
	list := provider.NewTable(features.Tools(), provider.TableOptions{})
	tool := func(ctx context.Context, name string, params map[string]any) []byte {
		asked, err := json.Marshal(params)
		if err != nil {
			b.Fatal(err)
		}
		r, err := list.Call(ctx, provider.Request{Tool: name, Params: asked})
		if err != nil {
			b.Fatal(err)
		}
		return r.JSON
	}
	taken := map[string]measures{}
	for _, way := range pictureWays {
		taken[way] = measures{}
	}
	var kinds []string
	for b.Loop() {
		for _, p := range pictures {
			kinds = append(kinds, p.of)
			var page string
			_ = json.Unmarshal(tool(ctx, "open-ctx", map[string]any{"scale": p.screen, "width": 1280, "height": 720}), &page)
			_ = json.Unmarshal(tool(ctx, "new-page", map[string]any{"ctx": page, "use": true}), &page)
			tool(ctx, "nav", map[string]any{"url": url})
			tool(ctx, "txt", map[string]any{"sel": "#h"})
			if p.caret {
				tool(ctx, "click", map[string]any{"sel": "input"})
			}
			on, err := s.Page(ctx, "")
			if err != nil {
				b.Fatal(err)
			}
			p.params["path"] = path
			byDriver := len(pictureWays) - 1  // comes last: after it the document has not stood still
			for i := range 2 * (*calls + 3) { // the first three warm up
				ways := rand.Perm(byDriver) // a picture waits for the next frame: the way before counts
				if i >= *calls+3 {
					ways = []int{byDriver}
				}
				for _, k := range ways {
					way := pictureWays[k]
					tool(ctx, "eval", map[string]any{"code": "document.title"})
					begin := time.Now()
					switch way {
					case "pwpipe, ms":
						tool(ctx, p.tool, p.params)
					case "by the driver, ms":
						tool(fastpath.Without(ctx), p.tool, p.params)
					default:
						capture(b, on.DriversSession(), p.clip, way != pictureWays[0])
					}
					if i%(*calls+3) >= 3 {
						taken[way].add(p.of, time.Since(begin))
					}
				}
			}
		}
	}
	fmt.Printf("medians of %d\n%s", *calls, table(kinds, pictureWays, taken))
}

// capture asks Chromium for a picture.
func capture(t testing.TB, s *cdp.Session, clip map[string]any, fast bool) {
	t.Helper()
	params := map[string]any{"format": "png", "optimizeForSpeed": fast, "captureBeyondViewport": clip != nil && clip["height"].(int) > 720}
	if clip != nil {
		params["clip"] = clip
	}
	var picture struct{ Data []byte }
	if err := s.Call(t.Context(), "Page.captureScreenshot", params, &picture); err != nil {
		t.Fatal(err)
	}
}
