package program

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"pwpipe/handlers"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/shell/thin"
)

// closeControls registers what steers this process or the next, as the flags, the
// environment and the defaults name it: handlers/files keeps every client out of it.
// Files of settings are closed there by their name.
func (o *Options) closeControls(cfg *handlers.Config) error {
	all := slices.Concat(o.Controls, o.InitScripts, o.setup.Controls,
		programFiles(cmp.Or(cfg.Browser, os.Getenv("PWPIPE_BROWSER"))), programFiles(os.Getenv("PWPIPE_NODE")),
		thin.Folders())
	all = append(all, o.Guard.secretsFile, o.UserDataDir,
		os.Getenv("PLAYWRIGHT_BROWSERS_PATH"), os.Getenv("NODE_EXTRA_CA_CERTS"), os.Getenv("SSL_CERT_FILE"))
	if !isHTTP(o.Proxy.pac) {
		all = append(all, o.Proxy.pac)
	}
	if own, err := os.Executable(); err == nil {
		all = append(all, own)
	}
	// A folder that can't be told (without HOME, say) can't be used either.
	for _, folder := range []func() (string, error){setup.CacheFolder, StateFolder} {
		if dir, err := folder(); err == nil {
			all = append(all, dir)
		}
	}
	if file := thin.UserSettings(); file != "" {
		all = append(all, filepath.Dir(file)) // features have files there too
	}
	if err := handlers.CloseControl(all...); err != nil {
		return fmt.Errorf("what steers pwpipe can't be kept from its clients: %w", err)
	}
	return nil
}

// programFiles are the file of a program that a flag or a variable names, and its folder, whose
// libraries it loads. A folder that holds the working directory or the temporary folder
// stays open: there is nothing else for tools.
func programFiles(named string) (all []string) {
	if named == "" || slices.Contains(browsers, named) {
		return nil
	}
	file, err := exec.LookPath(named)
	if err != nil {
		return nil
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil
	}
	all = append(all, file)
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	dir := filepath.Dir(file)
	cwd, err := os.Getwd()
	if err == nil && !isIn(dir, cwd) && !isIn(dir, os.TempDir()) {
		all = append(all, dir)
	}
	return all
}

// isIn reports whether a path is a folder or lies in it, with links followed.
func isIn(dir, path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
