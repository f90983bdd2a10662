package handlers

// features are what sees every browser, context and page, in the order in which
// it does.
var features = []Hooks{refHook, recordHook, trafficHook, documentHook, socketHook, clipboardHook, traceHook, harHook, guardHook,
	scriptHook, answerHook}

// NewBrowser makes a browser that has not started.
func NewBrowser(cfg Config) *Browser { return newBrowser(cfg, features...) }

// NewPool makes a pool over a browser and starts its janitor.
func NewPool(b *Browser, o PoolOptions) *Pool {
	o.Prepare = plainSession
	return newPool(b, o)
}
