//go:build evidence

package install_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The links of docs/install.md give a host one command.
func TestInstallLinks(t *testing.T) {
	page, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\((https://(?:vscode\.dev|cursor\.com)/[^)]*)\)`).FindAllSubmatch(page, -1)
	if len(links) != 2 {
		t.Fatalf("%d links", len(links))
	}
	for _, link := range links {
		address, err := url.Parse(string(link[1]))
		if err != nil {
			t.Fatal(err)
		}
		config := []byte(address.Query().Get("config"))
		if address.Host == "cursor.com" {
			if config, err = base64.StdEncoding.DecodeString(string(config)); err != nil {
				t.Fatal(err)
			}
		}
		var server struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal(config, &server); err != nil {
			t.Fatal(err)
		}
		if server.Command != "npx" || !slices.Equal(server.Args, []string{"-y", "pwpipe", "--profile", "agent"}) || address.Query().Get("name") != "pwpipe" {
			t.Errorf("%s: %+v", address.Host, server)
		}
	}
}

// The packages that the workflow tests exist.
func TestWorkflowPackages(t *testing.T) {
	workflow, err := os.ReadFile("../../.github/workflows/test.yml")
	if err != nil {
		t.Fatal(err)
	}
	folders := regexp.MustCompile(`\./(?:internal|provider|handlers|fixtures|cmd)[a-z/]*`).FindAllString(string(workflow), -1)
	if len(folders) < 5 {
		t.Fatalf("found %v", folders)
	}
	for _, folder := range folders {
		if _, err := os.Stat("../../" + folder); err != nil {
			t.Error(err)
		}
	}
}

// A release is one tag: what GoReleaser drafts is opened once all is uploaded, and only then do
// registries name its addresses.
func TestWorkflowRelease(t *testing.T) {
	var config struct{ Release struct{ Draft bool } }
	readYAML(t, "../../.goreleaser.yaml", &config)
	var workflow struct {
		Jobs map[string]struct {
			Needs any
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	readYAML(t, "../../.github/workflows/release.yml", &workflow)
	steps := workflow.Jobs["release"].Steps
	if len(steps) == 0 || !config.Release.Draft {
		t.Fatalf("%d steps, and a draft: %v", len(steps), config.Release.Draft)
	}
	last := steps[len(steps)-1]
	if last.Run != `gh release edit "$GITHUB_REF_NAME" --draft=false` || last.Env["GITHUB_TOKEN"] == "" {
		t.Errorf("the draft is not opened last: %+v", last)
	}
	for _, job := range []string{"npm", "wheels"} {
		if needs := workflow.Jobs[job].Needs; needs != "release" {
			t.Errorf("%s is told after %q", job, needs)
		}
	}
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
