package read

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"pwpipe/internal/policy"
	"pwpipe/provider"
)

// Bounds of what is turned into Markdown: parsing, finding the main content and writing
// take many times the size of a page, and more than in proportion to it.
const (
	LongestHTML = 8 << 20 // bytes
	maxElements = 100_000
	maxIndents  = 2_000_000 // lines times the quotes and lists around each
	maxDepths   = 2_000_000 // elements and texts times the elements around each; above it nothing is main content
	maxCells    = 20_000    // of all tables, spanned and missing cells included
	maxPadding  = 32 << 20  // bytes of all tables, cells as wide as the widest
	longestBase = 2048      // bytes of the address that links are resolved against
)

func tooMuch(format string, args ...any) error {
	return provider.Errorf(provider.KindFailed, format, args...).WithHint("give sel to read a part of the page")
}

// bounded refuses a document that takes too long. Tables above their bounds become text.
func bounded(doc *html.Node) error {
	elements, indents := 0, 0
	walk(doc, 0, func(n *html.Node, depth int) int {
		if n.Type == html.ElementNode {
			elements++
			if n.Data == "blockquote" || n.Data == "li" {
				depth++
			}
		}
		indents += depth * (1 + strings.Count(n.Data, "\n"))
		return depth
	})
	if elements > maxElements {
		return tooMuch("the HTML has %d elements, and the limit for Markdown is %d", elements, maxElements)
	}
	if indents > maxIndents {
		return tooMuch("the HTML has too many lines in nested lists and quotes for Markdown")
	}
	cells, padding := 0, 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "table" {
			continue
		}
		area, longest := sizeOf(n)
		if cells+area > maxCells || padding+area*longest > maxPadding {
			// The converter takes such a table for one that only places things.
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "role" })
			n.Attr = append(n.Attr, html.Attribute{Key: "role", Val: "presentation"})
			continue
		}
		cells, padding = cells+area, padding+area*longest
	}
	return nil
}

// readable reports whether the main content can be looked for in a short time: for each
// element that takes the elements around it.
func readable(doc *html.Node) bool {
	depths := 0
	walk(doc, 0, func(_ *html.Node, depth int) int {
		depths += depth
		return depth + 1
	})
	return depths <= maxDepths
}

// walk visits a node and all in it. visit returns the depth of what is in the node.
func walk(n *html.Node, depth int, visit func(n *html.Node, depth int) int) {
	inner := visit(n, depth)
	for child := range n.ChildNodes() {
		walk(child, inner, visit)
	}
}

// sizeOf is how many cells a table has once each row is as wide as the widest, or once
// spans are filled, and the length of its longest cell.
func sizeOf(table *html.Node) (area, longest int) {
	rows, widest, width, spanned := 0, 0, 0, 0
	for n := range table.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "tr":
			rows, width = rows+1, 0
		case "td", "th":
			columns := span(n, "colspan")
			width += columns
			spanned += columns * span(n, "rowspan")
			widest, longest = max(widest, width), max(longest, lengthOf(n))
		}
	}
	return max(rows*widest, spanned), longest
}

// span is a number of columns or rows, at most one more than a table may have cells.
func span(cell *html.Node, key string) int {
	for _, a := range cell.Attr {
		if a.Key == key {
			n, _ := strconv.Atoi(a.Val)
			return min(max(n, 1), maxCells+1)
		}
	}
	return 1
}

// lengthOf is about how long a cell is in Markdown.
func lengthOf(cell *html.Node) int {
	length := 0
	for n := range cell.Descendants() {
		length += len(n.Data)
		for _, a := range n.Attr {
			length += len(a.Val)
		}
	}
	return length
}

// resolveLinks gives links and pictures the addresses that the page gives them.
func resolveLinks(doc *html.Node, at string) error {
	if len(at) > longestBase || strings.HasPrefix(at, "data:") {
		return nil
	}
	long := 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" && n.Data != "img" {
			continue
		}
		for i, a := range n.Attr {
			val := strings.TrimSpace(a.Val)
			if a.Key != "href" && a.Key != "src" || val == "" || val == "#" || strings.HasPrefix(val, "data:") {
				continue
			}
			n.Attr[i].Val = policy.Resolve(val, at)
			if long += len(n.Attr[i].Val); long > LongestHTML {
				return tooMuch("the addresses of links have more than %d MiB, the limit for Markdown", LongestHTML>>20)
			}
		}
	}
	return nil
}
