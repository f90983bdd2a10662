//go:build evidence && unix

package playwrightmcp

// reasons say why tests fail, or are not tried.
var reasons = []reason{
	{file: "video", titles: ".*", lacking: true,
		why: "`browser_video_show_actions` is not there"},
	{file: "init-page", titles: "init-page is applied before.*", lacking: false,
		why: "it replaces a method of `page`, which is another object in the sandbox"},
	{file: "launch", titles: "test reopen browser", lacking: false,
		why: "it reads lines of the original's debugging log"},
	{file: "roots", titles: ".*", lacking: false,
		why: "it looks for the profile that is kept by default there, by the client's root"},
	{file: "run-code", titles: ".*no-require", lacking: false,
		why: "the sandbox has a `require` of its own"},
	{file: "tracing", titles: ".*", lacking: false,
		why: "a trace is one .zip"},
	{file: "http", titles: "should be able to allow any host|should respect allowed hosts \\(positive\\)", lacking: false,
		why: "the root answers 200 to clients that do not speak MCP, as health checks want it"},
	{file: "devtools", titles: ".*", lacking: true,
		why: "`--endpoint` is refused"},
	{file: "output-max-size", titles: ".*", lacking: true,
		why: "`--output-max-size` is refused"},
	{file: "storage", titles: ".*remote endpoint in config", lacking: true,
		why: "a remote endpoint is refused"},
	{file: "cdp", titles: "cdp connection uses noDefaults", lacking: false,
		why: "the driver is 1.60's: it has no such option, so attaching resets what the page emulates"},
	{file: "core", titles: ".*allowUnrestrictedFileAccess is true", lacking: false,
		why: "the driver's snapshot is 1.60's: the root of a text is not active"},
	{file: "launch", titles: "isolated context relaunches.*", lacking: false,
		why: "`--remote-debugging-port` of the file is left out: anyone on this machine could drive the browser"},
}
