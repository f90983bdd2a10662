package features_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pwpipe/internal/pipetest"
	"pwpipe/provider/service"
)

// TestManual: the manual page has every command, tool and flag, and can be formatted.
func TestManual(t *testing.T) {
	root := whole().CommandLine(os.Stdout)
	text, _, _ := pipetest.Run(t, "", "help", "--man")
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, "pwpipe "+c.Name())
		}
	}
	for _, word := range service.Commands {
		names = append(names, "pwpipe "+word)
	}
	for _, tool := range table().Profile("all") {
		names = append(names, "pwpipe "+tool.Name)
	}
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	for _, name := range names {
		if !strings.Contains(text, ".TP\n.B "+strings.ReplaceAll(name, "-", `\-`)) {
			t.Errorf("%s is missing", name)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-k", "-ww", "-z")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v, %.2000s", err, out)
	}
}
