package fastpath

// InjectedScript exports Playwright's injected script for a comparing test.
var InjectedScript = injectedScript
