package setup

import (
	"context"
	"fmt"
	"time"
)

// release is one pinned npm package.
type release struct {
	Name      string // npm name
	Version   string
	Integrity string // sha512 of the tarball, as npm writes it
	Built     string // build date, if it matters: 2006-01-02
	Title     string // its name for people
	Folder    string // its name in the cache folder, without the version
	Key       string // a file that must exist once it is unpacked
	Packed    int64  // bytes of the tarball
	Unpacked  int64  // bytes it takes on disk, for the check of free space

	// unpack lays the tarball out in a folder; nil means as it is.
	unpack func(ctx context.Context, tgz, dir string) error
	// verify runs what was unpacked before it is put in place, and answers its
	// version; nil means the version is the release's.
	verify func(ctx context.Context, dir string) (version string, err error)
}

// Everything that pwpipe fetches is pinned here and nowhere else. A new version
// is a new Version and Integrity (`npm view NAME@VERSION dist.integrity`); the
// newest Chromium is pinned by `go generate ./internal/machine/setup`.
//
//go:generate go test -count=1 -v -run TestPinNewest -renew
var (
	// driverRelease is the driver that playwright-go v0.6000.0 supports.
	driverRelease = release{
		Name:      "playwright-core",
		Version:   "1.60.0",
		Integrity: "sha512-9bW6zvX/m0lEbgTKJ6YppOKx8H3VOPBMOCFh2irXFOT4BbHgrx5hPjwJYLT40Lu+4qtD36qKc/Hn56StUW57IA==",
		Title:     "the Playwright driver",
		Folder:    "playwright-core",
		Key:       "package/cli.js",
		Packed:    2_814_257,
		Unpacked:  12_800_000,
	}

	// chromiumRelease is a headless Chromium for linux/amd64 that needs no
	// system packages.
	chromiumRelease = release{
		Name:      "@sparticuz/chromium",
		Version:   "153.0.0",
		Integrity: "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
		Built:     "2026-09-09",
		Title:     "headless Chromium",
		Folder:    "chromium",
		Key:       chromiumExe,
		Packed:    69_995_309,
		Unpacked:  221_000_000,
		unpack:    unpackChromium,
		verify:    verifyChromium,
	}

	// axeRelease is fetched only when an accessibility check needs it.
	axeRelease = release{
		Name:      "axe-core",
		Version:   "4.14.1",
		Integrity: "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
		Title:     "axe-core",
		Folder:    "axe-core",
		Key:       "package/axe.min.js",
		Packed:    708_405,
		Unpacked:  3_600_000,
	}

	// testRelease is Playwright's test package with expect, for scripts. It has the
	// driver's version.
	testRelease = release{
		Name:      "playwright",
		Version:   "1.60.0",
		Integrity: "sha512-hheHdokM8cdqCb0lcE3s+zT4t4W+vvjpGxsZlDnikarzx8tSzMebh3UiFtgqwFwnTnjYQcsyMF8ei2mCO/tpeA==",
		Title:     "Playwright's expect",
		Folder:    "playwright",
		Key:       "package/lib/matchers/expect.js",
		Packed:    876_769,
		Unpacked:  5_100_000,
	}
)

// minNode is the oldest major version of Node that the driver runs on.
const minNode = 18

// age says how old the Chromium of a release is.
func (r release) age(now time.Time) string {
	built, err := time.Parse(time.DateOnly, r.Built)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("built %d days ago (%s)", int(now.Sub(built).Hours()/24), r.Built)
}
