package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// TestNotice: NOTICE holds the original licences of everything linked into the
// binary on any system, and names what a run may fetch. -update rewrites it.
func TestNotice(t *testing.T) {
	linked := map[string]module{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) == 3 {
				linked[f[0]] = module{f[0], f[1], f[2]}
			}
		}
	}
	// Its licence is the same as that of x/sys, which every toolchain has.
	linked["go"] = module{"the Go standard library", "", linked["golang.org/x/sys"].dir}
	list := []module{}
	for _, m := range linked {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })

	var table, texts strings.Builder
	places := map[string]int{} // text -> its number
	for _, m := range list {
		var ids, numbers []string
		for _, text := range m.licences(t) {
			if places[text] == 0 {
				places[text] = len(places) + 1
				fmt.Fprintf(&texts, "\n---- %d ----\n\n%s\n", places[text], text)
			}
			ids = append(ids, licenceNames(text)...)
			numbers = append(numbers, fmt.Sprint(places[text]))
		}
		if len(ids) == 0 {
			t.Errorf("%s: no licence that may be linked", m.path)
		}
		slices.Sort(ids)
		fmt.Fprintf(&table, "%s: %s, text %s\n", m.path, strings.Join(slices.Compact(ids), " and "), strings.Join(numbers, " and "))
	}
	pipetest.Golden(t, "../../NOTICE", noticeHead+table.String()+noticeTexts+texts.String())
}

const noticeHead = `pwpipe is under the MIT License: see LICENSE.

What a run fetches, which is no part of pwpipe and stays under its own licence:

playwright-core, the Playwright driver: Apache-2.0, with NOTICE and ThirdPartyNotices.txt in its folder
@sparticuz/chromium, a headless Chromium: MIT; Chromium itself is BSD-3-Clause and lists what it holds at chrome://credits; its font, Open Sans: Apache-2.0
axe-core, for axe.run only: MPL-2.0

What is linked into the binary:

`

const noticeTexts = "\nThe texts:\n"

type module struct{ path, version, dir string }

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)(\.md|\.txt)?$`)

// licences are the licence texts in a module's folder, with plain line ends.
func (m module) licences(t *testing.T) (texts []string) {
	t.Helper()
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return texts
}

// licenceNames are the SPDX names of the licences in a text, out of those that
// require only attribution.
func licenceNames(text string) (ids []string) {
	folded := strings.Join(strings.Fields(text), " ")
	for id, words := range map[string]string{
		"MIT": "Permission is hereby granted, free of charge", "Apache-2.0": "Apache License Version 2.0",
		"ISC": "Permission to use, copy, modify, and/or distribute",
	} {
		if strings.Contains(folded, words) {
			ids = append(ids, id)
		}
	}
	if strings.Contains(folded, "Redistribution and use in source and binary forms") {
		if strings.Contains(folded, "Neither the name") || strings.Contains(folded, "may not be used to endorse") || strings.Contains(folded, "names of its contributors") {
			ids = append(ids, "BSD-3-Clause")
		} else {
			ids = append(ids, "BSD-2-Clause")
		}
	}
	return ids
}

// TestFetchedLicences: NOTICE agrees with the driver's own licence files.
func TestFetchedLicences(t *testing.T) {
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(in.DriverDir, "package", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ License string }
	if err := json.Unmarshal(text, &p); err != nil || !strings.Contains(noticeHead, "driver: "+p.License) {
		t.Errorf("%v: the driver is under %q", err, p.License)
	}
}
