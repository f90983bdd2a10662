package setup

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"time"
)

// launchSeen are the arguments that the driver gave to a browser.
type launchSeen struct {
	Args []string  `json:"args"`
	Time time.Time `json:"time"`
}

// maxLaunches bounds the kept launches: each has a kilobyte and a half, and is read at
// every start.
const maxLaunches = 8

// Launch remembers the arguments with which the driver starts a browser, so that the
// next run can start it before the driver requests it.
type Launch struct {
	setup *setup
	key   string
}

// LaunchOf is the remembered launch of in with the driver's options, of any type.
// Another driver or browser is another launch.
func LaunchOf(o Options, in *Installed, options []byte) (*Launch, error) {
	s, err := newSetup(o)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(in.Program())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d %d\n%s", in.DriverDir, in.Program(), st.Size(), st.ModTime().UnixNano(), options))
	return &Launch{s, fmt.Sprintf("%.16x", sum)}, nil
}

// Program is the path of the browser, "" where only Playwright knows it.
func (in *Installed) Program() string {
	if in.Executable == "" && in.Channel != "" {
		return channelPath(in.Channel)
	}
	return in.Executable
}

// Args are the arguments of the last launch, nil if there was none. They come from a
// file: the driver's own request decides whether they are right.
func (l *Launch) Args() []string { return l.setup.readState().Launches[l.key].Args }

// Remember stores the arguments if they are new.
func (l *Launch) Remember(args []string) {
	state := l.setup.readState()
	if slices.Equal(state.Launches[l.key].Args, args) {
		return
	}
	state.Launches[l.key] = launchSeen{args, time.Now().UTC().Round(time.Second)}
	forgetOldest(state.Launches, maxLaunches, func(l launchSeen) time.Time { return l.Time })
	l.setup.writeState(state)
}
