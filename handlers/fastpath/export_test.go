package fastpath

// InjectedScript is Playwright's own code for pages, for a test that compares with it.
var InjectedScript = injectedScript
