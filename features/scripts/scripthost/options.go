package scripthost

// ContextOptions are the options of browser.newContext that the parent sees to, by the
// names of Playwright's protocol; nil is not given. They are all that a script can have
// a context opened with: what names a file (recordHar, recordVideo, storageState) is
// done in the process, whose files the parent judges one by one, and a client
// certificate makes the driver put a proxy of its own before the context.
type ContextOptions struct {
	AcceptDownloads   *string      `json:"acceptDownloads"` // accept or deny
	BaseURL           *string      `json:"baseURL"`
	BypassCSP         *bool        `json:"bypassCSP"`
	ColorScheme       *string      `json:"colorScheme"`
	Contrast          *string      `json:"contrast"`
	DeviceScaleFactor *float64     `json:"deviceScaleFactor"`
	ExtraHTTPHeaders  []Header     `json:"extraHTTPHeaders"`
	ForcedColors      *string      `json:"forcedColors"`
	Geolocation       *Geolocation `json:"geolocation"`
	HasTouch          *bool        `json:"hasTouch"`
	HTTPCredentials   *Credentials `json:"httpCredentials"`
	IgnoreHTTPSErrors *bool        `json:"ignoreHTTPSErrors"`
	IsMobile          *bool        `json:"isMobile"`
	JavaScriptEnabled *bool        `json:"javaScriptEnabled"`
	Locale            *string      `json:"locale"`
	NoDefaultViewport *bool        `json:"noDefaultViewport"`
	Offline           *bool        `json:"offline"`
	Permissions       []string     `json:"permissions"`
	Proxy             *Proxy       `json:"proxy"`
	ReducedMotion     *string      `json:"reducedMotion"`
	Screen            *Size        `json:"screen"`
	ServiceWorkers    *string      `json:"serviceWorkers"`
	StrictSelectors   *bool        `json:"strictSelectors"`
	TimezoneID        *string      `json:"timezoneId"`
	UserAgent         *string      `json:"userAgent"`
	Viewport          *Size        `json:"viewport"`
}

// Size is in CSS pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Header is one of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Geolocation is in degrees, its accuracy in metres.
type Geolocation struct {
	Latitude  float64  `json:"latitude"`
	Longitude float64  `json:"longitude"`
	Accuracy  *float64 `json:"accuracy"`
}

// Credentials are for HTTP authentication.
type Credentials struct {
	Username string  `json:"username"`
	Password string  `json:"password"`
	Origin   *string `json:"origin"`
	Send     *string `json:"send"` // always or unauthorized
}

// Proxy is one that a context's requests go by.
type Proxy struct {
	Server   string  `json:"server"`
	Bypass   *string `json:"bypass,omitempty"`
	Username *string `json:"username,omitempty"`
	Password *string `json:"password,omitempty"`
}

// Media is what page.emulateMedia takes; nil is not given.
type Media struct {
	Media         *string `json:"media"`
	ColorScheme   *string `json:"colorScheme"`
	ReducedMotion *string `json:"reducedMotion"`
	ForcedColors  *string `json:"forcedColors"`
	Contrast      *string `json:"contrast"`
}
