//go:build evidence && unix

package scale

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// parts are the programs of a Selenium Grid here.
type parts struct {
	java, lib, chromedriver, chrome string
}

// gridParts finds them: in PWPIPE_SELENIUM_LIB (a folder of jars), PWPIPE_CHROMEDRIVER and
// PWPIPE_CHROME, or among the installed programs. Maven fetches the jars once. The test is
// skipped if something is missing.
func gridParts(t *testing.T) (p parts) {
	t.Helper()
	find := func(variable string, names ...string) string {
		if path := os.Getenv(variable); path != "" {
			return path
		}
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path
			}
		}
		t.Skipf("no %s here (%s)", names[0], variable)
		return ""
	}
	p.java = find("PWPIPE_JAVA", "java")
	p.chromedriver = find("PWPIPE_CHROMEDRIVER", "chromedriver")
	p.chrome = find("PWPIPE_CHROME", "chromium", "google-chrome")
	haproxy(t)
	if p.lib = os.Getenv("PWPIPE_SELENIUM_LIB"); p.lib != "" {
		return p
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	p.lib = filepath.Join(cache, "pwpipe-test", "selenium-4.47.0")
	if _, err := os.Stat(p.lib); err == nil {
		return p
	}
	find("PWPIPE_SELENIUM_LIB", "mvn")
	half := p.lib + fmt.Sprint(".", os.Getpid())
	if out, err := exec.Command("testdata/setup.sh", half).CombinedOutput(); err != nil {
		t.Skipf("the Grid can't be had here: %v %s", err, out)
	}
	if err := os.Rename(half, p.lib); err != nil {
		t.Fatal(err)
	}
	return p
}

// grid is a hub and its nodes.
type grid struct {
	t     *testing.T
	parts parts
	hub   *java
	nodes []*java
	ports []string // of the hub: its own, and those of its events
	dir   string
}

// java is a process of the Grid.
type java struct {
	cmd *exec.Cmd
	log logged
}

func startGrid(t *testing.T, p parts, nodes int) *grid {
	g := &grid{t: t, parts: p, dir: t.TempDir()}
	for range 3 {
		_, port, _ := strings.Cut(pipetest.FreeAddr(t), ":")
		g.ports = append(g.ports, port)
	}
	t.Cleanup(func() {
		for _, one := range append(slices.Clone(g.nodes), g.hub) {
			g.end(one)
			if t.Failed() {
				t.Logf("grid:\n%.6000s", one.log.String())
			}
		}
	})
	g.startHub()
	for range nodes {
		g.startNode()
	}
	g.ready(nodes)
	return g
}

func (g *grid) url() string { return "http://127.0.0.1:" + g.ports[0] }

func (g *grid) run(args ...string) *java {
	g.t.Helper()
	one := &java{cmd: exec.Command(g.parts.java, append([]string{"-Xmx256m", "-cp", filepath.Join(g.parts.lib, "*"), "org.openqa.selenium.grid.Main"}, args...)...)}
	one.cmd.Stdout, one.cmd.Stderr = &one.log, &one.log
	one.cmd.Env = append(os.Environ(), "TMPDIR="+g.dir)
	if err := one.cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	return one
}

func (g *grid) bus() []string {
	return []string{"--publish-events", "tcp://127.0.0.1:" + g.ports[1], "--subscribe-events", "tcp://127.0.0.1:" + g.ports[2]}
}

func (g *grid) startHub() {
	g.hub = g.run(append([]string{"hub", "--host", "127.0.0.1", "--port", g.ports[0]}, g.bus()...)...)
}

// startNode starts a node with twelve places. It ends browsers that it has not heard from
// for twenty seconds.
func (g *grid) startNode() *java {
	_, port, _ := strings.Cut(pipetest.FreeAddr(g.t), ":")
	text := fmt.Sprintf(`
[server]
host = "127.0.0.1"
port = %s
[node]
detect-drivers = false
session-timeout = 20
heartbeat-period = 2
max-sessions = 12
override-max-sessions = true
[[node.driver-configuration]]
display-name = "chromium"
webdriver-executable = %q
max-sessions = 12
stereotype = '{"browserName":"chrome","goog:chromeOptions":{"binary":%q,"args":["--no-sandbox"]}}'
`, port, g.parts.chromedriver, g.parts.chrome)
	file := filepath.Join(g.dir, "node-"+port+".toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	node := g.run(append([]string{"node", "--config", file, "--hub", g.url()}, g.bus()...)...)
	g.nodes = append(g.nodes, node)
	return node
}

// end kills a process and all that it started, as if its machine died.
func (g *grid) end(one *java) {
	if one.cmd.ProcessState != nil {
		return
	}
	children := pipetest.Descendants(g.t, one.cmd.Process.Pid)
	_ = one.cmd.Process.Kill()
	for pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	_ = one.cmd.Wait()
}

type gridStatus struct {
	Value struct {
		Ready bool
		Nodes []struct {
			Availability string
			Slots        []struct {
				Session *struct{ SessionID string }
			}
		}
	}
}

// status is the hub's status; ok is false if it does not answer.
func (g *grid) status() (nodes, sessions int, ok bool) {
	answer, err := http.Get(g.url() + "/status")
	if err != nil {
		return 0, 0, false
	}
	defer answer.Body.Close()
	var s gridStatus
	if json.NewDecoder(answer.Body).Decode(&s) != nil {
		return 0, 0, false
	}
	for _, n := range s.Value.Nodes {
		if n.Availability == "UP" {
			nodes++
		}
		for _, slot := range n.Slots {
			if slot.Session != nil {
				sessions++
			}
		}
	}
	return nodes, sessions, s.Value.Ready
}

// ready waits for this number of nodes.
func (g *grid) ready(nodes int) {
	g.t.Helper()
	pipetest.Eventually(g.t, fmt.Sprint("a grid of ", nodes, " nodes"), func() bool {
		n, _, ok := g.status()
		return ok && n == nodes
	})
}
