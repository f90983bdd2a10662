package cdp

// costs bounds what the events of a page cost the browser: see [costOf]. It has one process for all
// pages, and what a page has made it send stands before everybody's next command. So a page that
// floods is given up as soon as that is sure, whether or not the peer could take its events.
var costs = bucket{most: 50_000, forgets: 10_000}

// dear are events that take the browser longer than a line of the console. It also takes a time for
// their texts, which may be long and are none of those that are cut at their source.
var dear = []struct {
	events [][]byte
	times  int // as long as such a line
	bytes  int // that take as long; 0 for any number
}{
	{beginnings("Runtime.bindingCalled"), 5, 1 << 10},
	{beginnings("Page.navigatedWithinDocument"), 40, 0},
	{beginnings("Page.frameAttached", "Page.frameNavigated"), 5, 512},
	{beginnings("Page.downloadWillBegin"), 100, 1 << 10},
}

// costOf is what an event of so many bytes costs the browser, in lines of the console.
func costOf(m []byte, bytes int) int {
	for _, d := range dear {
		switch {
		case !startsWithOne(m, d.events):
		case d.bytes == 0:
			return d.times
		default:
			return d.times + bytes/d.bytes
		}
	}
	return 1
}
