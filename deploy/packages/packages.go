// Package packages makes the packages of a release: for npm, for pip, and for MCP hosts.
package packages

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"pwpipe/provider"
)

// platform is what one system with one architecture is called.
type platform struct {
	goos, goarch string
	npmOS, npm   string // npm's words: process.platform and process.arch
	wheel        string // the platform tag of a wheel (PEP 425)
}

var platforms = []platform{
	{"linux", "amd64", "linux", "x64", "manylinux_2_17_x86_64"},
	{"linux", "arm64", "linux", "arm64", "manylinux_2_17_aarch64"},
	{"darwin", "amd64", "darwin", "x64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win32", "x64", "win_amd64"},
	{"windows", "arm64", "win32", "arm64", "win_arm64"},
}

func (p platform) program() string {
	if p.goos == "windows" {
		return "pwpipe.exe"
	}
	return "pwpipe"
}

func (p platform) archive(version string) string {
	name := fmt.Sprintf("pwpipe_%s_%s_%s", version, p.goos, p.goarch)
	if p.goos == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

type file struct {
	name string // with slashes
	data []byte
	exec bool
}

var (
	reVersion    = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)
	reRepository = regexp.MustCompile(`^[0-9A-Za-z-]+/[0-9A-Za-z._-]+$`)
)

// release is what the packages of one version have in common.
type release struct {
	version    string
	repository string // on GitHub, "" for none
	out        string // folder of the packages
	legal      []file
	tools      []declared
	session    shape // the options of a session
	found      []platform
}

// Make makes the packages of the archives that are there. It runs from the top of the checkout.
func Make(version, repository, archives, out string, tools []*provider.Tool) (err error) {
	if !reVersion.MatchString(version) {
		return fmt.Errorf("-version %q is not a version such as 1.2.3", version)
	}
	if repository != "" && !reRepository.MatchString(repository) {
		return fmt.Errorf("-repository %q is not a repository such as owner/name", repository)
	}
	r := release{version: version, repository: repository, out: out}
	if r.legal, err = fromTree(".", "LICENSE", "NOTICE"); err != nil {
		return err
	}
	if r.tools, r.session, err = readTools(tools); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	programs := []file{} // for the bundle
	for _, p := range platforms {
		binary, err := fromArchive(filepath.Join(archives, p.archive(version)), p.program())
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			programs = append(programs, bundled(version, p, binary)...)
			err = errors.Join(r.writeNpmPlatform(p, binary), r.writeWheel(p, binary))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.archive(version), err)
		}
		r.found = append(r.found, p)
	}
	if len(r.found) == 0 {
		return fmt.Errorf("no archive of version %s in %s", version, archives)
	}
	if err := errors.Join(r.writeNpm(), r.writeBundle(programs, tools)); err != nil {
		return err
	}
	if repository == "" {
		return nil
	}
	return r.writeServer()
}

// fromArchive reads one file at the top of an archive.
func fromArchive(archive, name string) ([]byte, error) {
	if filepath.Ext(archive) == ".zip" {
		r, err := zip.OpenReader(archive)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		f, err := r.Open(name)
		if err != nil {
			return nil, fmt.Errorf("no %s in it", name)
		}
		defer f.Close()
		return io.ReadAll(f)
	}
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("no %s in it", name)
		}
		if path.Clean(h.Name) == name {
			return io.ReadAll(r)
		}
	}
}

// fromTree reads files of the project. It runs from the top of the checkout.
func fromTree(folder string, names ...string) (list []file, err error) {
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		list = append(list, file{name: name, data: data})
	}
	return list, nil
}
