package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
)

// addManual lets `pwpipe help --man` print the manual page, and `pwpipe help` refuse what there is
// no help about.
func (p *Program) addManual(root *cobra.Command, out io.Writer) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		return
	}
	man, describe := help.Flags().Bool("man", false, "print the manual page, for man -l -"), help.Run
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if *man {
			_, err := io.WriteString(out, p.manual(root))
			return err
		}
		found, rest, err := root.Find(args)
		if err != nil || found == root {
			if err := p.noCommand(root, args); err != nil {
				return err
			}
		} else if len(rest) > 0 {
			return fmt.Errorf("%s has no command %q", found.CommandPath(), rest[0])
		}
		describe(cmd, args)
		return nil
	}
}

func (p *Program) manual(root *cobra.Command) string {
	m := &page{}
	m.line(".TH PWPIPE 1 \"\" \"pwpipe " + roff(p.Version) + "\"")
	m.section("NAME")
	m.text("pwpipe - " + root.Short)
	m.section("SYNOPSIS")
	for _, args := range []string{"[OPTIONS] < requests", "TOOL [PARAMS] [--NAME VALUE]", "COMMAND [ARGS]"} {
		m.line(roff("pwpipe "+args) + "\n.br")
	}
	m.section("DESCRIPTION")
	m.text(root.Long)
	m.section("COMMANDS")
	for _, c := range root.Commands() {
		if !c.Hidden {
			m.item("pwpipe "+c.Use, c.Short)
		}
	}
	m.section("SESSIONS")
	m.text("These commands and the tools work in a browser that stays open. " +
		"-s NAME, or PWPIPE_SESSION, names the session.")
	table := p.Table()
	for _, word := range service.Commands {
		what, _, _ := strings.Cut(shellHelp(word, table.Find(GoesTo)), "\n")
		m.item("pwpipe "+word, what)
	}
	m.section("OPTIONS")
	m.text("Of the pipe. Each can be a variable too: --base-url is PWPIPE_BASE_URL. " +
		"`pwpipe COMMAND --help` lists those of a command.")
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			m.item("--"+f.Name, f.Usage)
		}
	})
	m.section("TOOLS")
	m.text("Each is a command, and a method of the pipe. `pwpipe help TOOL` describes its parameters.")
	for _, profile := range table.Profiles() {
		m.line(".SS " + roff(profile))
		for _, tool := range table.Profile(profile) {
			m.item(commandline.Usage(tool), tool.Doc)
		}
	}
	m.section("EXIT STATUS")
	for _, s := range [][2]string{{"0", "it worked"}, {"1", "the tool failed, or a step of a script"},
		{"2", "the command line, or a file of settings, is wrong"}, {"3", "nothing is running, or no such session is open"},
		{"130", "Ctrl-C cancelled the call"}} {
		m.item(s[0], s[1])
	}
	m.section("FILES")
	m.item(thin.SettingsName, "settings: of the nearest folder up, and in the user's folder of settings. "+
		"`pwpipe config` prints what holds.")
	return m.String()
}

type page struct{ strings.Builder }

func (m *page) line(s string)       { m.WriteString(s + "\n") }
func (m *page) section(name string) { m.line(".SH " + name) }

// text adds paragraphs. Indented lines stay as they are.
func (m *page) text(s string) {
	for i, paragraph := range strings.Split(s, "\n\n") {
		if i > 0 {
			m.line(".PP")
		}
		if strings.HasPrefix(paragraph, "  ") {
			m.line(".nf\n" + roff(paragraph) + "\n.fi")
			continue
		}
		m.line(roff(paragraph))
	}
}

func (m *page) item(name, what string) {
	m.line(fmt.Sprintf(".TP\n.B %s\n%s", roff(name), roff(what)))
}

// roff is a text with nothing in it that a formatter would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
