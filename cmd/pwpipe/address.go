package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
)

// address is where to listen, and whether that is loopback.
func (o *serveOptions) address() (addr string, loopback bool, err error) {
	addr = o.addr
	if addr == "" {
		port := os.Getenv("PORT")
		if port == "" {
			port = "3337"
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false, fmt.Errorf("PORT: expected a port from 0 to 65535, got %q", port)
		}
		addr = ":" + port
	}
	if _, err := strconv.ParseUint(addr, 10, 16); err == nil {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", false, fmt.Errorf("--addr: expected host:port or :port, got %q", o.addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", false, fmt.Errorf("--addr: expected a port from 0 to 65535, got %q", port)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	return net.JoinHostPort(host, port), ip != nil && ip.IsLoopback(), nil
}
