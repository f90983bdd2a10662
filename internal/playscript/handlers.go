package playscript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

func ready(r *Runtime, _ context.Context, _ frame) (reply, error) {
	select {
	case <-r.ready:
		return reply{}, errors.New("ready twice")
	default:
		close(r.ready)
	}
	return reply{}, nil
}

func failed(_ *Runtime, _ context.Context, f frame) (reply, error) {
	why, err := decode[struct{ Why string }](f)
	if err != nil {
		return reply{}, err
	}
	return reply{}, fmt.Errorf("%w: %.500s", errFailed, why.Why)
}

// say takes a line of the console.
func say(r *Runtime, _ context.Context, f frame) (reply, error) {
	line, err := decode[struct{ Level string }](f)
	if err != nil {
		return reply{}, err
	}
	r.mu.Lock()
	x := r.run
	r.mu.Unlock()
	if x == nil {
		return reply{}, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.bytes > 2*maxOutput {
		return reply{}, nil
	}
	x.bytes += len(f.raw) + len(line.Level)
	x.console = append(x.console, Line{fmt.Sprintf("%.20s", line.Level), string(f.raw)})
	return reply{}, nil
}

// join makes the process a client of the virtual browser.
func join(r *Runtime, ctx context.Context, _ frame) (reply, error) {
	c := r.line.join()
	go func() {
		_ = r.host.Serve(ctx, c)
		select {
		case <-ctx.Done():
		default:
			if r.line.is(c) {
				_ = r.control.write(map[string]any{"call": "left"}, nil)
			}
		}
	}()
	return reply{}, nil
}

func leave(r *Runtime, _ context.Context, _ frame) (reply, error) {
	r.line.leave()
	return reply{}, nil
}

func file(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[fileCall](f)
	if err != nil {
		return reply{}, err
	}
	c.raw = f.raw
	head, raw, err := r.host.file(c)
	return reply{head, raw}, err
}

type contextCall struct {
	Context string          `json:"context"`
	Options json.RawMessage `json:"options"`
}

func contextOf(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[contextCall](f)
	if err != nil {
		return reply{}, err
	}
	options, err := r.host.Context(c.Context)
	return reply{map[string]any{"options": options}, nil}, err
}

func newContext(r *Runtime, ctx context.Context, f frame) (reply, error) {
	c, err := decode[contextCall](f)
	if err != nil {
		return reply{}, err
	}
	id, options, err := r.host.NewContext(ctx, c.Options)
	return reply{map[string]any{"context": id, "options": options}, nil}, err
}

func closeContext(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[contextCall](f)
	if err != nil {
		return reply{}, err
	}
	return reply{}, r.host.CloseContext(c.Context)
}

func closeBrowser(r *Runtime, _ context.Context, _ frame) (reply, error) {
	return reply{}, r.host.CloseBrowser()
}

type pageCall struct {
	Page     string          `json:"page"`
	Name     string          `json:"name"`
	Run      int64           `json:"run"`
	Selector string          `json:"selector"`
	Size     viewport        `json:"size"`
	Options  json.RawMessage `json:"options"`
}

func setViewport(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	return reply{}, r.host.Viewport(c.Page, c.Size.Width, c.Size.Height)
}

func setMedia(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	return reply{}, r.host.Media(c.Page, c.Options)
}

func selector(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	sel, err := r.host.Selector(c.Page, c.Selector)
	return reply{map[string]any{"selector": sel}, nil}, err
}

func describe(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	return reply{map[string]any{"text": r.host.Describe(c.Page)}, nil}, nil
}

// helper calls a helper. It ends with the run that asked, or with the process.
func helper(r *Runtime, ctx context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	r.mu.Lock()
	x := r.run
	r.mu.Unlock()
	if x == nil || x.id != c.Run {
		return reply{}, errors.New("no script runs")
	}
	within, cancel := context.WithCancel(x.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	v, picture, err := r.host.Helper(within, c.Name, c.Page, f.raw)
	if err != nil {
		return reply{}, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return reply{}, err
	}
	return reply{map[string]any{"length": len(text)}, append(text, picture...)}, nil
}

func plain(r *Runtime, _ context.Context, f frame) (reply, error) {
	c, err := decode[pageCall](f)
	if err != nil {
		return reply{}, err
	}
	v, err := r.host.Plain(c.Name, c.Page, f.raw)
	return reply{map[string]any{"value": v}, nil}, err
}

// lowering bounds how many sources are written anew at once: the parser takes
// memory for each.
var lowering sync.Mutex

func lowerCode(_ *Runtime, _ context.Context, f frame) (reply, error) {
	lowering.Lock()
	defer lowering.Unlock()
	return lower(string(f.raw))
}
