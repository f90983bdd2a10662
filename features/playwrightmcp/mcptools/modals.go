package mcptools

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"pwpipe/features/scripts"
	"pwpipe/handlers/act"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type dialogParams struct {
	Accept bool    `json:"accept" doc:"or dismiss"`
	Text   *string `json:"promptText,omitempty" doc:"prompt text"`
}

func answerDialog(c *call, in dialogParams) error {
	m := kept.Of(c.session)
	o := m.open()
	m.remove(o)
	return c.onward(func() error {
		switch {
		case !in.Accept:
			return o.dialog.Dismiss()
		case in.Text != nil:
			return o.dialog.Accept(*in.Text)
		}
		return o.dialog.Accept()
	})
}

type uploadParams struct {
	Paths []string `json:"paths,omitempty" doc:"default: cancel" secrets:"no" file:"yes"`
}

func uploadFiles(c *call, in uploadParams) error {
	c.snapshotAfter()
	m := kept.Of(c.session)
	o := m.open()
	paths := c.allAbsolute(in.Paths)
	for _, path := range paths {
		if err := c.mayTouch(path); err != nil {
			return err
		}
		if err := files.MayUpload(path); err != nil {
			return err
		}
	}
	shown, _ := json.Marshal(in.Paths)
	c.ran(fmt.Sprintf("await fileChooser.setFiles(%s)", shown))
	m.remove(o)
	if in.Paths == nil {
		return nil
	}
	return c.onward(func() error { return o.chooser.SetFiles(paths) })
}

// allAbsolute is absolute for several paths.
func (c *call) allAbsolute(paths []string) (all []string) {
	for _, path := range paths {
		all = append(all, c.absolute(path))
	}
	return all
}

type dropParams struct {
	onElement
	Paths []string          `json:"paths,omitempty" doc:"paths" secrets:"no" file:"yes"`
	Data  map[string]string `json:"data,omitempty" doc:"texts by MIME type"`
}

func dropFiles(c *call, in dropParams) error {
	if len(in.Paths) == 0 && in.Data == nil {
		return provider.Errorf(provider.KindArgs, `At least one of "paths" or "data" must be provided.`)
	}
	if in.Paths != nil && in.Data != nil {
		return provider.Errorf(provider.KindArgs, "give paths or data, not both: here a drop has files or texts")
	}
	c.snapshotAfter()
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	if in.Data != nil {
		return c.dropTexts(sel, code, in.Data)
	}
	paths := c.allAbsolute(in.Paths)
	for _, path := range paths {
		if err := c.mayTouch(path); err != nil {
			return err
		}
	}
	c.ran(fmt.Sprintf("await page.%s.drop(%s);", code, object(options{{"files", oneOrAll(in.Paths)}})))
	files, err := json.Marshal(paths)
	if err != nil {
		return err
	}
	return c.settled(func() error { return do(c, act.Drop, act.DropParams{Sel: tool.Selector(sel), Files: files}) })
}

// dropTexts drops texts, given by their MIME types. The page gets the events of a drag from
// another program.
func (c *call) dropTexts(sel string, code chain, data map[string]string) error {
	var members options
	for _, kind := range slices.Sorted(maps.Keys(data)) {
		members = append(members, option{quote(kind), data[kind]})
	}
	if len(members) > 0 {
		members = options{{"data", raw(object(members))}}
	}
	c.ran(fmt.Sprintf("await page.%s.drop(%s);", code, object(members)))
	texts, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return c.settled(func() error {
		_, err := c.value(`(e) => {
			const transfer = new DataTransfer();
			for (const [kind, text] of Object.entries(`+string(texts)+`)) transfer.setData(kind, text);
			const box = e.getBoundingClientRect();
			const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
			const send = (type) => e.dispatchEvent(new DragEvent(type,
				{ bubbles: true, cancelable: true, composed: true, dataTransfer: transfer, ...at }));
			send('dragenter');
			if (send('dragover')) throw new Error('the element takes no drops: it did not cancel dragover');
			send('drop');
		}`, sel)
		return err
	})
}

func codeTools() []*provider.Tool {
	run := define("", "browser_run_code_unsafe", "Run Playwright code", "Run async (page) => {…}, in a sandbox",
		provider.Acts, runCode)
	run.Scripts = true
	old := run.Spec // prompts still have the name of older versions
	old.Name, old.Doc = "browser_run_code", "Run async (page) => {…}, by the name of older versions"
	return []*provider.Tool{run, provider.AliasOf(old, provider.Alias{Of: run.Name, Deprecated: true})}
}

type codeParams struct {
	Code     string `json:"code,omitempty" doc:"code"`
	Filename string `json:"filename,omitempty" doc:"file with code" secrets:"no" file:"yes"`
}

// maxCode is the longest file with code, in bytes.
const maxCode = 1 << 20

// codeOf reads a file with code.
func (c *call) codeOf(name string) (string, error) {
	path := c.absolute(name)
	if err := c.mayTouch(path); err != nil {
		return "", err
	}
	f, _, err := files.OpenOwn(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxCode))
	return string(text), err
}

func runCode(c *call, in codeParams) (err error) {
	if in.Filename != "" {
		if in.Code, err = c.codeOf(in.Filename); err != nil {
			return err
		}
	}
	c.ran(fmt.Sprintf("await (%s)(page);", in.Code))
	return c.settled(func() error {
		out, err := scripts.Execute.Call(c.ctx, provider.Request{}, scripts.ExecuteParams{Outline: "none",
			Code: "const value = await (" + in.Code + "\n)(page); return JSON.stringify(value);"})
		if err != nil {
			return err
		}
		var text *string
		if json.Unmarshal(out.Result, &text) == nil && text != nil {
			c.result(*text)
		}
		return nil
	})
}
