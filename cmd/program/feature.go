package program

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pwpipe/handlers"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
)

// A Feature is a part of pwpipe that can be left out. Without it its tools are unknown methods,
// its commands and its flags are unknown words, and nothing of it runs.
type Feature struct {
	Name string // as --without takes it
	Doc  string // what it is for: one sentence without a full stop

	// Needs are the features without which it can't work.
	Needs []string

	handlers.Part // what it adds to the tools and to the browser

	// Foreign begins the names of its profiles whose tools MCP lists as another program does;
	// "": it has none.
	Foreign string

	// Flags makes its flags for one command that drives a browser; nil: none.
	Flags func(command string) Flags
	// IsSource reports whether --cdp takes a text as the name of a browser, such as those of
	// Sources; nil: no text.
	IsSource func(text string) bool
	Sources  []string
	// Check is its line of doctor; nil: none. node is "" where there is none.
	Check func(ctx context.Context, node string) setup.Check
	// Follow has the calls of a table traced until stop; nil: not.
	Follow func(log *slog.Logger, t *provider.Table, version string) (stop func(), err error)
	// Commands adds its commands to the program's; nil: none.
	Commands func(p *Program, root *cobra.Command, out *os.File)
	// Takes is asked before there are commands whether this process, with these words, is
	// the feature's; nil: never.
	Takes func(p *Program, words []string, out *os.File) (taken bool, err error)
}

// Program is a pwpipe: the core, and features.
type Program struct {
	Version, Commit string
	// Features are in their order: it decides who answers a dialog and who sees a page first,
	// where several do at the same stage, and the order of tools in lists.
	Features []Feature

	without []string // that this run leaves out, as the list had them
}

// Tools declares the program's tools, in the order of lists.
func (p *Program) Tools() []*provider.Tool { return handlers.Tools(p.Parts()...) }

func (p *Program) Table() *provider.Table {
	return provider.NewTable(p.Tools(), provider.TableOptions{})
}

func (p *Program) Parts() (all []handlers.Part) {
	for _, f := range p.Features {
		all = append(all, f.Part)
	}
	return all
}

func (p *Program) feature(name string) int {
	return slices.IndexFunc(p.Features, func(f Feature) bool { return f.Name == name })
}

// has reports whether a feature is there.
func (p *Program) has(name string) bool { return p.feature(name) >= 0 }

// isForeign reports whether MCP lists profiles as another program does.
func (p *Program) isForeign(profiles string) bool {
	return slices.ContainsFunc(p.Features, func(f Feature) bool {
		return f.Foreign != "" && strings.HasPrefix(profiles, f.Foreign)
	})
}

// check refuses a list of features that can't work together.
func (p *Program) check() error {
	for i, f := range p.Features {
		if p.feature(f.Name) < i {
			return fmt.Errorf("the feature %s is in the list twice", f.Name)
		}
		for _, need := range f.Needs {
			if !p.has(need) {
				return fmt.Errorf("the feature %s needs %s, which is not in the list", f.Name, need)
			}
		}
	}
	return nil
}

// leaveOut leaves features out, and those that need them.
func (p *Program) leaveOut(names []string) error {
	var known []string
	for _, f := range p.Features {
		known = append(known, f.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return hinted(fmt.Errorf("there is no feature %q to leave out; `pwpipe features` lists them", name),
				suggest.Hint(name, known))
		}
	}
	isOut := func(name string) bool { return slices.Contains(p.without, name) }
	for p.without = slices.Clone(names); ; {
		i := slices.IndexFunc(p.Features, func(f Feature) bool {
			return !isOut(f.Name) && slices.ContainsFunc(f.Needs, isOut)
		})
		if i < 0 {
			break
		}
		p.without = append(p.without, p.Features[i].Name)
	}
	p.Features = slices.DeleteFunc(slices.Clone(p.Features), func(f Feature) bool { return isOut(f.Name) })
	return nil
}

// leftOut says, where words of an error name something that is not there, that features are
// left out; "" where none are.
func (p *Program) leftOut() string {
	if len(p.without) == 0 {
		return ""
	}
	return "left out of this run: " + strings.Join(p.without, ", ")
}
