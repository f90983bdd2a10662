package main

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/machine/memory"
)

// browsersOptions are the flags that say in which browsers the sessions of a service
// live.
type browsersOptions struct {
	number  string
	isolate string
}

// isolateSession is what --isolate takes.
const isolateSession = "session"

func (o *browsersOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.number, "browsers", "1", "maximum number of browsers; a new one starts when all others are in use (auto: as many as the machine has cores and GiB of memory for)")
	f.StringVar(&o.isolate, "isolate", "", "session: each session gets a browser of its own, which ends with it")
}

// read says what they ask for. Several addresses to attach to, with commas, are as
// many browsers: the first stays in own, others are the rest.
func (o *browsersOptions) read(own *serveOptions) (to handlers.Browsers, others []string, err error) {
	to.Isolate = o.isolate == isolateSession
	if o.number == "auto" {
		to.Most = fitting(runtime.NumCPU(), memory.Total())
	} else if to.Most, err = strconv.Atoi(o.number); err != nil || to.Most < 1 {
		return to, nil, fmt.Errorf("--browsers: expected a number from 1, or auto, got %q", o.number)
	}
	attached := own.cdp != "" || own.ws != ""
	for _, to := range []*string{&own.cdp, &own.ws} {
		list := strings.Split(*to, ",")
		*to = list[0]
		others = append(others, list[1:]...)
	}
	switch {
	case o.isolate != "" && !to.Isolate:
		err = fmt.Errorf("--isolate: expected %s, got %q", isolateSession, o.isolate)
	case to.Isolate && o.number != "1":
		err = fmt.Errorf("--isolate %s starts a browser for each session; leave --browsers out", isolateSession)
	case attached && (to.Isolate || o.number != "1"):
		err = fmt.Errorf("--browsers and --isolate are for browsers that pwpipe starts; to attach to several, give their addresses separated by commas")
	case len(others) > 0 && own.cdp != "" && own.lendTabs:
		err = fmt.Errorf("--cdp: the open tabs of several browsers can't be lent; add --lend-tabs=false")
	}
	return to, others, err
}

// attachedTo are the configurations of the other browsers to attach to.
func attachedTo(cfg handlers.Config, others []string) (list []handlers.Config, err error) {
	for _, address := range others {
		own := cfg
		if cfg.WS != "" {
			own.WS = address
		} else if own.CDP, err = cdpURL(address); err != nil {
			return nil, err
		}
		list = append(list, own)
	}
	return list, nil
}

// fitting is how many browsers a machine is good for: a core and a GiB for each.
func fitting(cores int, bytes int64) int {
	n := cores
	if bytes > 0 {
		n = min(n, int(bytes>>30))
	}
	return max(1, n)
}
