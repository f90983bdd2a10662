package launch

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/internal/browser/chromium"
	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/machine/temp"
)

// own is a Chromium that we start ourselves, on a DevTools pipe of ours, while
// the driver takes it for one of its own. nil is one that the driver starts.
type own struct {
	*chromium.Launcher
	o       StartOptions
	in      *setup.Installed
	parts   chromium.Own
	program string        // what the driver is to launch
	launch  *setup.Launch // nil until the options are known, or for ever
	rest    func()        // ends what a browser leaves that has ended, nil until there is one
	log     *slog.Logger
}

// ours prepares one, where that can be.
func (o StartOptions) ours(in *setup.Installed, at *seat) *own {
	dir := at.folder
	if o.attaches() || in.Kind != "" && in.Kind != "chromium" || in.Program() == "" {
		return nil
	}
	var env []string
	for k, v := range browserEnv(in, dir) {
		env = append(env, k+"="+v)
	}
	slices.Sort(env)
	l, err := chromium.New(chromium.Options{Program: in.Program(), Env: env, Temp: at.options.Temp, Door: filepath.Join(temp.Short(dir), "b"), Log: o.Log})
	if err != nil {
		o.Log.Debug("the driver starts the browser", "why", err)
		return nil
	}
	program, err := self.Program()
	if err != nil {
		l.Kill()
		return nil
	}
	return &own{Launcher: l, o: o, in: in, program: program, log: o.Log,
		parts: chromium.Own{Profile: cmp.Or(o.UserDataDir, filepath.Join(dir, "profile")), Proxy: o.Proxy}}
}

// early starts the browser with the arguments of the last launch like this, if
// there was one.
func (w *own) early(sandbox bool) {
	if w == nil {
		return
	}
	l := launchOptions(w.o, w.in, "", sandbox)
	l.Env = nil // it is ours
	if l.Proxy != nil {
		l.Proxy.Server = "" // another at every run
	}
	options, err := json.Marshal(map[string]any{"options": l, "kept": w.o.UserDataDir != ""})
	if err != nil {
		return
	}
	if w.launch, err = setup.LaunchOf(setup.Options{}, w.in, options); err != nil {
		return
	}
	if args := chromium.Fill(w.launch.Args(), w.parts); args != nil {
		w.Early(args)
	}
}

// standIn has the driver launch our stand-in for the browser.
func (w *own) standIn(l *playwright.BrowserTypeLaunchOptions) {
	if w == nil {
		return
	}
	l.ExecutablePath = playwright.String(w.program)
	l.Env = maps.Clone(l.Env)
	maps.Copy(l.Env, w.Launcher.Env())
}

// settle gives the run its line to the browser that the driver has launched, and
// keeps how that was done for the next time.
func (w *own) settle(r *Run) {
	if w == nil {
		return
	}
	p, asked := w.Launched()
	if p == nil {
		return
	}
	w.rest = func() { r.Driver.EndBrowser(p.PID()) }
	r.process, r.exited, r.Conn, r.DevTools = p, p.Done(), p.Conn(), p.Session()
	if w.launch != nil {
		go w.launch.Remember(chromium.Learn(asked, w.parts))
	}
}

// blame is why a launch failed: where there was no process, the driver does not
// know it.
func (w *own) blame(err error) error {
	if w != nil && w.Failed() != nil {
		return w.Failed()
	}
	return err
}

// kill ends the browser, if it is there.
func (w *own) kill() {
	if w == nil {
		return
	}
	w.Kill()
	if w.rest != nil {
		w.rest()
	}
}
