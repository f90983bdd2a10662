package setup

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"pwpipe/internal/script/nodesandbox"
)

// cellTime is how long Node may take to start in a cell.
const cellTime = 30 * time.Second

// checkCell reports which walls the script process has, and whether Node starts behind
// them.
func (d doctor) checkCell(ctx context.Context) Check {
	const name = "cell"
	if d.node == "" { // which is said elsewhere
		return Check{name, statusNote, "not tried without Node", ""}
	}
	if said, err := runsInCell(ctx, d.node); err != nil {
		return Check{name, statusBroken, "Node does not come up in the process of scripts: " + strings.TrimPrefix(err.Error(), "cell: ") + said, "PWPIPE_NODE=/path/to/another/node"}
	}
	var stand, missing []string
	for _, w := range nodesandbox.Walls() {
		if w.Stands {
			stand = append(stand, w.Name)
		} else {
			missing = append(missing, w.Name+": "+w.Why)
		}
	}
	detail := "scripts have a process behind " + strings.Join(stand, ", ")
	if len(missing) == 0 {
		return Check{name, statusOK, detail, ""}
	}
	detail += "; not " + strings.Join(missing, "; not ")
	if !nodesandbox.NetworkClosed() {
		detail += "; their network can't be closed"
	}
	return Check{name, statusNote, detail, ""}
}

// runsInCell starts Node in a cell, without a task.
func runsInCell(ctx context.Context, node string) (said string, err error) {
	dir, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, nodesandbox.RemoveScratch(dir)) }()
	var words bytes.Buffer
	c, err := nodesandbox.Start(nodesandbox.Options{Node: node, Args: []string{"-e", "0"}, Scratch: dir, Stderr: &words})
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, c.Kill)
	defer stop()
	defer time.AfterFunc(cellTime, c.Kill).Stop()
	if err := c.Wait(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(words.String()), "\n")
		return " " + line, err
	}
	return "", nil
}
