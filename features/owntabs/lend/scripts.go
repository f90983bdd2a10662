package lend

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
)

// An agent's script for new documents runs before pwpipe hears of a document. It must run in
// documents of sites only. So a script of ours comes before each: where the document is no site's,
// ours declares a name that the agent's script declares too. Chromium then runs nothing of the
// agent's script, and declares nothing. A check inside the script would be too late: its functions
// are declared before it runs, and the page may call them.

const newDocument = "Page.addScriptToEvaluateOnNewDocument"

// barred declares a name in a document that does not belong to a site, or has a parent that does not.
// A file's origin is "null", and so is the origin of a sandboxed frame. If the top document's origin is
// "null", its address decides. A frame that may not read this address is barred.
const barred = `{
const site = (l) => /^(https?|data|blob|about):$/.test(l.protocol), parents = [...location.ancestorOrigins]
let barred = !site(location) || ![origin, ...parents].every((o) => /^(https?:|null$)/.test(o))
if (parents.at(-1) === 'null') try { barred ||= !site(top.location) } catch { barred = true }
if (barred) Object.defineProperty(globalThis, %q, {})
}`

// strict matches a script in strict mode, which it keeps behind our declaration.
var strict = regexp.MustCompile(`^(?:\s|//.*|/\*(?s:.*?)\*/)*(?:"use strict"|'use strict')`)

// script is one for new documents.
type script struct {
	Source string `json:"source"`
	World  string `json:"worldName,omitempty"`
	Line   bool   `json:"includeCommandLineAPI,omitempty"`
	Now    bool   `json:"runImmediately,omitempty"`
}

// atSites bars a script from documents that are no site's. It returns what is sent of it.
func (s *session) atSites(p script) string {
	if p.Source == "" {
		return "" // it makes a world
	}
	name := "pwpipe" + rand.Text()
	own := p
	own.Source = fmt.Sprintf(barred, name)
	s.Send(newDocument, own, nil)
	source := "function " + name + "() {} " + p.Source
	if strict.MatchString(p.Source) {
		return `"use strict"; ` + source
	}
	return source
}

// inNewDocuments is the rule of scripts that run in each document before its own.
func inNewDocuments(c *command, p *script) error {
	p.Source = c.atSites(*p)
	c.then = c.noteScript
	return nil
}

// onLoad is the rule of an older command for them.
func onLoad(c *command, p *struct {
	Source string `json:"scriptSource"`
}) error {
	c.method, c.params = newDocument, script{Source: c.atSites(script{Source: p.Source})}
	c.then = c.noteScript
	return nil
}

type scriptParams struct {
	ID string `json:"identifier"`
}

// noteScript notes a script that the agent may remove. Ours have ids of the same kind.
func (s *session) noteScript(result json.RawMessage) json.RawMessage {
	var got scriptParams
	if json.Unmarshal(result, &got) == nil {
		s.b.mu.Lock()
		defer s.b.mu.Unlock()
		s.scripts[got.ID] = true
	}
	return result
}

func removeScript(c *command, p *scriptParams) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	if !c.scripts[p.ID] {
		return refused("Script not found")
	}
	delete(c.scripts, p.ID)
	return nil
}

// reload may run a script in the new document.
func reload(c *command, p *struct {
	Whole  bool   `json:"ignoreCache,omitempty"`
	Source string `json:"scriptToEvaluateOnLoad,omitempty"`
	Loader string `json:"loaderId,omitempty"`
}) error {
	p.Source = c.atSites(script{Source: p.Source})
	return nil
}
