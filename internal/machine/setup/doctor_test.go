package setup

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// find returns the check with a name.
func find(t *testing.T, checks []Check, name string) Check {
	t.Helper()
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no check %s in %+v", name, checks)
	}
	return checks[i]
}

func TestDoctorOnAnEmptyMachine(t *testing.T) {
	fakeTools(t, "", "")
	o, stderr := quiet(t)
	o.Cache = filepath.Join(o.Cache, "none")
	checks := Doctor(context.Background(), o)
	for name, status := range map[string]string{"node": StatusMissing, "npm": StatusMissing, "cache": StatusOK, "driver": StatusMissing, "browser": StatusMissing} {
		c := find(t, checks, name)
		if c.Status != status || (c.Fix == "") != (status == StatusOK) || c.Detail == "" || strings.HasPrefix(c.Detail, "setup:") {
			t.Errorf("%+v, want %s", c, status)
		}
	}
	if _, err := os.Stat(o.Cache); err == nil {
		t.Error("it made the cache folder")
	}
	if stderr.Len() != 0 {
		t.Errorf("it said %q", stderr)
	}
}

func TestDoctorFindsFaults(t *testing.T) {
	fakeTools(t, "echo v12.0.0", "exit 1")
	o, _ := quiet(t)
	notDir := filepath.Join(o.Cache, "file")
	if err := os.WriteFile(notDir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(o.Cache, driverRelease.Folder+"-"+driverRelease.Version)
	if err := os.Mkdir(damaged, 0o755); err != nil {
		t.Fatal(err)
	}
	checks := Doctor(context.Background(), o)
	for _, name := range []string{"node", "npm", "driver"} {
		if c := find(t, checks, name); c.Status != StatusBroken || c.Fix == "" {
			t.Errorf("%+v", c)
		}
	}
	o.Cache, o.SkipBrowser = notDir, true
	checks = Doctor(context.Background(), o)
	if c := find(t, checks, "cache"); c.Status != StatusBroken {
		t.Errorf("%+v", c)
	}
	if slices.ContainsFunc(checks, func(c Check) bool { return c.Name == "browser" }) {
		t.Errorf("a browser was looked for: %+v", checks)
	}
}

func TestDoctorStartsTheBrowser(t *testing.T) {
	dir := fakeTools(t, goodNode, goodNpm)
	stub(t, dir, "my-browser")
	o, _ := quiet(t)
	o.Browser = "my-browser"
	if c := find(t, Doctor(context.Background(), o), "browser"); c.Status != StatusOK || !strings.HasPrefix(c.Detail, "my-browser 1.2 ") {
		t.Errorf("%+v", c)
	}
	if err := os.WriteFile(filepath.Join(dir, "my-browser"), []byte("#!/bin/sh\necho libnss3.so is missing >&2; exit 127\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if c := find(t, Doctor(context.Background(), o), "browser"); c.Status != StatusBroken || !strings.Contains(c.Detail, "libnss3.so is missing") || c.Fix == "" {
		t.Errorf("%+v", c)
	}
}

func TestDoctorAfterInstall(t *testing.T) {
	t.Setenv("PWPIPE_BROWSER", "") // use the pinned browser
	real(t)
	for _, c := range Doctor(context.Background(), Options{}) {
		if c.Name == "browser" && havePinned() && !strings.Contains(c.Detail, " days ago ("+chromiumRelease.Built+")") {
			t.Errorf("it does not say how old it is: %+v", c)
		}
		if c.Status != StatusOK && c.Status != StatusNote {
			t.Errorf("%+v", c)
		}
	}
}
