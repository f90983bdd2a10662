package packages

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Homepage     string            `json:"homepage,omitempty"`
	Repository   *source           `json:"repository,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	Main         string            `json:"main,omitempty"`
	Types        string            `json:"types,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	MCPName      string            `json:"mcpName,omitempty"`         // shows the MCP registry that the package is the server's
	PreferUnplug bool              `json:"preferUnplugged,omitempty"` // Yarn keeps it as files: a program is started from it
}

// source says where a package was built. npm refuses its provenance where the workflow ran in
// another repository.
type source struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func (r release) source() *source {
	if r.repository == "" {
		return nil
	}
	return &source{"git", "git+" + r.address() + ".git"}
}

func (p platform) npmName() string { return "@pwpipe/" + p.npmOS + "-" + p.npm }

// writeNpmPlatform writes the package with the binary of one platform. npm installs it
// where os and cpu match.
func (r release) writeNpmPlatform(p platform, binary []byte) error {
	m := manifest{
		Name: p.npmName(), Version: r.version, License: "MIT", PreferUnplug: true,
		Homepage: r.address(), Repository: r.source(),
		Description: fmt.Sprintf("pwpipe for %s on %s; install the package pwpipe", p.npmOS, p.npm),
		OS:          []string{p.npmOS}, CPU: []string{p.npm},
	}
	name := fmt.Sprintf("pwpipe-%s-%s-%s.tgz", p.npmOS, p.npm, r.version)
	files := append(slices.Clone(r.legal), file{"bin/" + p.program(), binary, true})
	return writeTarball(filepath.Join(r.out, name), m, files)
}

// writeNpm writes the package that users install: the command, the client, and the
// platform packages as optional dependencies.
func (r release) writeNpm() error {
	m := manifest{
		Name: "pwpipe", Version: r.version, License: "MIT", Homepage: r.address(), Repository: r.source(),
		Description: "Playwright over a pipe: one binary that drives a real Chromium",
		Bin:         map[string]string{"pwpipe": "bin.cjs"}, Main: "index.cjs", Types: "index.d.ts",
		Engines: map[string]string{"node": ">=18"}, Optional: map[string]string{},
	}
	if r.repository != "" {
		m.MCPName = mcpName(r.repository)
	}
	for _, p := range r.found {
		m.Optional[p.npmName()] = r.version
	}
	files, err := fromTree("deploy/npm",
		"program.cjs", "bin.cjs", "index.cjs", "service.cjs", "tools.cjs", "index.d.ts", "README.md")
	if err != nil {
		return err
	}
	files = append(append(files, r.legal...), file{name: "tools.json", data: methodNames(r.tools)},
		file{name: "tools.d.ts", data: typeScript(r.tools, r.session)})
	for i := range files {
		files[i].exec = files[i].name == "bin.cjs"
	}
	return writeTarball(filepath.Join(r.out, "pwpipe-"+r.version+".tgz"), m, files)
}

// writeTarball writes a package as `npm pack` does: all files below package/.
func writeTarball(to string, m manifest, files []file) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	zipped := gzip.NewWriter(f)
	w := tar.NewWriter(zipped)
	for _, e := range append([]file{{name: "package.json", data: append(text, '\n')}}, files...) {
		mode := int64(0o644)
		if e.exec {
			mode = 0o755
		}
		err = errors.Join(err, w.WriteHeader(&tar.Header{Name: "package/" + e.name, Mode: mode, Size: int64(len(e.data))}))
		_, werr := w.Write(e.data)
		err = errors.Join(err, werr)
	}
	return errors.Join(err, w.Close(), zipped.Close(), f.Close())
}
