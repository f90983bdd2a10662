package program

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/policy/guardproxy"
)

// ProxyOptions are the flags of the proxy that leads out of the user's network.
type ProxyOptions struct {
	Server, Bypass string
	pac            string // URL or file
	User, Password string // of a configuration file; else they are in the server's URL
}

// What the flags of a proxy say of themselves.
const (
	ProxyHelp = "proxy of pages and scripts: http://, https:// or socks5://, [user:password@]host:port " +
		"(with a login better given as a variable, since others can see flags)"
	BypassHelp = "hosts that are reached without the proxy, such as .example.com, separated by commas"
)

func (o *ProxyOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.Server, "proxy-server", "", ProxyHelp)
	f.StringVar(&o.Bypass, "proxy-bypass", "", BypassHelp)
	f.StringVar(&o.pac, "proxy-pac", "",
		"URL or file of a PAC script, by which the browser chooses proxies; needs --browser")
}

// into gives a browser the proxy, behind our own: that one applies the policy, and logs in, so
// that neither the browser nor a page ever has the login.
func (o *ProxyOptions) into(cfg *handlers.Config) error {
	switch {
	case o.pac != "":
		return o.pacInto(cfg)
	case o.Server == "" && o.Bypass != "":
		return errors.New("--proxy-bypass belongs to --proxy-server, which is not given")
	case o.Server == "":
		return nil
	case cfg.Attached():
		return errors.New("--proxy-server belongs to a browser that pwpipe starts; " +
			"leave it out with --cdp, --ws and --grid")
	case cfg.Policy.JudgesAddresses():
		return errors.New("--proxy-server: it looks names up by itself, so --block-private and blocked addresses " +
			"can't be enforced behind it; leave out one of them")
	}
	up, err := guardproxy.NewUpstream(o.Server, o.Bypass, o.User, o.Password)
	if err != nil {
		return fmt.Errorf("--proxy-server: %w", err)
	}
	up.Trusted = true
	cfg.Upstream = up
	return nil
}

// pacInto has a browser choose its proxies by a PAC script. Then nothing of ours stands between
// the browser and its hosts.
func (o *ProxyOptions) pacInto(cfg *handlers.Config) error {
	switch {
	case o.Server != "" || o.Bypass != "":
		return errors.New("give one of --proxy-pac and --proxy-server")
	case len(cfg.ClientCertificates) > 0:
		return errors.New("--client-certificates: the sites are reached by a proxy of ours; leave out --proxy-pac")
	case cfg.Attached():
		return errors.New("--proxy-pac belongs to a browser that pwpipe starts; " +
			"leave it out with --cdp, --ws and --grid")
	case slices.Contains([]string{"", "chromium", "firefox", "webkit"}, cfg.Browser):
		return errors.New("--proxy-pac: the browser that pwpipe fetches loads nothing behind a PAC script; " +
			"name a whole one with --browser: chrome, msedge or the path of a Chromium")
	case cfg.Filtered():
		return errors.New("--proxy-pac: the browser chooses proxies by itself then, so allowed and blocked hosts " +
			"can't be enforced; leave out one of them")
	}
	if cfg.PAC = o.pac; isHTTP(o.pac) {
		return nil
	}
	text, err := writefile.Read(o.pac, writefile.MaxConfig)
	if err != nil {
		return fmt.Errorf("--proxy-pac: %w", err)
	}
	cfg.PAC = "data:application/x-ns-proxy-autoconfig;base64," + base64.StdEncoding.EncodeToString(text)
	return nil
}
