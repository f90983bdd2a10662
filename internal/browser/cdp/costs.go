package cdp

import "bytes"

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
	{beginsDownload, 100, 0},
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

// addresses bounds the addresses of a page's downloads, which are as long as their files where these are data:.
// Chromium copies such an address many times, a second for 30 MB, and meanwhile answers nobody. So one
// that goes on is forgotten slowly: the busier the browser is, the later comes the next.
var addresses = bucket{most: 24 << 20, forgets: 1 << 20}

var beginsDownload = beginnings("Page.downloadWillBegin")

// downloads notes a download of the page. Each session with the page reports it, one after the other.
func (s *source) downloads(m []byte, length int) (fits bool) {
	const upToAddress = 160 // its frame's id and its own come first
	which := m[:min(len(m), upToAddress)]
	if !startsWithOne(m, beginsDownload) || bytes.Equal(which, s.download) {
		return true
	}
	s.download = bytes.Clone(which)
	return s.addresses.take(length)
}
