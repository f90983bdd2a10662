package chromesandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// devtools is a browser's DevTools pipe: JSON, ended by a zero byte.
type devtools struct {
	w    io.Writer
	r    *bufio.Reader
	last int
}

// call sends a command and decodes its result; session is "" for the browser.
func (d *devtools) call(session, method string, params, result any) error {
	d.last++
	text, err := json.Marshal(struct {
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}{d.last, method, params, session})
	if err != nil {
		return err
	}
	if _, err := d.w.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		line, err := d.r.ReadBytes(0)
		if err != nil {
			return err
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(line[:len(line)-1], &m); err != nil {
			return err
		}
		switch {
		case m.ID != d.last: // an event
		case m.Error != nil:
			return errors.New(m.Error.Message)
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
}

// pageProcesses runs a script in a page, and answers the process ids of the browser's
// pages.
func (d *devtools) pageProcesses() ([]int, error) {
	var opened struct{ TargetID string }
	if err := d.call("", "Target.createTarget", map[string]any{"url": "data:text/html,<p>up"}, &opened); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := d.call("", "Target.attachToTarget", map[string]any{"targetId": opened.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	var answer struct{ Result struct{ Value int } }
	if err := d.call(attached.SessionID, "Runtime.evaluate", map[string]any{"expression": "6*7"}, &answer); err != nil {
		return nil, err
	}
	if answer.Result.Value != 42 {
		return nil, fmt.Errorf("its page does not run scripts: 6*7 was %d", answer.Result.Value)
	}
	var list struct {
		ProcessInfo []struct {
			Type string
			ID   int
		}
	}
	if err := d.call("", "SystemInfo.getProcessInfo", nil, &list); err != nil {
		return nil, err
	}
	var pids []int
	for _, p := range list.ProcessInfo {
		if p.Type == "renderer" {
			pids = append(pids, p.ID)
		}
	}
	return pids, nil
}
