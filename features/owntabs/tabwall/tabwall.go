// Package tabwall has the commands that an agent may send to a tab of a browser that a person
// uses, whichever way the tab is lent: a list, and rules where a list is not enough.
package tabwall

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// domains are the domains whose commands reach no further than the page of their session.
var domains = strings.Fields(`Accessibility Animation Audits CacheStorage Console CSS Debugger
	DeviceOrientation DOM DOMDebugger DOMSnapshot DOMStorage EventBreakpoints Fetch IndexedDB Inspector
	IO LayerTree Log Media Overlay Performance PerformanceTimeline Preload Runtime Schema WebAudio WebAuthn`)

// commands are the commands of other domains that reach no further either. Not listed,
// among others: Tracing (all of the browser), ServiceWorker and BackgroundService (every
// site's), the screens of Emulation (the person's windows are on them), SystemInfo, Memory,
// Extensions, Autofill, Cast, PWA, Tethering, DeviceAccess, and what plugs devices in.
var commands = map[string][]string{
	"Emulation": strings.Fields(`canEmulate clearDeviceMetricsOverride clearDevicePostureOverride
		clearDisplayFeaturesOverride clearGeolocationOverride clearIdleOverride
		getOverriddenSensorInformation getScreenInfos resetPageScaleFactor
		setAutoDarkModeOverride setAutomationOverride setCPUPerformanceOverride
		setCPUThrottlingRate setDataSaverOverride setDefaultBackgroundColorOverride
		setDeviceMetricsOverride setDevicePostureOverride setDisabledImageTypes
		setDisplayFeaturesOverride setDocumentCookieDisabled
		setEmulatedMedia setEmulatedOSTextScale setEmulatedVisionDeficiency
		setFocusEmulationEnabled setGeolocationOverride setHardwareConcurrencyOverride
		setIdleOverride setLocaleOverride setNavigatorOverrides
		setPressureSourceOverrideEnabled setPressureStateOverride setSafeAreaInsetsOverride
		setScriptExecutionDisabled setScrollbarsHidden setSensorOverrideEnabled
		setSensorOverrideReadings setSmallViewportHeightDifferenceOverride setTimezoneOverride
		setTouchEmulationEnabled setUserAgentOverride setVirtualKeyboardGeometryOverride
		setVisibleSize`),
	"Input": strings.Fields(`cancelDragging dispatchDragEvent imeSetComposition insertText setIgnoreInputEvents
		setInterceptDrags synthesizeScrollGesture synthesizeTapGesture`),
	"Network": strings.Fields(`canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions
		clearAcceptedEncodingsOverride disable emulateNetworkConditions
		emulateNetworkConditionsByRule enable enableReportingApi fetchSchemefulSite
		getCertificate getRequestPostData getResponseBody getResponseBodyForInterception
		getSecurityIsolationStatus overrideNetworkState replayXHR
		searchInResponseBody setAcceptedEncodings setAttachDebugStack setBlockedURLs
		setBypassServiceWorker setCacheDisabled setExtraHTTPHeaders
		setUserAgentOverride streamResourceContent`),
	"Page": strings.Fields(`captureScreenshot captureSnapshot clearDeviceMetricsOverride clearDeviceOrientationOverride
		clearGeolocationOverride createIsolatedWorld disable enable
		getAdScriptAncestry getAdScriptAncestryIds getAppId getAppManifest
		getInstallabilityErrors getLayoutMetrics getManifestIcons
		getOriginTrials getPermissionsPolicyState getResourceContent getResourceTree
		handleJavaScriptDialog printToPDF resetNavigationHistory
		screencastFrameAck searchInResource setBypassCSP setDeviceMetricsOverride
		setDeviceOrientationOverride setDocumentContent
		setGeolocationOverride setInterceptFileChooserDialog setLifecycleEventsEnabled
		setTouchEmulationEnabled startScreencast stopLoading stopScreencast
		waitForDebugger`),
	"HeapProfiler": {"collectGarbage", "disable", "enable"},
	"Profiler":     {"disable", "enable"},
	"Security":     {"disable", "enable"},
	"Storage":      {"getStorageKey", "getStorageKeyForFrame"},
}

// Verdict is what becomes of a command.
type Verdict struct {
	Params any  // what is sent in place of its params, nil for these
	Done   bool // it is answered, and not sent
}

// Rule judges the params of a command.
type Rule func(params json.RawMessage) (Verdict, error)

// rules are the rules of commands in every context.
var rules = map[string]Rule{
	"Debugger.setBreakpoint":               with(breakpoint),
	"Debugger.setBreakpointByUrl":          with(breakpoint),
	"Debugger.setBreakpointOnFunctionCall": with(breakpoint),
	"Input.dispatchKeyEvent":               with(key),
	"Input.dispatchMouseEvent":             with(mouse),
	"Input.emulateTouchFromMouseEvent":     with(mouse),
	"Network.loadNetworkResource":          with(resource),
}

// personal are the rules of commands in the person's own context. In a context that the agent made
// they are sent as they are.
var personal = map[string]Rule{
	"Emulation.setEmitTouchEventsForMouse": stays,
	"Emulation.setPageScaleFactor":         stays,
	"Emulation.setVirtualTimePolicy":       stays,
	"Input.dispatchTouchEvent":             with(touch),
	"Input.synthesizePinchGesture":         stays,
	"Page.setFontFamilies":                 looks,
	"Page.setFontSizes":                    looks,
	"Page.setWebLifecycleState":            with(lifecycle),
	"Security.setIgnoreCertificateErrors":  with(certificates),
}

// Of is the rule of a command, nil if it is refused. own is for a context that the agent made.
func Of(method string, own bool) Rule {
	if r := rules[method]; r != nil {
		return r
	}
	if r := personal[method]; r != nil && !own {
		return r
	}
	domain, name, _ := strings.Cut(method, ".")
	if personal[method] != nil || slices.Contains(domains, domain) || slices.Contains(commands[domain], name) {
		return as
	}
	return nil
}

// as is the rule of a command that is sent as it is.
func as(json.RawMessage) (Verdict, error) { return Verdict{}, nil }

// with makes a rule that decodes the params into a struct of ours. The struct is sent in their place.
func with[P any](judge func(*P) error) Rule {
	return func(params json.RawMessage) (Verdict, error) {
		p := new(P)
		if len(params) > 0 {
			if err := json.Unmarshal(params, p); err != nil {
				return Verdict{}, &cdp.Error{Code: -32600, Message: err.Error()}
			}
		}
		return Verdict{Params: p}, judge(p)
	}
}

func refused(format string, a ...any) error {
	return &cdp.Error{Code: -32000, Message: fmt.Sprintf(format, a...)}
}

// ErrOfAll is why a command is refused that would reach more than the agent's tab.
func ErrOfAll(what string) error {
	return refused("refused: it would reach %s; a context of new-ctx has its own", what)
}
