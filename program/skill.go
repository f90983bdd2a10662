package program

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

	"pwpipe/internal/machine/writefile"
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

func (p *Program) skillCommand(out io.Writer) *cobra.Command {
	cmd := command("skill", "Print a skill for coding agents: how to use these commands", takes(0, 0),
		func(*cobra.Command, []string) error {
			text, err := p.skill()
			if err == nil {
				_, err = io.WriteString(out, text)
			}
			return err
		})
	agents := slices.Sorted(maps.Keys(skillPlaces))
	var agent string
	var user bool
	install := command("install", "Write the skill where a coding agent looks for it", takes(0, 0),
		func(*cobra.Command, []string) error {
			if err := checkValue("for", agent, agents); err != nil {
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
			path, err := p.installSkill(filepath.Join(dir, filepath.FromSlash(skillPlaces[agent]), "pwpipe"))
			if err == nil {
				_, err = fmt.Fprintln(out, path)
			}
			return err
		})
	install.Flags().StringVar(&agent, "for", "claude", "the agent: "+strings.Join(agents, ", "))
	install.Flags().BoolVar(&user, "user", false, "for all projects of this user, rather than in the working directory")
	complete(install, "for", agents)
	cmd.AddCommand(install)
	return cmd
}

func (p *Program) skill() (string, error) {
	table := p.table()
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
	return b.String() + p.skillLine(b.String()), nil
}

func (p *Program) skillLine(text string) string {
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
func (p *Program) installSkill(dir string) (path string, err error) {
	text, err := p.skill()
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
