//go:build evidence

// Package deploy checks the files of deploy/ as far as possible without an
// engine: they parse, and they agree with each other and with the program.
package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/joho/godotenv"
	"go.yaml.in/yaml/v3"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

const folder = "../../deploy"

type compose struct {
	Services map[string]service
	Networks map[string]struct{ External bool }
	Volumes  map[string]any
}

type service struct {
	Build         struct{ Context, Target string }
	Image         string
	ContainerName string `yaml:"container_name"`
	Hostname      string
	Networks      []string
	Ports         []string
	Environment   map[string]string
	ExtraHosts    []string `yaml:"extra_hosts"`
	Healthcheck   struct {
		Test              []string
		Interval, Timeout string
		Retries           int
		StartPeriod       string `yaml:"start_period"`
		Disable           bool
	}
	ReadOnly    bool `yaml:"read_only"`
	Tmpfs       []string
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	StopGrace   string   `yaml:"stop_grace_period"`
	Restart     string
	Volumes     []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Profiles    []string
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func load(t *testing.T) compose {
	t.Helper()
	var c compose
	dec := yaml.NewDecoder(strings.NewReader(read(t, "compose.yaml")))
	dec.KnownFields(true) // a key that compose does not have is a mistake
	if err := dec.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompose(t *testing.T) {
	c := load(t)
	s, ts := c.Services["pwpipe"], c.Services["tailscale"]
	if len(c.Services) != 2 || !slices.Equal(ts.Profiles, []string{"tailscale"}) || s.Profiles != nil {
		t.Errorf("services: pwpipe is always started, tailscale with its profile: %+v", c.Services)
	}
	if image(t, s.Build.Target) == nil {
		t.Errorf("the Dockerfile has no target %q", s.Build.Target)
	}
	if s.Environment["PWPIPE_CDP"] != "${PWPIPE_CDP:-http://host.docker.internal:9222}" || !slices.Contains(s.ExtraHosts, "host.docker.internal:host-gateway") {
		t.Error("the CDP endpoint is on the host")
	}
	if s.Environment["ALLOWED_DOMAINS"] != "${ALLOWED_DOMAINS-}" {
		t.Error("the list of domains is handed over, and set even if it is empty")
	}
	if !strings.HasPrefix(s.Environment["API_KEY"], "${API_KEY:?") {
		t.Error("it starts without a key")
	}
	for _, p := range s.Ports {
		if !strings.HasPrefix(p, "127.0.0.1:") {
			t.Errorf("%s is published to the network", p)
		}
	}
	if s.Healthcheck.Interval == "" || s.Healthcheck.Retries == 0 || !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") {
		t.Errorf("health check and hardening: %+v", s)
	}
	for _, one := range []service{s, ts} {
		for _, n := range one.Networks {
			if _, ok := c.Networks[n]; !ok {
				t.Errorf("network %s is not declared", n)
			}
		}
		for _, v := range one.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if _, declared := c.Volumes[from]; strings.HasPrefix(from, ".") {
				if _, err := os.Stat(filepath.Join(folder, from)); err != nil {
					t.Error(err)
				}
			} else if !declared {
				t.Errorf("volume %s is not declared", from)
			}
		}
		for dep := range one.DependsOn {
			if _, ok := c.Services[dep]; !ok {
				t.Errorf("there is no service %s", dep)
			}
		}
	}
}

// The tailnet's entry leads to the service.
func TestServeConfig(t *testing.T) {
	var config struct {
		TCP map[string]struct{ HTTPS bool }
		Web map[string]struct {
			Handlers map[string]struct{ Proxy string }
		}
	}
	dec := json.NewDecoder(strings.NewReader(read(t, "tailscale/serve.json")))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&config); err != nil {
		t.Fatal(err)
	}
	s := load(t).Services["pwpipe"]
	_, port, _ := strings.Cut(strings.TrimPrefix(s.Ports[0], "127.0.0.1:"), ":")
	want := "http://" + s.Hostname + ":" + port
	if !config.TCP["443"].HTTPS || config.Web["${TS_CERT_DOMAIN}:443"].Handlers["/"].Proxy != want {
		t.Errorf("%+v does not lead to %s", config, want)
	}
	ts := load(t).Services["tailscale"]
	if ts.Environment["TS_SERVE_CONFIG"] != "/config/serve.json" || !slices.Contains(ts.Volumes, "./tailscale:/config:ro") {
		t.Error("the configuration is not where Tailscale looks")
	}
}

var reVariable = regexp.MustCompile(`\$\{([A-Z_]+)([:?-][^}]*)?\}`)

// Every variable without a default has a line in the example.
func TestExampleEnvironment(t *testing.T) {
	example, err := godotenv.Read(filepath.Join(folder, ".env.example"))
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range reVariable.FindAllStringSubmatch(read(t, "compose.yaml"), -1) {
		used[m[1]] = true
		if _, ok := example[m[1]]; !ok && !strings.HasPrefix(m[2], ":-") {
			t.Errorf("%s is not in .env.example", m[1])
		}
	}
	for name := range example {
		if !used[name] {
			t.Errorf("compose.yaml does not use %s", name)
		}
	}
	if example["API_KEY"] != "" {
		t.Error("the example has a key that somebody would keep")
	}
}

// The service with its own browser: the image and what starts it.
func TestOwnBrowser(t *testing.T) {
	var c struct {
		Services map[string]map[string]any
	}
	if err := yaml.Unmarshal([]byte(read(t, "../compose.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	s := c.Services["pwpipe"]
	env, _ := s["environment"].(map[string]any)
	if env["PWPIPE_BROWSER_SANDBOX"] != "${PWPIPE_BROWSER_SANDBOX:-on}" || s["read_only"] != true {
		t.Errorf("%v", s)
	}
	options, _ := s["security_opt"].([]any)
	if !slices.Contains(options, any("seccomp:deploy/seccomp.json")) || !slices.Contains(options, any("no-new-privileges:true")) {
		t.Errorf("security_opt: %v", options)
	}
	// The plain image starts in any engine, with the sandbox if possible.
	stage := strings.Join(image(t, ""), "\n")
	if !strings.Contains(stage, "ENV PWPIPE_BROWSER_SANDBOX=auto") || !regexp.MustCompile(`(?m)^USER [1-9]\d+$`).MatchString(stage) {
		t.Errorf("the image: %s", stage)
	}
}

// The command that builds the image works: it installs only the driver.
func TestDriverOnly(t *testing.T) {
	out, stderr, status := pipetest.Run(t, "", "install", "--driver-only")
	if status != 0 || out != "" || !strings.Contains(stderr, "driver   ") || strings.Contains(stderr, "chromium") {
		t.Errorf("status %d: %s%s", status, out, stderr)
	}
}
