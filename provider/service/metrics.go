package service

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"pwpipe/provider"
)

// metrics are the metrics of /metrics.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	teams    *prometheus.CounterVec // calls by team
	in, out  prometheus.Counter
}

// SessionCounts are counts of sessions, for scaling the service.
type SessionCounts interface {
	Capacity() int
	Waiting() (n int, oldest time.Duration)
	Opened() int
}

// BrowserCounts are counts of browsers: how many run, how many don't, restarts, and
// contexts.
type BrowserCounts interface {
	Browsers() (up, down int)
	Restarts() int
	Contexts() int
}

func newMetrics(s *server) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pwpipe_requests_total",
			Help: "Calls of tools, by tool and outcome (ok, or the kind of error)."}, []string{"tool", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pwpipe_request_duration_seconds",
			Help:    "Time of calls, without the wait for their turn.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}}, []string{"tool"}),
		teams: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pwpipe_team_requests_total",
			Help: "Calls of tools, by team and outcome."}, []string{"team", "outcome"}),
		in:  prometheus.NewCounter(prometheus.CounterOpts{Name: "pwpipe_received_bytes_total", Help: "Bytes of request bodies and socket messages."}),
		out: prometheus.NewCounter(prometheus.CounterOpts{Name: "pwpipe_sent_bytes_total", Help: "Bytes of response bodies and socket messages."}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	counter := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	m.registry.MustRegister(m.requests, m.seconds, m.teams, m.in, m.out,
		gauge("pwpipe_sessions_open", "Sessions that are open.", func() float64 { return float64(s.sessions.Open()) }),
		gauge("pwpipe_draining", "1 when no session is opened any more.", func() float64 {
			if s.emptying.Load() {
				return 1
			}
			return 0
		}),
		gauge("pwpipe_queue_depth", "Calls that run or wait for their turn.", func() float64 { return float64(s.orders.depth()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if c, ok := s.sessions.(SessionCounts); ok {
		m.registry.MustRegister(
			gauge("pwpipe_sessions_capacity", "Sessions that may be open at once.", func() float64 { return float64(c.Capacity()) }),
			gauge("pwpipe_sessions_waiting", "Clients that wait for a session.", func() float64 { n, _ := c.Waiting(); return float64(n) }),
			gauge("pwpipe_sessions_oldest_wait_seconds", "Time that the first of them has waited.", func() float64 { _, oldest := c.Waiting(); return oldest.Seconds() }),
			counter("pwpipe_sessions_opened_total", "Sessions that were opened.", c.Opened))
	}
	if b, ok := s.sessions.(BrowserCounts); ok {
		for _, state := range []string{"up", "down"} {
			m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pwpipe_browsers", Help: "Browsers, by state.",
				ConstLabels: prometheus.Labels{"state": state}}, func() float64 {
				up, down := b.Browsers()
				if state == "up" {
					return float64(up)
				}
				return float64(down)
			}))
		}
		m.registry.MustRegister(
			gauge("pwpipe_browser_contexts", "Browser contexts that are open.", func() float64 { return float64(b.Contexts()) }),
			counter("pwpipe_browser_restarts_total", "Starts of a browser in the place of one that crashed, hung or was killed.", b.Restarts))
	}
	return m
}

// observer counts each finished call.
func (m *metrics) observer(t *provider.Table) provider.Observer {
	return func(ctx context.Context, r provider.Request, took time.Duration, err *provider.Error) {
		tool, outcome := r.Tool, "ok"
		if t.Find(tool) == nil {
			tool = "unknown" // names that clients make up must not become labels
		}
		if err != nil {
			outcome = string(err.Kind)
		}
		m.requests.WithLabelValues(tool, outcome).Inc()
		if team := provider.TeamFrom(ctx).Name; team != "" {
			m.teams.WithLabelValues(team, outcome).Inc()
		}
		m.seconds.WithLabelValues(tool).Observe(took.Seconds())
	}
}

func (m *metrics) bytes(in, out int64) {
	m.in.Add(float64(in))
	m.out.Add(float64(out))
}
