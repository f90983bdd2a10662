//go:build evidence

package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pwpipe/internal/pipetest"
)

// program is an installed program, at any of its paths. The test is skipped without it.
func installedProgram(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no", names[0], "here")
	return ""
}

// said is a program's output, with its status.
func said(t *testing.T, cmd *exec.Cmd) (string, bool) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// TestHAProxyTakesItsFile: HAProxy accepts its file, in Compose and in Kubernetes.
func TestHAProxyTakesItsFile(t *testing.T) {
	t.Parallel()
	haproxy := installedProgram(t, "haproxy", "/usr/sbin/haproxy")
	check := func(file string, env ...string) (string, bool) {
		cmd := exec.Command(haproxy, "-c", "-f", file)
		cmd.Env = append(os.Environ(), env...)
		return said(t, cmd)
	}
	own := filepath.Join(folder, "scale", "haproxy.cfg")
	for _, domain := range []string{"", ".pwpipe.browsers.svc.cluster.local"} {
		if out, ok := check(own, "PWPIPE_DOMAIN="+domain); !ok || strings.Contains(out, "WARNING") {
			t.Errorf("%q: %s", domain, out)
		}
	}
	bad := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(bad, []byte(read(t, "scale/haproxy.cfg")+"\n    use-servers x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := check(bad); ok {
		t.Errorf("it takes anything: %s", out)
	}
}

// TestPrometheusTakesItsFiles: and the rules give the right results for our metrics.
func TestPrometheusTakesItsFiles(t *testing.T) {
	t.Parallel()
	promtool := installedProgram(t, "promtool")
	dir := t.TempDir()
	for name, text := range map[string]string{"rules.yml": read(t, "scale/rules.yml"), "prometheus.yml": read(t, "scale/prometheus.yml")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases, err := os.ReadFile("testdata/rules_test.yml")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "cases.yml"), cases, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"check", "rules", "rules.yml"}, {"check", "config", "--syntax-only", "prometheus.yml"}, {"test", "rules", "cases.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = dir
		if out, ok := said(t, cmd); !ok {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// TestComposeTakesItsFiles: docker compose's loader, a separate module, accepts them.
func TestComposeTakesItsFiles(t *testing.T) {
	pipetest.InCI(t, "it fetches the schema of Compose")
	t.Parallel()
	program := filepath.Join(t.TempDir(), "compose")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = filepath.Join("testdata", "compose")
	build.Env = append(build.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, ok := said(t, build); !ok {
		if strings.Contains(out, "dial tcp") || strings.Contains(out, "module lookup disabled") {
			t.Skipf("compose-go can't be had here: %s", out)
		}
		t.Fatal(out)
	}
	take := func(file string) (string, bool) {
		cmd := exec.Command(program, file)
		cmd.Env = append(os.Environ(), "API_KEY=a", "OPERATOR_KEY=b", "GRAFANA_PASSWORD=c")
		return said(t, cmd)
	}
	for _, file := range []string{"scale/compose.yaml", "compose.yaml", "../compose.yaml"} {
		if out, ok := take(filepath.Join(folder, file)); !ok {
			t.Errorf("%s: %s", file, out)
		}
	}
	bad := filepath.Join(t.TempDir(), "compose.yaml")
	text := strings.Replace(read(t, "scale/compose.yaml"), "\n    deploy:\n", "\n    deployed:\n", 1)
	if err := os.WriteFile(bad, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := take(bad); ok || !strings.Contains(out, "deployed") {
		t.Errorf("it takes anything: %s", out)
	}
}

var reMetric = regexp.MustCompile(`\bpwpipe[_:][a-z_:0-9]+`)

// TestFiguresAreThere: the metrics of rules, dashboard and scalers come from a service
// or from a rule.
func TestFiguresAreThere(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	svc.Open(nil)
	_, told, _ := svc.Do("GET", "/metrics", "")
	made := regexp.MustCompile(`(?m)^ +- record: (\S+)$`).FindAllStringSubmatch(read(t, "scale/rules.yml"), -1)
	for _, m := range made {
		told += "\n" + m[1]
	}
	n := 0
	for _, file := range []string{"rules.yml", "grafana/pwpipe.json", "kubernetes/keda.yaml", "kubernetes/keda-without-prometheus.yaml"} {
		for _, name := range reMetric.FindAllString(read(t, "scale/"+file), -1) {
			if n++; !strings.Contains(told, name) {
				t.Errorf("%s asks for %s", file, name)
			}
		}
	}
	if n < 20 || len(made) < 3 {
		t.Errorf("only %d figures are asked for, of %d rules", n, len(made))
	}
}

// TestScaleFilesAgree: names, numbers and variables are the same in all files.
func TestScaleFilesAgree(t *testing.T) {
	t.Parallel()
	balancer, compose := read(t, "scale/haproxy.cfg"), read(t, "scale/compose.yaml")
	servers := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^    server (pwpipe-\d+) "pwpipe-\d+\$\{PWPIPE_DOMAIN\}:3337"( track new/pwpipe-\d+)?$`).FindAllStringSubmatch(balancer, -1) {
		if strings.Count(m[0], m[1]+" ")+strings.Count(m[0], m[1]+"$") < 2 || m[2] != "" && !strings.HasSuffix(m[2], "/"+m[1]) {
			t.Errorf("not one name: %s", m[0])
		}
		servers[m[1]]++
	}
	for n := range len(servers) {
		if servers["pwpipe-"+strconv.Itoa(n)] != 3 {
			t.Errorf("servers: %v", servers)
		}
	}
	if most := regexp.MustCompile(`maxReplicaCount: (\d+)`).FindAllStringSubmatch(read(t, "scale/kubernetes/keda.yaml"), -1); len(most) != 2 || most[1][1] != strconv.Itoa(len(servers)) {
		t.Errorf("KEDA begins %v services, HAProxy knows %d", most, len(servers))
	}
	var c struct {
		Services map[string]struct {
			Environment map[string]string
		}
	}
	if err := yaml.Unmarshal([]byte(compose), &c); err != nil {
		t.Fatal(err)
	}
	var named []string
	for name, s := range c.Services {
		if own := s.Environment["PWPIPE_NAME"]; own != "" {
			if own != name || servers[own] == 0 {
				t.Errorf("%s is called %s", name, own)
			}
			named = append(named, name+":3337")
		}
	}
	slices.Sort(named)
	if want := strings.Join(named, ", "); len(named) != 3 || !strings.Contains(read(t, "scale/prometheus.yml"), "targets: ["+want+"]") {
		t.Errorf("Prometheus does not ask %s", want)
	}
	help, _, _ := pipetest.Run(t, "", "serve", "--help")
	nodes := read(t, "scale/kubernetes/grid.yaml")
	for _, m := range regexp.MustCompile(`\bPWPIPE_([A-Z_]+)\b`).FindAllStringSubmatch(compose+read(t, "scale/kubernetes/pwpipe.yaml"), -1) {
		if flag := "--" + strings.ReplaceAll(strings.ToLower(m[1]), "_", "-") + " "; !strings.Contains(help, flag) {
			t.Errorf("%s: serve has no %s", m[0], flag)
		}
	}
	if m := regexp.MustCompile(`nodeMaxSessions: "(\d+)"`).FindStringSubmatch(read(t, "scale/kubernetes/keda.yaml")); m == nil || !strings.Contains(nodes, `SE_NODE_MAX_SESSIONS, value: "`+m[1]+`"`) {
		t.Errorf("KEDA and the nodes do not agree: %v", m)
	}
	for _, text := range []string{compose, read(t, "scale/kubernetes/pwpipe.yaml")} {
		if !regexp.MustCompile(`\[pwpipe, serve, --drain, \d+[sm], --addr, "127\.0\.0\.1:3337"\]`).MatchString(text) {
			t.Error("what is open is not waited for before a service ends")
		}
	}
}
