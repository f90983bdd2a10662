package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// asked is the address of the service that runs at --addr, for containers without
// curl.
func (o serveOptions) asked() (string, error) {
	addr, _, err := o.address()
	if err != nil {
		return "", err
	}
	host, port, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/", nil
}

func healthCheck(o serveOptions) error {
	base, err := o.asked()
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodGet, base+strings.TrimPrefix(o.check, "/"), nil)
	if err != nil {
		return err
	}
	return answered(r, 8*time.Second, nil)
}

// drain has a running service drained, and waits until nobody is left there. It fails
// if somebody is when the time is over.
func drain(o serveOptions) error {
	base, err := o.asked()
	if err != nil {
		return err
	}
	if o.door.OperatorKey == "" {
		return errors.New("--drain needs the service's OPERATOR_KEY")
	}
	r, err := http.NewRequest(http.MethodPost, base+"drain?wait="+url.QueryEscape(o.drain.String()), nil)
	if err != nil {
		return err
	}
	r.Header.Set("X-Api-Key", o.door.OperatorKey)
	var left struct {
		Sessions, Calls int
		Empty           bool
	}
	if err := answered(r, o.drain+8*time.Second, &left); err != nil {
		return err
	}
	if !left.Empty {
		return fmt.Errorf("after %s there are %d sessions, and %d calls", o.drain, left.Sessions, left.Calls)
	}
	return nil
}

// answered has a service answer by JSON with status 200.
func answered(r *http.Request, within time.Duration, into any) error {
	client := http.Client{Timeout: within}
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(text)))
	}
	if into == nil {
		into = &json.RawMessage{}
	}
	if json.Unmarshal(text, into) != nil {
		return fmt.Errorf("not a pwpipe that answers: %q", text)
	}
	return nil
}
