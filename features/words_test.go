package features_test

import (
	"os"
	"slices"
	"testing"

	"pwpipe/internal/shell/thin"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
)

// TestWords: the program's commands, those for sessions, and the tools have different
// names. The service never gets a command of the program.
func TestWords(t *testing.T) {
	table := table()
	root := whole().CommandLine(os.Stdout)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	own := []string{"__complete", "__completeNoDesc"} // hidden commands of package cobra
	for _, c := range root.Commands() {
		own = append(own, c.Name())
		own = append(own, c.Aliases...)
	}
	for _, word := range own {
		if !slices.Contains(thin.Words, word) {
			t.Errorf("%s is a command of the program's, and not in thin.Words", word)
		}
	}
	for _, word := range thin.Words {
		if !slices.Contains(own, word) {
			t.Errorf("%s is in thin.Words, and no command of the program's", word)
		}
		if slices.Contains(service.Commands, word) {
			t.Errorf("%s is a command of the program's and one about sessions", word)
		}
		if word != "help" && table.Find(word) != nil { // help is about tools too
			t.Errorf("%s is a command of the program's and a tool", word)
		}
	}
	for _, word := range service.Commands {
		if table.Find(word) != nil {
			t.Errorf("%s is a command about sessions and a tool", word)
		}
	}
	for _, tool := range table.Profile("all") {
		for _, p := range tool.Params {
			option := "--" + p.Name
			if slices.Contains(thin.Common, option) && !slices.Contains(commandline.Envelope, p.Name) || option == "--help" {
				t.Errorf("%s: %s is an option of every command", tool.Name, option)
			}
		}
	}
}
