package scripts

import (
	"cmp"
	"context"

	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/features/scripts/scripthost"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

func programsOf(ctx context.Context, p *browser.Page) (scripthost.Programs, error) {
	test, err := setup.Expect(ctx, setup.Options{})
	if err != nil {
		return scripthost.Programs{}, provider.Errorf(provider.KindUnavailable, "%w", err)
	}
	run, held := p.Engine.Run, cmp.Or(p.Session.Browser.Config.Scripts.Memory, memory)
	return scripthost.Programs{Together: together.Of(p.Session.Browser), Node: run.Node, Core: run.DriverDir + "/package", Test: test, Temp: run.Driver.Temp, Memory: held,
		Engine: map[string]string{"ref": refs.Engine(), "names": refs.NameEngine()}}, nil
}

// Fetch brings what a process of scripts runs, where this machine lacks it. The first
// script of a machine waits for that before its own time starts.
func Fetch(ctx context.Context, p *browser.Page) error {
	if processes.Of(p.Session).current() != nil || Can(ctx, p) != nil {
		return nil // what forbids scripts is the call's own error
	}
	ctx, cancel := context.WithTimeout(ctx, prepareTime)
	defer cancel()
	_, err := programsOf(ctx, p)
	return err
}

// memory bounds one process, and maxTogether all of them: a service has many sessions,
// and few of them keep much.
const (
	memory      = 512 << 20
	maxTogether = 4
	idle        = 128 << 20 // more than a process without data takes
)

var together = browser.State[*browser.Browser, nodesandbox.Group]{New: func(b *browser.Browser) *nodesandbox.Group {
	return &nodesandbox.Group{Memory: maxTogether * cmp.Or(b.Config.Scripts.Memory, memory), Each: idle}
}}
