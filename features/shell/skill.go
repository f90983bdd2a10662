package shell

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"pwpipe/cmd/program"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
)

//go:embed skill.md
var skillText string

// skillPlaces is where a coding agent looks for skills, in a project or below HOME.
var skillPlaces = map[string]string{
	"claude": ".claude/skills",
	"codex":  ".agents/skills",
	"cursor": ".cursor/skills",
}

// skillMark begins the last line of the file: a digest of what is above, by which a file
// that somebody changed is known.
const skillMark = "<!-- pwpipe skill "

func newSkillCommand(p *program.Program, out io.Writer) *cobra.Command {
	cmd := program.Command("skill", "Print a skill for coding agents: how to use these commands", program.Takes(0, 0),
		func(*cobra.Command, []string) error {
			text, err := skill(p)
			if err == nil {
				_, err = io.WriteString(out, text)
			}
			return err
		})
	agents := slices.Sorted(maps.Keys(skillPlaces))
	var agent string
	var user bool
	install := program.Command("install", "Write the skill where a coding agent looks for it", program.Takes(0, 0),
		func(*cobra.Command, []string) error {
			if err := program.CheckValue("for", agent, agents); err != nil {
				return err
			}
			dir := "."
			if user {
				home, err := os.UserHomeDir()
				if err != nil {
					return err
				}
				dir = home
			}
			path, err := installSkill(p, filepath.Join(dir, filepath.FromSlash(skillPlaces[agent]), "pwpipe"))
			if err == nil {
				_, err = fmt.Fprintln(out, path)
			}
			return err
		})
	install.Flags().StringVar(&agent, "for", "claude", "the agent: "+strings.Join(agents, ", "))
	install.Flags().BoolVar(&user, "user", false, "for all projects of this user, rather than in the working directory")
	program.Complete(install, "for", agents)
	cmd.AddCommand(install)
	return cmd
}

func skill(p *program.Program) (string, error) {
	table := provider.NewTable(p.Tools(), provider.TableOptions{})
	t, err := template.New("skill").Funcs(template.FuncMap{
		"tool": func(name string) (string, error) { // a line of the list of commands
			tool := table.Find(name)
			if tool == nil {
				return "", fmt.Errorf("no tool %s", name)
			}
			return "- `" + commandline.Usage(tool) + "`: " + tool.Doc, nil
		},
		"profiles": func() string { return strings.Join(table.Profiles(), " ") },
		"count":    func() int { return len(table.Profile("all")) },
	}).Parse(skillText)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, nil); err != nil {
		return "", err
	}
	return b.String() + skillLine(p, b.String()), nil
}

func skillLine(p *program.Program, text string) string {
	sum := sha256.Sum256([]byte(text))
	return skillMark + p.Version + " " + hex.EncodeToString(sum[:8]) + " -->\n"
}

// unchanged reports whether a file is as some version of pwpipe wrote it.
func unchanged(text string) bool {
	i := strings.LastIndex(text, skillMark)
	if i < 0 {
		return false
	}
	sum := sha256.Sum256([]byte(text[:i]))
	words := strings.Fields(text[i:])
	return len(words) == 6 && words[4] == hex.EncodeToString(sum[:8])
}

// installSkill writes the skill into a folder, and never over a file that was changed.
func installSkill(p *program.Program, dir string) (path string, err error) {
	text, err := skill(p)
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "SKILL.md")
	old, err := writefile.Read(path, writefile.MaxConfig)
	switch {
	case err == nil && !unchanged(string(old)):
		return "", fmt.Errorf("%s was changed since pwpipe wrote it, or is not pwpipe's: move it away first", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err != nil {
		old = nil // there is none
	}
	if err := writefile.Folders(dir); err != nil {
		return "", err
	}
	return path, writefile.Edit(path, old, []byte(text), writefile.Public, writefile.MaxConfig)
}
