package chromesandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest/until"
)

// Chromium's texts for everything that keeps its sandbox off, from 137 and 156.
func TestExplain(t *testing.T) {
	for said, want := range map[string]string{
		"[1122/050938.666662:ERROR:../content/browser/zygote_host/zygote_host_impl_linux.cc:105] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.":                                                             "refuses its sandbox to root",
		"[1122/051043.830335:FATAL:../content/browser/zygote_host/zygote_host_impl_linux.cc:132] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see": "user namespaces are not to be had here: ",
		"LaunchProcess: failed to execvp:\n/root/chromium\n[1122/050938.918928:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:211] Check failed: . : Permission denied (13)":                                                          "can't enter by its own rights",
	} {
		f, ok := explain(said)
		if !ok || f.On || !strings.Contains(f.Why, want) || f.Fix == "" {
			t.Errorf("%s\n%+v, want %s", said, f, want)
		}
	}
	if f, ok := explain("error while loading shared libraries: libnss3.so"); ok {
		t.Errorf("made up a reason: %+v", f)
	}
}

// The kernel's data decide whether a process is confined, not its flags.
func TestJudge(t *testing.T) {
	if f := judge([]int{os.Getpid()}); f.On || f.Why == "" {
		t.Errorf("this test is said to be confined: %+v", f)
	}
	if f := judge(nil); f.On {
		t.Error("no process is said to be confined")
	}
}

// fake is a browser that only prints something.
func fake(t *testing.T, script string) Browser {
	t.Helper()
	path := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	return Browser{Path: path}
}

// A browser that starts neither way says nothing about the sandbox.
func TestNoBrowser(t *testing.T) {
	b := fake(t, "echo libnss3.so is missing >&2; exit 127")
	if f, err := try(t.Context(), b); err == nil || !strings.Contains(err.Error(), "libnss3.so is missing") {
		t.Errorf("%+v, %v", f, err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// A hanging browser is ended with all of its processes.
func TestHungBrowser(t *testing.T) {
	b := fake(t, "sleep 1000 & echo $! > $0.child; exec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		until.Held(func() bool {
			text, _ := os.ReadFile(b.Path + ".child")
			return strings.HasSuffix(string(text), "\n")
		})
	}()
	if f, err := try(ctx, b); err == nil {
		t.Errorf("%+v", f)
	}
	pid, _ := os.ReadFile(b.Path + ".child")
	if len(pid) == 0 {
		t.Fatal("it did not start")
	}
	until.Holds(t, "what it started has ended", func() bool {
		state := statusLine(strings.TrimSpace(string(pid)), "State")
		return state == "" || strings.HasPrefix(state, "Z")
	})
}

// The conditions contain the user and the kernel's settings.
func TestConditions(t *testing.T) {
	before := Conditions("/somewhere/chromium")
	for _, want := range []string{"uid ", "kernel ", "max_user_namespaces ", "seccomp "} {
		if !strings.Contains(before, want) {
			t.Errorf("no %q in %s", want, before)
		}
	}
	dir := t.TempDir()
	before = Conditions(filepath.Join(dir, "chromium"))
	if err := os.WriteFile(filepath.Join(dir, "chrome-sandbox"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if Conditions(filepath.Join(dir, "chromium")) == before {
		t.Error("a helper beside the browser makes no difference")
	}
}
