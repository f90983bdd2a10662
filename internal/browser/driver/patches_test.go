package driver

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPatchesAreNeeded: the pinned Playwright needs the patches of serve.cjs, bounds.cjs, recorder.cjs and
// internal/browser/bundle (inject.cjs, places.cjs), and of scripts (patches.cjs of features/scripts/scripthost). If a
// newer one does the same by itself, this test fails, and the patch can go.
func TestPatchesAreNeeded(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(installed(t).DriverDir, "package", "lib", "coreBundle.js"))
	if err != nil {
		t.Fatal(err)
	}
	for patch, still := range map[string]string{
		"keepFewRequests":       `"ElementHandle": 1e5\s+\}\[gcBucket\] \?\? 1e4;`,
		"countHeld":             `list\.size <= maxDispatchers`,                                     // it counts objects, whatever their size
		"readInTurn":            `pipeRead\.on\("data", \(buffer\) => this\._dispatch\(buffer\)\);`, // it reads as fast as it can
		"doubtBindings":         `static async dispatch\(page, payload, \w+\) \{\s+const \{[^}]*\} = JSON\.parse\(payload\);`,
		"engineInside":          `this\._engines\.set\(name, this\.eval\(source\)\);`,
		"noteOpenPages":         `(?s)if \(!initial\) \{.{0,120}?this\._page\.frameNavigatedToNewDocument\(frame\);`,
		"typeWhereChecked":      `if \(value2\)\s+await this\._page\.keyboard\.insertText\(`, // which types into what has the focus
		"pressWhereAimed":       `return result \|\| "done";`,                                // also where the element's document saw nothing
		"pressWhatIsDrawn":      `return \{ hitTargetDescription: error \};`,                 // also of a checkbox that its label covers
		"placeInFrames, check":  `if \(style === "transformed"\) \{\s+return \{ framePoint: void 0 \};`,
		"placeInFrames, quads":  `(?s)async _getContentQuads\(handle\) \{.{0,300}?await this\._framePosition\(\);`,
		"sizeDocuments":         `if \(!document\.body \|\| !document\.documentElement\)\s+return null;`,
		"htmlNames":             `nodeName !== "INPUT"`,
		"nameWorld":             `this\.utilityWorldName = .__playwright_utility_world_\$\{this\._page\.guid\}.;`,
		"forgetAnsweredDialogs": `"Page\.javascriptDialogOpening"`,
		"tellTitles":            `(?s)async _title\(\) \{\s+try \{.{0,400}?\} catch \{`,
		"skipEmptyFrames":       `frame\.retryWithProgressAndTimeouts\(\w+, \[1e3, 2e3, 4e3, 8e3\]`,
		"dropGuids":             `this\._dispatchEvent\("event", \{ method, params: \w+ \}\)`,
		"hideCertificates":      `_contextCreatedEvent\.options = \w+\._options;`,
		"boundDownloads":        `_onDownloadProgress\(payload\) \{\s+if \(payload\.state === "completed"\)`,
		"boundBrowser":          `send\("Network\.enable"(, \{\})?\)`,
		"dropArguments":         `event\.args\.map\(\(arg\) => createHandle\(`,
		"readyRecorder, policy": `injectedScript\.extend\(\w+, \w+\);`, // which evaluates
		"toldElements, outline": `_ariaSnapshot\(element\) \{\\n`,
		"toldElements, action":  `async recordAction\(action\) \{\\n.{0,100}_lastActionAutoexpectSnapshot`,
		"hideCalls":             `const \{ name, seq, serializedArgs \} = JSON\.parse\(payload\);\s+try`,
		"tellAnswers":           `RecorderEvent, \{ event: "signalAdded"`,
		"scripts, dialogs":      `if \(!hasHandlers\)\s+dialog\._close\(\)`, // it dismisses other clients' dialogs
		"scripts, viewport":     `updateEmulatedViewportSize\(\w+\) \{\s+await this\._mainFrameSession`,
		"scripts, media":        `async updateEmulateMedia\(\) \{\s+await this\._forAllFrameSessions`,
		"scripts, refusals":     `(?s)isNonRetriableError\(e\) \{.{0,400}?_isDetached\(\)\)\s+return true;\s+return false;`,
		"scripts, bindings":     `if \(!binding\)\s+throw new Error\(.Function`, // it answers other clients' calls
		"boundLogs":             `log\(message\) \{\s+this\._logs\.push\(message\);`,
	} {
		if !regexp.MustCompile(still).Match(source) {
			t.Errorf("%s: Playwright does something else by now than what it puts right (no %s)", patch, still)
		}
	}
	for patch, newly := range map[string]string{
		"forgetAnsweredDialogs": `javascriptDialogClosed`, "boundBrowser": `maxPostDataSize`,
	} {
		if regexp.MustCompile(newly).Match(source) {
			t.Errorf("%s: Playwright knows %s by now", patch, newly)
		}
	}
}
