package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// workflow is what the rules are about of a file of .github/workflows.
type workflow struct {
	Permissions yaml.Node
	Jobs        map[string]struct {
		Timeout     int `yaml:"timeout-minutes"`
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With      map[string]yaml.Node
		}
	}
}

// mayWrite are the rights that a job may have above reading, and what needs them.
var mayWrite = map[string][]string{
	"release.yml release":      {"attestations", "contents", "id-token"},
	"release.yml image":        {"packages"},
	"release.yml image-index":  {"attestations", "id-token", "packages"},
	"release.yml npm":          {"id-token"},
	"release.yml wheels":       {"id-token"},
	"release.yml mcp-registry": {"id-token"},
	"security.yml codeql":      {"security-events"},
	"security.yml scorecard":   {"id-token", "security-events"},
}

// TestWorkflows: nobody who changes a tag of an action changes what runs here; a job has the rights
// of the list and ends; no step gets a token that it does not name, or a text of an event as code.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.y*ml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	var jobs []string
	for _, path := range files {
		text := readPage(t, path)
		var w workflow
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		name := filepath.Base(path)
		if w.Permissions.Kind != yaml.MappingNode || len(w.Permissions.Content) > 0 {
			t.Errorf("%s: the permissions at the top are not {}", name)
		}
		for _, fault := range unpinned(text) {
			t.Errorf("%s: not pinned by a commit, with the version in a comment: %s", name, fault)
		}
		for id, job := range w.Jobs {
			place := name + " " + id
			jobs = append(jobs, place)
			if job.Timeout == 0 {
				t.Errorf("%s has no timeout-minutes", place)
			}
			var writes []string
			for right, level := range job.Permissions {
				if level != "read" {
					writes = append(writes, right)
				}
			}
			if slices.Sort(writes); job.Permissions == nil || !slices.Equal(writes, mayWrite[place]) {
				t.Errorf("%s may write %v, and needs %v", place, writes, mayWrite[place])
			}
			for _, step := range job.Steps {
				if keeps := step.With["persist-credentials"]; strings.HasPrefix(step.Uses, "actions/checkout@") && keeps.Value != "false" {
					t.Errorf("%s: a checkout leaves its token to all later steps", place)
				}
				if version := step.With["go-version"]; strings.HasPrefix(step.Uses, "actions/setup-go@") && version.Value != "1.26" {
					t.Errorf("%s: not the newest Go of its line, but %q", place, version.Value)
				}
				if strings.Contains(step.Run, "${{ github.") {
					t.Errorf("%s: a text of the event becomes code: %s", place, step.Run)
				}
			}
		}
	}
	for place := range maps.Keys(mayWrite) {
		if !slices.Contains(jobs, place) {
			t.Errorf("there is no %s", place)
		}
	}
}

var (
	reUses   = regexp.MustCompile(`(?m)^[ -]*uses: *(.*)$`)
	rePinned = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// unpinned are the actions of a workflow that a tag or a branch names.
func unpinned(text string) (list []string) {
	for _, m := range reUses.FindAllStringSubmatch(text, -1) {
		if !rePinned.MatchString(strings.TrimSpace(m[1])) {
			list = append(list, m[1])
		}
	}
	return list
}

// TestUnpinned: the rule sees what it is for.
func TestUnpinned(t *testing.T) {
	const sha = "3d3c42e5aac5ba805825da76410c181273ba90b1"
	for uses, wrong := range map[string]bool{
		"actions/checkout@" + sha + " # v7.0.1":              false,
		"anchore/sbom-action/download@" + sha + " # v0.24.0": false,
		"actions/checkout@v7":                                true,
		"actions/checkout@main # v7.0.1":                     true,
		"actions/checkout@" + sha:                            true,
		"actions/checkout@" + sha[:12] + " # v7.0.1":         true,
		"docker://alpine:latest":                             true,
	} {
		if got := unpinned("steps:\n  - uses: " + uses + "\n"); (len(got) == 1) != wrong {
			t.Errorf("%s: %v", uses, got)
		}
	}
}

// TestSignedChecksums: what docs/install.md has a user check is what a release writes and signs.
func TestSignedChecksums(t *testing.T) {
	var config struct {
		Checksum struct {
			Name string `yaml:"name_template"`
		}
		Signs []struct {
			Cmd, Artifacts, Signature string
			Args                      []string
		}
	}
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &config)
	}
	if err != nil || len(config.Signs) != 1 {
		t.Fatalf("%d signatures, %v", len(config.Signs), err)
	}
	sign := config.Signs[0]
	bundle := strings.ReplaceAll(sign.Signature, "${artifact}", config.Checksum.Name)
	if sign.Cmd != "cosign" || sign.Artifacts != "checksum" || !slices.Contains(sign.Args, "--bundle=${signature}") || strings.Contains(strings.Join(sign.Args, " "), "--key") {
		t.Errorf("not signed by the workflow alone: %+v", sign)
	}
	page := readPage(t, "../../docs/install.md")
	for _, want := range []string{
		"cosign verify-blob --bundle " + bundle, " " + config.Checksum.Name + " && sha256sum --check --ignore-missing " + config.Checksum.Name,
		"/.github/workflows/release.yml@refs/tags/v", "gh attestation verify pwpipe_", "gh attestation verify oci://", "npm audit signatures", "gh attestation verify pwpipe-1.2.3-",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/install.md does not say %q", want)
		}
	}
}
