// A client that brings chromedp: its arguments are the endpoint and the site. It
// prints what it saw.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strings"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

func main() {
	endpoint, site := os.Args[1], os.Args[2]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ctx, cancel = chromedp.NewRemoteAllocator(ctx, endpoint)
	defer cancel()
	browser, cancel := chromedp.NewContext(ctx)
	defer cancel()
	list, err := chromedp.Targets(browser)
	check(err)
	seen := map[string]any{}
	var page target.ID
	var urls []string
	for _, t := range list {
		if t.Type == "page" && t.URL != "about:blank" {
			page, urls = t.TargetID, append(urls, strings.TrimPrefix(t.URL, site))
		}
	}
	seen["pages"] = urls
	tab, _ := chromedp.NewContext(browser, chromedp.WithTargetID(page))
	var clicked, begun, title string
	var picture []byte
	check(chromedp.Run(tab, chromedp.Navigate(site+"/click"), chromedp.Click("#go"), chromedp.Text("#count", &clicked), chromedp.CaptureScreenshot(&picture)))
	check(chromedp.Run(tab, chromedp.Evaluate("document.cookie", &begun)))
	own, _ := chromedp.NewContext(browser)
	check(chromedp.Run(own, chromedp.Navigate(site+"/two"), chromedp.Title(&title)))
	seen["clicked"], seen["cookie"], seen["own"], seen["picture"] = clicked, begun, title, len(picture) > 1000
	check(json.NewEncoder(os.Stdout).Encode(seen))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
