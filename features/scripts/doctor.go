package scripts

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/internal/machine/setup"
)

// cellTime is how long Node may take to start in a cell.
const cellTime = 30 * time.Second

// CheckCell is doctor's line about the process of scripts: which walls it has, and whether
// Node starts behind them. node is "" where there is none.
func CheckCell(ctx context.Context, node string) setup.Check {
	const name = "cell"
	if node == "" { // which is said elsewhere
		return setup.Check{Name: name, Status: setup.StatusNote, Detail: "not tried without Node"}
	}
	if said, err := runsInCell(ctx, node); err != nil {
		return setup.Check{Name: name, Status: setup.StatusBroken,
			Detail: "Node does not come up in the process of scripts: " +
				strings.TrimPrefix(err.Error(), "cell: ") + said,
			Fix: "PWPIPE_NODE=/path/to/another/node"}
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
		return setup.Check{Name: name, Status: setup.StatusOK, Detail: detail}
	}
	detail += "; not " + strings.Join(missing, "; not ")
	if !nodesandbox.NetworkClosed() {
		detail += "; their network can't be closed"
	}
	return setup.Check{Name: name, Status: setup.StatusNote, Detail: detail}
}

// runsInCell starts Node in a cell, without a task.
func runsInCell(ctx context.Context, node string) (said string, err error) {
	dir, err := os.MkdirTemp("", ".tmp-")
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, nodesandbox.RemoveScratch(dir)) }()
	var words bytes.Buffer
	c, err := nodesandbox.Start(nodesandbox.Options{
		Node: node, Args: []string{"-e", "0"}, Scratch: dir, Stderr: &words})
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
