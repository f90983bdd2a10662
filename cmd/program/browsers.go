package program

import (
	"errors"
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
	drivers int
}

// eachDriver is how many browsers a driver has if nobody says how many drivers there are:
// its end touches the sessions of few browsers, and one more of four costs little memory.
const eachDriver = 4

const isolateSession = "session"

func (o *browsersOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.number, "browsers", "1", "maximum number of browsers; a new one starts when all others are in use (auto: as many as the machine has cores and GiB of memory for)")
	f.IntVar(&o.drivers, "drivers", 0,
		"maximum number of Playwright drivers, Node processes that the browsers share; 0: one for every four browsers")
	f.StringVar(&o.isolate, "isolate", "", "session: each session gets a browser of its own, which ends with it")
}

// read says what they ask for. Several addresses to attach to, with commas, are as
// many browsers: the first stays in own, others are the rest.
func (o *browsersOptions) read(own *serveOptions) (to handlers.Browsers, others []string, err error) {
	to.Isolate = o.isolate == isolateSession
	if o.number == "auto" {
		to.Most = BrowsersThatFit(runtime.NumCPU(), memory.Total())
	} else if to.Most, err = strconv.Atoi(o.number); err != nil || to.Most < 1 {
		return to, nil, fmt.Errorf("--browsers: expected a number from 1, or auto, got %q", o.number)
	}
	attached := own.CDP != "" || own.WS != ""
	for _, to := range []*string{&own.CDP, &own.WS} {
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
	case len(others) > 0 && own.CDP != "" && own.lendTabs:
		err = fmt.Errorf("--cdp: the open tabs of several browsers can't be lent; add --lend-tabs=false")
	case (attached || to.Isolate) && o.drivers > 0:
		err = errOwnDrivers
	case o.drivers < 0 || o.drivers > to.Most:
		err = fmt.Errorf("--drivers: expected a number from 0 to that of the browsers, %d, got %d", to.Most, o.drivers)
	}
	return to, others, err
}

var errOwnDrivers = errors.New("--drivers is for the browsers of --browsers that pwpipe starts; others have a driver each")

// shared are the drivers that so many browsers share.
func (o *browsersOptions) shared(browsers int) *handlers.Drivers {
	each := eachDriver
	if o.drivers > 0 {
		each = (browsers + o.drivers - 1) / o.drivers
	}
	if browsers == 1 {
		each = 1
	}
	return &handlers.Drivers{Each: each}
}

func (p *Program) attachedTo(cfg handlers.Config, others []string) (list []handlers.Config, err error) {
	for _, address := range others {
		own := cfg
		if cfg.WS != "" {
			own.WS = address
			list = append(list, handlers.Configured(own, p.Parts()...))
			continue
		}
		if own.CDP, err = p.cdpURL(address); err != nil {
			return nil, err
		}
		own.Source = nil
		list = append(list, handlers.Configured(own, p.Parts()...))
	}
	return list, nil
}

// BrowsersThatFit is how many browsers a machine is good for: a core and a GiB for each.
func BrowsersThatFit(cores int, bytes int64) int {
	n := cores
	if bytes > 0 {
		n = min(n, int(bytes>>30))
	}
	return max(1, n)
}
