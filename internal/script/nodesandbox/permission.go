package nodesandbox

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// askTime bounds Node's answer about itself.
const askTime = 10 * time.Second

// permissionFlags are the flags of Node's permission model, which limits its own API.
// They are for systems without a wall for files. Node 18 has none.
func permissionFlags(o Options) []string {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, o.Node, "--version").Output()
	if err != nil {
		return nil
	}
	name := permissionFlag(strings.TrimSpace(string(out)))
	if name == "" {
		return nil
	}
	flags := []string{name, "--allow-worker", "--allow-fs-write=" + o.Scratch, "--allow-fs-read=" + o.Scratch}
	for _, path := range o.Read {
		flags = append(flags, "--allow-fs-read="+path)
	}
	return flags
}

// permissionFlag is a version's name for it, "" if it has none.
func permissionFlag(version string) string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	var n [2]int
	for i, text := range []string{major, minor} {
		var err error
		if n[i], err = strconv.Atoi(text); err != nil {
			return ""
		}
	}
	switch {
	case n[0] < 20:
		return ""
	case n[0] > 23, n[0] == 23 && n[1] >= 5, n[0] == 22 && n[1] >= 13:
		return "--permission"
	}
	return "--experimental-permission"
}
