// Package typescript removes the types of a script, so that Node can read it.
//
// The parser is esbuild's. It may backtrack for ever on a hostile source, and its memory
// grows with what is nested, so it runs in a process of its own: our own program again,
// which a clock and limits end.
package typescript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"pwpipe/internal/machine/self"
)

// marker in the environment makes our program the parser.
const marker = "PWPIPE_TYPESCRIPT"

// Real sources take milliseconds. A busy machine may give those a second late, so the time
// of a processor is what ends the parser, and patience where none can be counted.
const (
	clock    = 3 * time.Second
	patience = 15 * time.Second
)

// maxMemory is what the parser may hold, in bytes.
const maxMemory = 512 << 20

// maxOutput is how much the parser may say, in bytes: it indents, so what is nested
// grows with its square. Real sources, of 4 MiB at most, grow by little more than
// their map.
const maxOutput = 24 << 20

// atOnce holds a token for each parser that runs: sessions wait for one another, and
// all of them together take no more memory than these.
var atOnce = make(chan struct{}, 2)

// ErrTooHard is the error of a source that took too much time or memory.
var ErrTooHard = fmt.Errorf("its types could not be removed within %s of a processor and %d MiB", clock, maxMemory>>20)

// Result is a script without its types.
type Result struct {
	Code   string          `json:"code"`
	Map    json.RawMessage `json:"map,omitempty"` // a source map of Code
	Before int             `json:"before"`        // lines that the map counts before the first of Code
	Why    string          `json:"why,omitempty"` // what esbuild can't read, "" if it could
	Line   int             `json:"line,omitempty"`
}

// Around a script, for esbuild to take return and await in it.
const (
	before = "async function script() {\n"
	after  = "\n}"
)

// RunIfAsked is the parser's process, where the environment asks for that: it does not
// return then. It is for the start of main. It writes to out.
func RunIfAsked(out io.Writer) {
	if os.Getenv(marker) == "" {
		return
	}
	time.AfterFunc(patience, func() { os.Exit(1) }) // where nobody is left to end it
	limit()
	var code bytes.Buffer
	if _, err := code.ReadFrom(os.Stdin); err != nil {
		os.Exit(1)
	}
	if err := json.NewEncoder(out).Encode(strip(code.String())); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// Strip removes the types of a script. Its error is [ErrTooHard], or ctx's.
func Strip(ctx context.Context, code string) (res Result, err error) {
	program, err := self.Program()
	if err != nil {
		return res, err
	}
	select {
	case atOnce <- struct{}{}:
		defer func() { <-atOnce }()
	case <-ctx.Done():
		return res, ctx.Err()
	}
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(within, program)
	c.Env = []string{marker + "=1", "GOMAXPROCS=1", fmt.Sprintf("GOMEMLIMIT=%d", maxMemory/2)}
	c.Stdin = strings.NewReader(code)
	out := &bounded{}
	c.Stdout = out
	err = c.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return res, ctx.Err()
	case errors.As(err, &ended), errors.Is(err, ErrTooHard), errors.Is(err, context.DeadlineExceeded):
		return res, ErrTooHard
	case err != nil:
		return res, err
	}
	return res, json.Unmarshal(out.text.Bytes(), &res)
}

// bounded takes what the parser says, up to maxOutput.
type bounded struct{ text bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxOutput {
		return 0, ErrTooHard
	}
	return b.text.Write(p)
}

// strip is what the process does.
func strip(code string) Result {
	res := api.Transform(before+code+after, api.TransformOptions{Loader: api.LoaderTS, Target: api.ES2022,
		Sourcefile: "script", Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions": {"verbatimModuleSyntax": true}}`})
	if len(res.Errors) > 0 {
		r := Result{Why: res.Errors[0].Text}
		if at := res.Errors[0].Location; at != nil {
			r.Line = at.Line - strings.Count(before, "\n")
		}
		return r
	}
	text := string(res.Code)
	helpers := max(strings.Index(text, strings.TrimSuffix(before, "{\n")), 0) // of what is newer than the target, such as using
	start, end := helpers+strings.IndexByte(text[helpers:], '\n')+1, strings.LastIndexByte(text, '}')
	if start == helpers || end < start { // an empty one
		start, end = 0, 0
	}
	return Result{Code: strings.ReplaceAll(text[:helpers], "\n", " ") + text[start:end], Map: bytes.TrimSpace(res.Map), Before: strings.Count(text[:start], "\n")}
}
