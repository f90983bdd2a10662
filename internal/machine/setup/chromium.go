package setup

import (
	"archive/tar"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// Names inside the folder of the pinned Chromium.
const (
	chromiumExe = "chromium"
	libDir      = "lib"        // NSS, NSPR and expat, for machines without them
	sqliteDir   = "lib-sqlite" // a stand-in for libsqlite3, for machines without it
	fontsConf   = "fonts.conf"
)

// fontsConfText adds the fonts of this folder to the system's, if it has any.
// "relative" is to this file, so the cache folder can be moved.
const fontsConfText = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

// unpackChromium lays the package out as Chromium wants it: its libraries for
// WebGL beside the executable, libraries of the system's kind in lib, fonts with
// a configuration of ours.
func unpackChromium(ctx context.Context, tgz, dir string) error {
	err := readTgz(tgz, func(r io.Reader) error {
		return eachEntry(ctx, r, func(h *tar.Header, body io.Reader) error {
			return unpackChromiumPart(ctx, path.Clean(h.Name), body, dir)
		})
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, sqliteDir), 0o755); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, sqliteDir, sqliteLib), sqliteStub, 0o755); err != nil {
		return err
	}
	// The package's own fonts.conf names folders that exist in its cloud only.
	return writeFile(filepath.Join(dir, fontsConf), []byte(fontsConfText), 0o644)
}

func unpackChromiumPart(ctx context.Context, name string, body io.Reader, dir string) error {
	switch name {
	case "package/bin/chromium.br":
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		return writeEntry(root, chromiumExe, contextReader{ctx, brotli.NewReader(body)}, 0o755)
	case "package/bin/al2023.tar.br", "package/bin/fonts.tar.br", "package/bin/swiftshader.tar.br":
		return untar(ctx, brotli.NewReader(body), dir)
	}
	return nil
}

// contextReader lets a long copy be cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// verifyChromium starts the browser once, so that an unsuitable machine gets a clear
// error now.
func verifyChromium(ctx context.Context, dir string) (string, error) {
	out, err := runVersion(ctx, filepath.Join(dir, chromiumExe), chromiumEnv(dir))
	if err != nil {
		return "", errorf("the fetched Chromium does not run on this machine (%w); install Chrome or Chromium and use `--browser PATH`, and if the cache folder is mounted noexec set PWPIPE_CACHE to another", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(out, "Chromium")), nil
}

// chromiumEnv is what the Chromium in dir needs in its environment.
func chromiumEnv(dir string) []string {
	var env []string
	if libs := chromiumLibs(dir, systemHas); libs != "" {
		if set := os.Getenv("LD_LIBRARY_PATH"); set != "" {
			libs += ":" + set
		}
		env = append(env, "LD_LIBRARY_PATH="+libs)
	}
	if os.Getenv("FONTCONFIG_FILE") == "" && os.Getenv("FONTCONFIG_PATH") == "" {
		env = append(env, "FONTCONFIG_FILE="+filepath.Join(dir, fontsConf))
	}
	return env
}

// chromiumLibs prefers the system's libraries, which get security updates and know the
// system's certificate modules, and uses ours where one is missing. The system's NSS
// always comes with libsqlite3. Ours loads it on the first https page and crashes the
// browser without it, so there is a stand-in.
func chromiumLibs(dir string, has func(string) bool) string {
	if has("libnss3.so") && has("libnssutil3.so") && has("libnspr4.so") && has("libexpat.so.1") {
		return ""
	}
	libs := filepath.Join(dir, libDir)
	if !has(sqliteLib) {
		libs += ":" + filepath.Join(dir, sqliteDir)
	}
	return libs
}

// systemHas looks where 64-bit libraries live on Debian, Fedora, Arch and their
// kin. A library elsewhere counts as missing, which only means ours is used.
func systemHas(lib string) bool {
	for _, dir := range []string{"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64"} {
		if _, err := os.Stat(filepath.Join(dir, lib)); err == nil {
			return true
		}
	}
	return false
}
