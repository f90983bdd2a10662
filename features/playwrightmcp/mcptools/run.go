package mcptools

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/pages"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Profile lists the tools of core. Each other capability has a profile of its own, such as
// playwright-pdf.
const Profile = "playwright"

// deadline limits a whole call, which may make several calls of our tools.
const deadline = 90 * time.Second

// call is one call of a tool of Playwright MCP.
type call struct {
	ctx     context.Context
	session *browser.Session
	options *Options
	cwd     string
	asked   bool // the client, for its roots
	*parts
}

// clears is the kind of dialog or chooser that a tool answers.
type clears string

const (
	noModal  clears = ""
	anyModal clears = "any" // the tool works with or without one
)

// define declares a tool. fn translates a call into calls of our tools.
func define[In any](capability, name, title, doc string, effect provider.Effect,
	fn func(*call, In) error) *provider.Tool {
	return defineFor(noModal, capability, name, title, doc, effect, fn)
}

// calling marks a tool that calls another, of a feature that may be left out.
func calling(other, t *provider.Tool) *provider.Tool {
	t.Calls = other.Name
	return t
}

// defineFor is define for a tool that works with an open dialog or file chooser.
func defineFor[In any](modal clears, capability, name, title, doc string, effect provider.Effect,
	fn func(*call, In) error) *provider.Tool {
	spec, run := declared(modal, capability, name, title, doc, effect)
	return tool.Define(spec, func(ctx context.Context, in In) (Answer, error) {
		return run(ctx, func(c *call) error { return fn(c, in) })
	})
}

// declared is the declaration of a tool, and what runs its calls.
func declared(modal clears, capability, name, title, doc string, effect provider.Effect) (
	tool.Spec, func(_ context.Context, fn func(*call) error) (Answer, error)) {
	profile := tool.Profile{Name: Profile, Timeout: deadline}
	if capability != "" {
		profile.Name += "-" + capability
	}
	spec := profile.Acts(name, title, doc)
	spec.Effect = effect
	spec.Steps, spec.Unlogged, spec.Lenient = true, true, true
	spec.Failed = func(ctx context.Context, e *provider.Error) any {
		if s := browser.SessionOf(ctx); s != nil && !optionsOf(s).has(capability) {
			return notFound(name)
		}
		text := worded(e)
		if e.Kind == provider.KindArgs {
			text = fmt.Sprintf("Invalid arguments for tool %q:\n%s%s", name, invalid(e.Error()), e.Error())
		}
		if s := browser.SessionOf(ctx); s != nil {
			text = optionsOf(s).Redact(text)
		}
		return Answer{Failed: true, Text: "### Error\n" + headless(text)}
	}
	return spec, func(ctx context.Context, fn func(*call) error) (Answer, error) {
		cwd, err := os.Getwd()
		if err != nil {
			return Answer{}, err
		}
		s := browser.SessionOf(ctx)
		c := &call{ctx: ctx, session: s, options: optionsOf(s), cwd: cwd, parts: &parts{}}
		c.roots(false)
		if !c.options.has(capability) {
			return notFound(name), nil
		}
		return c.run(name, modal, func() error { return fn(c) }), nil
	}
}

// wrongType and missing match our errors about arguments.
var (
	wrongType = regexp.MustCompile(`: ([\w.]+): expected an? (\w+), got an? (\w+)`)
	missing   = regexp.MustCompile(`: missing parameter "(\w+)" \(an? (\w+)`)
)

// invalid words an error about an argument as Playwright MCP does, "" if it has no words for it.
func invalid(text string) string {
	if m := wrongType.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("✖ Invalid input: expected %s, received %s\n  → at %s\n", m[2], m[3], m[1])
	}
	if m := missing.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("✖ Invalid input: expected %s, received undefined\n  → at %s\n", m[2], m[1])
	}
	return ""
}

// notFound answers a call of a tool whose capability is not in --caps.
func notFound(name string) Answer {
	return Answer{Failed: true, Text: fmt.Sprintf("### Error\nTool %q not found", name)}
}

// worded begins an error as Playwright MCP does.
func worded(e *provider.Error) string {
	text := e.Error()
	if e.Kind == provider.KindTimeout && !strings.Contains(text, "Timeout") {
		text = "TimeoutError: Timeout exceeded.\n" + text
	}
	if !strings.HasPrefix(text, "Error") && !strings.HasPrefix(text, "TimeoutError") {
		text = "Error: " + text
	}
	return text
}

// run runs the tool, and adds what the page shows after it.
func (c *call) run(name string, modal clears, fn func() error) Answer {
	if c.options.SaveSession {
		c.beginLog()
	}
	state := kept.Of(c.session)
	open, refusal := state.open(), ""
	switch {
	case modal == anyModal:
	case modal != noModal && (open == nil || open.kind != string(modal)):
		refusal = "Error: The tool %q can only be used when there is related modal state present."
	case modal == noModal && open != nil:
		refusal = "Error: Tool %q does not handle the modal state."
	}
	if refusal != "" {
		c.failed(fmt.Sprintf(refusal, name))
		c.modal = state.modalLines()
		return c.answered(name)
	}
	err := c.orModal(fn)
	shown := *c
	shown.parts = c.soFar()
	if err != nil {
		shown.failed(worded(provider.AsError(err)))
	}
	shown.shows()
	return shown.answered(name)
}

// answered returns the answer, after logging it if the log is on.
func (c *call) answered(name string) Answer {
	a := c.answer(c.options)
	a.Text = c.options.Redact(a.Text)
	if c.options.SaveSession {
		c.log(name, a)
	}
	return a
}

// orModal runs fn until it returns, or until a dialog or a file chooser opens.
func (c *call) orModal(fn func() error) error {
	opened := kept.Of(c.session).changes()
	done := make(chan error, 1)
	go func() { done <- fn() }()
	select {
	case err := <-done:
		return err
	case <-opened:
	}
	// The opened dialog may end fn, so fn gets a moment.
	select {
	case err := <-done:
		return err
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// ask calls one of our tools under the deadline of actions.
func ask[In, Out any](c *call, t provider.Typed[In, Out], in In) (Out, error) {
	out, err := t.Call(c.ctx, provider.Request{Timeout: c.actionTime()}, in)
	return out, c.inTime(err, c.actionTime())
}

// do is ask without the answer.
func do[In, Out any](c *call, t provider.Typed[In, Out], in In) error {
	_, err := ask(c, t, in)
	return err
}

// with is a call for [call.inTurn] to make: what do does, later.
func with[In, Out any](t provider.Typed[In, Out], in In) func(*call) error {
	return func(c *call) error { return do(c, t, in) }
}

// inTurn makes several calls. It ends at the first error.
func (c *call) inTurn(calls ...func(*call) error) error {
	for _, one := range calls {
		if err := one(c); err != nil {
			return err
		}
	}
	return nil
}

// on are the parameters of a tool that works on an element.
func on(sel string) tool.SelParam { return tool.SelParam{Sel: tool.Selector(sel)} }

// inTime begins a timeout as Playwright does, and adds our reason.
func (c *call) inTime(err error, limit time.Duration) error {
	if err == nil || provider.AsError(err).Kind != provider.KindTimeout {
		return err
	}
	own := *provider.AsError(err)
	own.Msg = fmt.Sprintf("TimeoutError: Timeout %dms exceeded.\n%s", limit.Milliseconds(), own.Msg)
	return &own
}

func (c *call) actionTime() time.Duration { return cmp.Or(c.options.Action, 5*time.Second) }

func (c *call) navigationTime() time.Duration { return cmp.Or(c.options.Navigation, time.Minute) }

// page returns the current page, and opens one if there is none.
func (c *call) page() (*browser.Page, error) {
	if _, err := c.session.Running(c.ctx); err != nil {
		return nil, launchError(err)
	}
	crashed, others := kept.Of(c.session).takeCrash(), len(c.session.OpenPages()) > 0
	p, err := c.session.Page(c.ctx, "")
	if err == nil && crashed && others { // an empty page replaces it, not one of the others
		_, ctx, _ := c.session.HandlesOf(p)
		if err = do(c, pages.NewPage, pages.NewPageParams{Ctx: ctx, Use: true}); err == nil {
			p, err = c.session.Page(c.ctx, "")
		}
	}
	if err != nil {
		return nil, err
	}
	kept.Of(c.session).uses(p, crashed)
	return p, c.begin(p)
}

// launchError begins the error of a failed start as Playwright MCP does.
func launchError(err error) error {
	own := *provider.AsError(err)
	if own.Kind != provider.KindUnavailable {
		return err
	}
	own.Msg = "Failed to launch the browser: " + own.Msg
	if strings.Contains(own.Msg, "is not found; give --browser") {
		own.Msg = strings.Replace(own.Msg, "browser: ", "browser, its executable doesn't exist: ", 1)
	}
	return &own
}

var (
	reRef    = regexp.MustCompile(`^(?:f\d+)?e\d+$`)
	reMethod = regexp.MustCompile(`^(?:page\.)?(getBy\w+|locator|frameLocator)\(`)
)

// target reads a ref of the snapshot, a selector or a locator. It returns the element's
// selector, and the code that finds it.
func (c *call) target(given string) (sel string, code chain, err error) {
	p, err := c.page()
	if err != nil {
		return "", nil, err
	}
	isRef := reRef.MatchString(given)
	switch sel = given; {
	case isRef:
		sel = refs.TheirRef + given
	case reMethod.MatchString(given):
		if sel, err = selectorOf(given, c.options.testID()); err != nil {
			return "", nil, err
		}
	}
	own, err := driverSelector(p, sel)
	if err != nil {
		return "", nil, err
	}
	made, err := onPage(c, p, func() (string, error) {
		return tool.Generated(c.ctx, p, tool.Frame(p), own, c.options.testID())
	})
	switch {
	case isRef && (err != nil || made == ""):
		return "", nil, provider.Errorf(provider.KindFailed,
			"Ref %s not found in the current page snapshot. Try capturing new snapshot.", given)
	case err == nil && made == "":
		return "", nil, provider.Errorf(provider.KindFailed, "%q does not match any elements.", given)
	case isRef:
		return sel, locator(made), nil
	}
	return sel, locator(sel), err
}

// file returns the path of a file to write, and how answers show it. Without a name the file
// gets one with the time, in the output folder.
func (c *call) file(name, prefix, ext string) (path, shown string, err error) {
	if name != "" {
		path = c.absolute(name)
	} else {
		path = filepath.Join(outputDir(c.cwd), prefix+"-"+stamp()+"."+ext)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", "", err
		}
	}
	if err = denied(files.CheckTarget(path)); err == nil && name != "" {
		err = c.inRoots(path)
	}
	if err != nil {
		return "", "", err
	}
	return path, c.shown(path), nil
}

// absolute resolves a path in the client's first root, or the working directory.
func (c *call) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.base(true), path)
}

// denied begins the refusal of a path as Playwright MCP does.
func denied(err error) error {
	if err == nil || provider.AsError(err).Kind != provider.KindBlocked {
		return err
	}
	return provider.Errorf(provider.KindBlocked,
		"File access denied: it is outside allowed roots. Allowed roots: %s\n%w",
		strings.Join(files.InForce().Roots, ", "), err)
}

// shown writes a path as links in answers have it.
func (c *call) shown(path string) string {
	path = c.relative(path)
	if filepath.Dir(path) == "." && !strings.HasPrefix(path, ".") {
		return "./" + path
	}
	return path
}

// relative writes a path from there, unless --file-paths asks for absolute ones.
func (c *call) relative(path string) string {
	if rel, err := filepath.Rel(c.base(false), path); err == nil && !c.options.AbsolutePaths {
		return rel
	}
	return path
}

// save writes a text to a file, and answers a link to it.
func (c *call) save(title, text, name, prefix, ext string) error {
	path, shown, err := c.file(name, prefix, ext)
	if err != nil {
		return err
	}
	if err := files.WritePrivate(path, []byte(c.hide(text))); err != nil {
		return err
	}
	c.result(fmt.Sprintf("- [%s](%s)", title, shown))
	return nil
}

// orSave answers a text, or writes it to a file if the call names one or all go to files.
func (c *call) orSave(title, text, name, prefix, ext string) error {
	if name == "" && c.options.Output != "file" {
		c.result(text)
		return nil
	}
	return c.save(title, text, name, prefix, ext)
}

// hide masks secrets, and the parameters of --redact-url-params.
func (c *call) hide(text string) string { return c.options.Redact(c.session.Browser.Hide(text)) }

// secret returns the value of a text that names a secret, and the code that reads it. Other
// texts stay.
func (c *call) secret(text string) (value string, code any) {
	if c.options.Secret != nil {
		if value, ok := c.options.Secret(text); ok {
			return value, environment(text)
		}
	}
	return text, text
}
