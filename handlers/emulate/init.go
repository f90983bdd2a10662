package emulate

import (
	"fmt"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
)

// Hooks run the scripts of --init-script in each document, before a page's own.
var Hooks = browser.Hooks{Context: func(s *browser.Session, o *browser.Opened) error {
	for _, text := range s.Browser.Config.InitScripts {
		if err := o.AddInitScript(playwright.Script{Content: &text}); err != nil {
			return fmt.Errorf("--init-script: %w", err)
		}
	}
	return nil
}}
