package network

import (
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// OfflineParams are the parameters of [Offline].
type OfflineParams struct {
	On bool `json:"on" doc:"true: no network"`
}

// offline is context.setOffline.
func offline(c *tool.Call, in OfflineParams) error {
	return c.Fail(c.Context.SetOffline(in.On), "")
}

type headersParams struct {
	Headers map[string]string `json:"headers" doc:"values by name"`
}

// headers is page.setExtraHTTPHeaders.
func headers(c *tool.Call, in headersParams) error {
	return c.Fail(c.PW.SetExtraHTTPHeaders(in.Headers), "")
}

type throttleParams struct {
	Preset  string   `json:"preset,omitempty" doc:"a known network, in place of latency, down and up" enum:"none,slow-3g,fast-3g,slow-4g,fast-4g"`
	Latency *float64 `json:"latency,omitempty" doc:"milliseconds before an answer begins" min:"0"`
	Down    *float64 `json:"down,omitempty" doc:"kilobits a second; 0 for no limit" min:"0"`
	Up      *float64 `json:"up,omitempty" doc:"kilobits a second; 0 for no limit" min:"0"`
	CPU     *float64 `json:"cpu,omitempty" doc:"how many times slower scripts run; 1 for full speed" min:"1" max:"100"`
}

// network are the values of a preset, the same as in the browsers' developer tools.
type network struct{ latency, down, up float64 }

var networks = map[string]network{
	"none":    {},
	"slow-3g": {2000, 400, 400},
	"fast-3g": {562.5, 1440, 675},
	"slow-4g": {562.5, 1440, 675},
	"fast-4g": {165, 8100, 1350},
}

// throttle is DevTools' Network.emulateNetworkConditions and
// Emulation.setCPUThrottlingRate.
func throttle(c *tool.Call, in throttleParams) error {
	if in == (throttleParams{}) {
		return provider.Errorf(provider.KindArgs, "give preset, latency, down, up or cpu")
	}
	if in.Preset == "none" && in.CPU == nil {
		in.CPU = new(1.0)
	}
	if in.CPU != nil {
		if err := c.Emulate("Emulation.setCPUThrottlingRate", map[string]any{"rate": *in.CPU}); err != nil {
			return c.Fail(err, "")
		}
	}
	if in.Preset == "" && in.Latency == nil && in.Down == nil && in.Up == nil {
		return nil
	}
	n := networks[in.Preset]
	for to, given := range map[*float64]*float64{&n.latency: in.Latency, &n.down: in.Down, &n.up: in.Up} {
		if given != nil {
			*to = *given
		}
	}
	// The override belongs to the domain Network, which must be enabled.
	if err := c.Emulate("Network.enable", nil); err != nil {
		return c.Fail(err, "")
	}
	return c.Fail(c.Emulate("Network.emulateNetworkConditions", map[string]any{
		"offline": false, "latency": n.latency, "downloadThroughput": bytesPerSecond(n.down), "uploadThroughput": bytesPerSecond(n.up)}), "")
}

// bytesPerSecond converts to DevTools' unit; -1 is no limit.
func bytesPerSecond(kbits float64) float64 {
	if kbits == 0 {
		return -1
	}
	return kbits * 1000 / 8
}
