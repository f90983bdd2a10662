//go:build evidence && unix

package scale

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "node" {
		standIn(os.Args[1:])
		return
	}
	pipetest.Main(m)
}

// driver stands in for Playwright's driver with a browser. It speaks the part of the
// driver's protocol, and of DevTools inside it, that is needed to open sessions,
// navigate, evaluate and close.
type driver struct {
	out  *bufio.Writer
	made int
	kids map[string][]string // parent -> objects that are disposed of with it
	page map[string]string   // page -> its main frame
}

// standIn is the program that is started as Node.
func standIn(args []string) {
	for _, a := range args {
		if a == "--version" {
			fmt.Println("v22.0.0")
			return
		}
	}
	d := &driver{out: bufio.NewWriter(os.Stdout), kids: map[string][]string{}, page: map[string]string{}}
	in := bufio.NewReader(os.Stdin)
	for {
		var size [4]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return
		}
		text := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if _, err := io.ReadFull(in, text); err != nil {
			return
		}
		var m struct {
			ID           int
			GUID, Method string
			Params       map[string]any
		}
		if json.Unmarshal(text, &m) != nil {
			return
		}
		d.send(pipetest.Object{"id": m.ID, "result": d.answer(m.GUID, m.Method, m.Params)})
		_ = d.out.Flush()
	}
}

func (d *driver) send(v any) {
	text, _ := json.Marshal(v)
	var size [4]byte
	binary.LittleEndian.PutUint32(size[:], uint32(len(text)))
	_, _ = d.out.Write(size[:])
	_, _ = d.out.Write(text)
}

func (d *driver) event(guid, method string, params any) {
	d.send(pipetest.Object{"guid": guid, "method": method, "params": params})
}

// create announces an object; ref is how others name it.
func (d *driver) create(parent, kind string, initializer pipetest.Object) (ref pipetest.Object) {
	d.made++
	guid := fmt.Sprint(kind, "@", d.made)
	if kind == "Playwright" {
		guid = kind
	}
	d.kids[parent] = append(d.kids[parent], guid)
	d.event(parent, "__create__", pipetest.Object{"type": kind, "guid": guid, "initializer": initializer})
	return pipetest.Object{"guid": guid}
}

func (d *driver) dispose(guid string) {
	d.event(guid, "__dispose__", pipetest.Object{})
	delete(d.kids, guid)
	delete(d.page, guid)
}

func (d *driver) answer(guid, method string, params pipetest.Object) any {
	switch method {
	case "initialize":
		kind := func(name string) pipetest.Object {
			return d.create("", "BrowserType", pipetest.Object{"name": name, "executablePath": ""})
		}
		return pipetest.Object{"playwright": d.create("", "Playwright", pipetest.Object{"chromium": kind("chromium"), "firefox": kind("firefox"), "webkit": kind("webkit"),
			"selectors": d.create("", "Selectors", pipetest.Object{}), "utils": d.create("", "LocalUtils", pipetest.Object{"deviceDescriptors": []any{}})})}
	case "connectOverCDP":
		return pipetest.Object{"browser": d.create(guid, "Browser", pipetest.Object{"version": "153.0.0.0", "name": "chromium"})}
	case "newContext":
		return pipetest.Object{"context": d.create(guid, "BrowserContext", pipetest.Object{"isChromium": true, "tracing": d.create(guid, "Tracing", pipetest.Object{}),
			"requestContext": d.create(guid, "APIRequestContext", pipetest.Object{"tracing": d.create(guid, "Tracing", pipetest.Object{})})})}
	case "newPage":
		frame := d.create(guid, "Frame", pipetest.Object{"name": "", "url": "about:blank", "loadStates": []string{"load"}})
		page := d.create(guid, "Page", pipetest.Object{"mainFrame": frame, "isClosed": false, "viewportSize": pipetest.Object{"width": 1280, "height": 800}})
		d.page[page["guid"].(string)] = frame["guid"].(string)
		d.event(guid, "page", pipetest.Object{"page": page})
		return pipetest.Object{"page": page}
	case "newCDPSession", "newBrowserCDPSession":
		return pipetest.Object{"session": d.create(guid, "CDPSession", pipetest.Object{})}
	case "send":
		return pipetest.Object{"result": d.devtools(fmt.Sprint(params["method"]))}
	case "detach":
		d.dispose(guid)
	case "goto":
		d.event(guid, "loadstate", pipetest.Object{"remove": "load"})
		d.event(guid, "navigated", pipetest.Object{"url": params["url"], "name": "", "newDocument": pipetest.Object{}})
		for _, state := range []string{"domcontentloaded", "load", "networkidle"} {
			d.event(guid, "loadstate", pipetest.Object{"add": state})
		}
	case "evaluateExpression":
		return pipetest.Object{"value": pipetest.Object{"s": "=1"}} // as the tools' evaluator does
	case "title":
		return pipetest.Object{"value": "a page"}
	case "close":
		d.event(guid, "close", pipetest.Object{})
		d.dispose(guid)
	}
	return pipetest.Object{}
}

// devtools returns a Chromium's reply.
func (d *driver) devtools(method string) any {
	switch method {
	case "Browser.getVersion":
		return pipetest.Object{"product": "Chrome/153.0.0.0", "protocolVersion": "1.3", "userAgent": "stand-in", "revision": "", "jsVersion": ""}
	case "Target.getTargetInfo":
		d.made++
		return pipetest.Object{"targetInfo": pipetest.Object{"targetId": fmt.Sprint("T", d.made), "type": "page", "title": "", "url": "about:blank", "attached": true, "browserContextId": "C"}}
	case "Target.getTargets":
		return pipetest.Object{"targetInfos": []any{}}
	case "Runtime.evaluate":
		return pipetest.Object{"result": pipetest.Object{"type": "object", "objectId": "1"}}
	case "Runtime.callFunctionOn":
		return pipetest.Object{"result": pipetest.Object{"type": "string", "value": "=1"}}
	}
	return pipetest.Object{}
}
