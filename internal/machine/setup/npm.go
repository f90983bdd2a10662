package setup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// npmTool is the machine's npm: the only party that knows where the registry
// is, and with which proxy and credentials to reach it.
type npmTool struct {
	path   string
	script []string // npm's own script, where path is node
	env    []string
}

// findNpm looks on PATH, then for npm's script where Node keeps it, then beside node.
func (f *fetcher) findNpm() (*npmTool, error) {
	if f.npm != nil {
		return f.npm, nil
	}
	npm := &npmTool{env: f.npmEnv()}
	var err error
	npm.path, err = exec.LookPath("npm")
	if err != nil && f.node != "" {
		if script := npmScript(f.node); script != "" {
			npm.path, npm.script, err = f.node, []string{script}, nil
		} else {
			npm.path, err = exec.LookPath(filepath.Join(filepath.Dir(f.node), "npm"))
		}
	}
	if err != nil {
		return nil, errorf("npm not found on PATH; install npm (it comes with Node.js), or copy a cache folder that is set up already and set PWPIPE_CACHE to it")
	}
	f.npm = npm
	return npm, nil
}

// npmScript is the script of the npm that came with a node, "" for none. A wheel of Node
// for Python has it where its command npm does not work.
func npmScript(node string) string {
	for _, folder := range []string{"../lib/node_modules", "node_modules"} {
		script := filepath.Join(filepath.Dir(node), filepath.FromSlash(folder), "npm", "bin", "npm-cli.js")
		if st, err := os.Stat(script); err == nil && st.Mode().IsRegular() {
			return script
		}
	}
	return ""
}

// npmEnv lets npm's own script find node where only PWPIPE_NODE names it, and
// spares the progress lines of npm, which would run into ours.
func (f *fetcher) npmEnv() []string {
	env := append(os.Environ(), "npm_config_update_notifier=false", "npm_config_progress=false")
	if _, err := exec.LookPath("node"); err != nil && f.node != "" {
		env = append(env, "PATH="+filepath.Dir(f.node)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return env
}

func (n *npmTool) tarball(ctx context.Context, r release) (string, error) {
	out, err := n.run(ctx, 2*time.Minute, "view", r.spec(), "dist.tarball", "--json")
	if err != nil {
		return "", err
	}
	var address string
	if json.Unmarshal([]byte(out), &address) != nil || address == "" {
		return "", &npmError{path: n.path, said: fmt.Sprintf("answered %.60q instead of an address", firstLine(out))}
	}
	return address, nil
}

// pack lets npm download a release itself and answers the file.
func (n *npmTool) pack(ctx context.Context, r release, dir string) (string, error) {
	if _, err := n.run(ctx, 30*time.Minute, "pack", r.spec(), "--pack-destination", dir, "--ignore-scripts", "--json"); err != nil {
		return "", err
	}
	// The name that npm prints differs between its versions for scoped packages;
	// the folder is ours alone, so what is there is it.
	found, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if len(found) != 1 {
		return "", &npmError{path: n.path, said: "packed nothing"}
	}
	return found[0], nil
}

func (r release) spec() string { return r.Name + "@" + r.Version }

// run runs npm once more with a cache of its own where the user's npm cache
// cannot be written to, which happens after an npm that ran as root.
func (n *npmTool) run(ctx context.Context, limit time.Duration, args ...string) (string, error) {
	out, err := n.once(ctx, limit, n.env, args)
	if ne, ok := errors.AsType[*npmError](err); !ok || !ne.cacheTrouble() {
		return out, err
	}
	tmp, terr := os.MkdirTemp("", "pwpipe-npm-")
	if terr != nil {
		return out, err
	}
	defer os.RemoveAll(tmp)
	return n.once(ctx, limit, append(n.env[:len(n.env):len(n.env)], "npm_config_cache="+tmp), args)
}

func (n *npmTool) once(ctx context.Context, limit time.Duration, env, args []string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// npm's own default waits over a minute before it says that there is no network.
	args = append(args, "--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
	cmd := exec.CommandContext(limited, n.path, slices.Concat(n.script, args)...)
	cmd.Env = env
	cmd.WaitDelay = 2 * time.Second
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return stdout.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", &npmError{path: n.path, code: "ETIMEDOUT", said: fmt.Sprintf("npm %s gave no answer in %s", args[0], limit)}
	}
	return "", newNpmError(n.path, err, stdout.String(), stderr.String())
}

// npmError is a run of npm that failed. code is npm's own, "" where it gave
// none, which means that npm itself is broken.
type npmError struct{ path, code, said string }

func (e *npmError) Error() string { return e.said }

var npmCode = regexp.MustCompile(`(?m)^npm (?:error|ERR!) code (\S+)`)

func newNpmError(path string, err error, stdout, stderr string) *npmError {
	var report struct {
		Error struct{ Code, Summary string }
	}
	_ = json.Unmarshal([]byte(stdout), &report) // no report is an empty one
	e := &npmError{path: path, code: report.Error.Code}
	e.said = cmp.Or(firstLine(report.Error.Summary), npmLine(stderr), err.Error())
	if m := npmCode.FindStringSubmatch(stderr); e.code == "" && m != nil {
		e.code = m[1]
	}
	return e
}

// npmLine finds the telling line of npm's stderr, or of a stack trace.
func npmLine(stderr string) string {
	fallback := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "npm ERR!"), "npm error"))
		switch {
		case text == "" || strings.HasPrefix(line, "npm warn") || strings.HasPrefix(line, "npm WARN"):
		case strings.HasPrefix(text, "code ") || strings.HasPrefix(text, "syscall ") || strings.HasPrefix(text, "errno "):
		case strings.Contains(text, "Error") || text != line:
			return firstLine(text)
		case fallback == "":
			fallback = firstLine(text)
		}
	}
	return fallback
}

// cacheTrouble says whether npm failed on its own files rather than on the
// registry.
func (e *npmError) cacheTrouble() bool {
	switch e.code {
	case "EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST":
		return true
	case "ENOENT":
		return strings.Contains(e.said, "mkdir") || runtime.GOOS == "windows"
	}
	return false
}

func (e *npmError) fix() string {
	switch e.code {
	case "":
		return fmt.Sprintf("npm at %s seems broken: check `npm --version`, reinstall Node.js", e.path)
	case "E401", "E403", "ENEEDAUTH":
		return "log npm in to its registry (`npm login`) or mend its .npmrc"
	case "E404", "ETARGET":
		return "the registry npm is set to does not have it; check `npm config get registry`"
	case "ENOSPC":
		return "the disk is full; free some space"
	case "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_HAS_EXPIRED":
		return "tell npm the certificate of your network: `npm config set cafile FILE`, or NODE_EXTRA_CA_CERTS=FILE"
	}
	return "check the network and npm's proxy and registry settings with `npm ping`"
}
