package scripthost

import (
	"context"
	"errors"
	"strings"
)

// About is a call of Playwright's on a page that failed, of which something may
// be known.
type About struct {
	Page     string `json:"page"`     // Chromium's id
	Selector string `json:"selector"` // of the element that it waited for, "" for none
	Main     bool   `json:"main"`     // in the main frame
	URL      string `json:"url"`      // where it was to go, "" for nowhere
	Said     string `json:"said"`     // the error
	Left     int64  `json:"left"`     // milliseconds that the script has
}

func explain(r *Runtime, ctx context.Context, about About, _ []byte) (reply, error) {
	return reply{map[string]any{"why": r.host.Explain(ctx, about)}, nil}, nil
}

type requestCall struct {
	URL string `json:"url"`
}

type uploadCall struct {
	Paths []string `json:"paths"`
}

// judgeUpload judges files that a page is to be given. What the browser is asked
// for then is judged again.
func judgeUpload(r *Runtime, _ context.Context, in uploadCall, _ []byte) (reply, error) {
	for _, path := range in.Paths {
		if err := r.host.Upload(path); err != nil {
			return reply{}, err
		}
	}
	return reply{}, nil
}

type harCall struct {
	Path string `json:"path"`
}

// readHAR is the content of a HAR that may be replayed.
func readHAR(r *Runtime, _ context.Context, in harCall, _ []byte) (reply, error) {
	if !strings.HasPrefix(in.Path, "/") {
		in.Path = r.host.home() + "/" + in.Path
	}
	path, done, err := r.host.HAR(in.Path)
	if err != nil {
		return reply{}, err
	}
	defer done()
	raw, err := readBounded(path, errors.New("the HAR is too large"))
	return reply{map[string]any{"zip": strings.HasSuffix(strings.ToLower(path), ".zip")}, raw}, err
}
