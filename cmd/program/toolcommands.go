package program

import (
	"io"
	"reflect"

	"github.com/spf13/cobra"

	"pwpipe/provider"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
	"pwpipe/provider/toollist"
)

// addToolCommands adds the tools to the program's own commands where these are described
// or completed; package thin and shellCommand run them. asked is the program's first word.
func (p *Program) addToolCommands(root *cobra.Command, asked string, out io.Writer) {
	if asked != "help" && asked != cobra.ShellCompRequestCmd && asked != cobra.ShellCompNoDescRequestCmd {
		return
	}
	table := p.Table()
	add := func(name, short, help string) *cobra.Command {
		// Hidden in help, for they would be most of it.
		c := &cobra.Command{Use: name, Short: short, Hidden: asked == "help", Run: func(*cobra.Command, []string) {}}
		c.SetHelpFunc(func(*cobra.Command, []string) { _, _ = io.WriteString(out, help) })
		c.Flags().StringP("session", "s", "", "name of the session")
		root.AddCommand(c)
		return c
	}
	for _, tool := range table.Profile("all") {
		if tool.Name != "help" {
			completeTool(add(tool.Name, tool.Doc, commandline.Help(tool)), tool)
		}
	}
	for _, word := range service.Commands {
		add(word, "A command about sessions", shellHelp(word, table.Find(GoesTo)))
	}
	if asked != "help" {
		return
	}
	for _, profile := range table.Profiles() {
		if table.Find(profile) == nil {
			text, _ := toollist.Describe(table.Profile(profile), "table")
			add(profile, "The tools of a profile", text)
		}
	}
}

func completeTool(c *cobra.Command, tool *provider.Tool) {
	f := c.Flags()
	f.Bool("json", false, "print the result as JSON")
	f.BoolP("quiet", "q", false, "print results, warnings and errors only")
	for _, name := range commandline.Envelope {
		if !tool.Has(name) {
			f.String(name, "", "of every command")
		}
	}
	for _, p := range tool.Params {
		if f.Lookup(p.Name) != nil {
			continue
		}
		if p.Type().Kind() == reflect.Bool {
			f.Bool(p.Name, false, p.Doc)
			continue
		}
		f.String(p.Name, "", p.Doc)
		switch {
		case p.Enum != nil:
			complete(c, p.Name, p.Enum)
		case !p.File:
			complete(c, p.Name, nil)
		}
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= len(tool.Params) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if p := tool.Params[len(args)]; !p.File {
			return p.Enum, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// shellHelp describes a command, or else the tool that it calls.
func shellHelp(first string, tool *provider.Tool) string {
	switch first {
	case "open":
		return "Start what is needed, go to a URL, and print an outline of the page\n\n" +
			"Usage:\n  pwpipe open [URL] [-s NAME] [--persist] [--state NAME] " +
			"[--headed and other flags of `pwpipe config`]\n\n" +
			"--persist begins with the cookies and the storage that the session had, and keeps them over restarts.\n" +
			"--state begins with those that state-save has saved under that name.\n" +
			"Other flags hold where this starts the service; they can be variables and settings too.\n"
	case "call":
		return "Call a tool with parameters in JSON, and print its result as JSON\n\n" +
			"Usage:\n  pwpipe call METHOD [PARAMS] [-s NAME]\n"
	case "close":
		return "Close a session. With the last one the service ends\n\nUsage:\n  pwpipe close [NAME | --all]\n"
	case "sessions":
		return "List the open sessions: name, URL, how long unused\n\nUsage:\n  pwpipe sessions [--json]\n"
	case "show":
		return "Print the address of the live page of all sessions, and open it in the default browser\n\n" +
			"Usage:\n  pwpipe show [--print]\n"
	}
	return commandline.Help(tool)
}

// GoesTo is the tool that goes to a URL.
const GoesTo = "nav"
