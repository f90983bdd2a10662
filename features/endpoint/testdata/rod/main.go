// A client that brings go-rod: its arguments are the endpoint and the site. It prints
// what it saw.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/go-rod/rod"
)

func main() {
	endpoint, site := os.Args[1], os.Args[2]
	browser := rod.New().ControlURL(endpoint).MustConnect().Timeout(time.Minute)
	seen := map[string]any{}
	var urls []string
	pages := browser.MustPages()
	for _, p := range pages {
		urls = append(urls, strings.TrimPrefix(p.MustInfo().URL, site))
	}
	tab := pages[0].MustNavigate(site + "/click").MustWaitLoad()
	tab.MustElement("#go").MustClick()
	seen["pages"], seen["clicked"] = urls, tab.MustElement("#count").MustText()
	seen["own"] = browser.MustPage(site + "/two").MustWaitLoad().MustElement("h1").MustText()
	if err := json.NewEncoder(os.Stdout).Encode(seen); err != nil {
		panic(err)
	}
}
