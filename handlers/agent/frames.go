package agent

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/snapshot"
)

// frameDepth is how many frames deep a snapshot goes, frameTime how long it waits for all of them.
const (
	frameDepth = 5
	frameTime  = 2 * time.Second
)

// addFrames hangs the snapshots of frames below their iframe elements. It asks the frames of one
// depth at once.
func addFrames(c *tool.Call, root *snapshot.Node) {
	ctx, cancel := context.WithTimeout(c.Ctx, frameTime)
	defer cancel()
	own := *c
	own.Ctx = ctx
	around := []*snapshot.Node{root}
	for range frameDepth {
		list := framesIn(c, around)
		var asking sync.WaitGroup
		for _, f := range list {
			asking.Go(func() { f.add(&own) })
		}
		asking.Wait()
		around = nil
		for _, f := range list {
			around = append(around, f.iframe)
		}
	}
}

// inFrame is a frame to ask: its element in the tree, and its name and selector.
type inFrame struct {
	iframe    *snapshot.Node
	name, sel string
}

// framesIn are the frames of some documents that can be asked, in their order. One without a document answers
// nothing.
func framesIn(c *tool.Call, around []*snapshot.Node) (list []inFrame) {
	known := refs.Named.Of(c.Page)
	for _, root := range around {
		root.Frames(func(iframe *snapshot.Node) {
			if len(iframe.Kids) > 0 || strings.Contains(iframe.Flags, snapshot.NoDocument) {
				return
			}
			if sel, err := known.Selector(iframe.Ref); err == nil {
				list = append(list, inFrame{iframe, known.FrameFor(sel), sel})
			}
		})
	}
	return list
}

// add asks the frame.
func (f inFrame) add(c *tool.Call) {
	known := refs.Named.Of(c.Page)
	text, err := c.PW.TextContent(fmt.Sprintf("%s%sref=!tree %d", f.sel, refs.EnterFrame, known.Start(f.name)),
		playwright.PageTextContentOptions{Timeout: c.Left()})
	if err != nil {
		f.iframe.Kids = []*snapshot.Node{{Name: "(this frame can't be read)"}}
		return
	}
	inner, next, err := snapshot.Parse(text, f.name)
	if err != nil {
		return
	}
	known.Used(f.name, next)
	f.iframe.Kids = inner.Kids
}
