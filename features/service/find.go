package service

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/setup"
	"pwpipe/provider"
)

// FindTools find selectors, and accessibility violations.
func FindTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.RPC.Reads("find.byRole", "Find by role", "Get a selector for an element by its role and accessible name").OwnAnswers(), findByRole),
		tool.OnPage(tool.RPC.Waits("axe.run", "Accessibility", "Check the page for accessibility violations with axe-core").Within(60*time.Second), runAxe),
	}
}

type roleParams struct {
	Role  string `json:"role" doc:"ARIA role, such as button"`
	Name  string `json:"name,omitempty" secrets:"no" doc:"accessible name, or a part of it in any case"`
	Exact bool   `json:"exact,omitempty" doc:"match the whole name, case-sensitively"`
}

type roleResult struct {
	Selector string `json:"selector" doc:"for the other methods"`
	Count    int    `json:"count" doc:"elements of that role and name; the selector is of the first"`
}

var reRole = regexp.MustCompile(`^[a-z]+$`)

// findByRole is page.getByRole. It returns the selector.
func findByRole(c *tool.Call, in roleParams) (roleResult, error) {
	if !reRole.MatchString(in.Role) {
		return roleResult{}, provider.Errorf(provider.KindArgs, "role: expected an ARIA role such as button, got %q", in.Role)
	}
	sel := roleSelector(in)
	if err := refs.Bound(sel); err != nil {
		return roleResult{}, err
	}
	out := roleResult{Selector: sel}
	err := c.Attempt(sel, func(timeout *float64) error {
		err := c.PW.Locator(sel).First().WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
		if err == nil {
			out.Count, err = c.PW.Locator(sel).Count()
		}
		return err
	})
	if out.Count > 1 {
		out.Selector += " >> nth=0"
	}
	return out, err
}

// roleSelector writes a selector for Playwright's role engine. It matches an inexact name
// as getByRole does: anywhere, in any case, with runs of white space folded.
func roleSelector(in roleParams) string {
	if in.Name == "" {
		return "role=" + in.Role
	}
	if in.Exact {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(in.Name)
		return fmt.Sprintf(`role=%s[name="%s"]`, in.Role, quoted)
	}
	name := strings.Join(strings.Fields(in.Name), " ")
	pattern := strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(name), "/", `\/`), " ", `\s+`)
	return fmt.Sprintf(`role=%s[name=/%s/i]`, in.Role, pattern)
}

type axeParams struct {
	Include json.RawMessage `json:"include,omitempty" doc:"selector, or an array of them; the whole page if left out"`
}

type axeResult struct {
	Violations json.RawMessage `json:"violations" keys:"id,impact,tags,description,help,helpUrl,nodes,any,all,none,html,target,failureSummary,data,relatedNodes,message,impact,key,messageKey" doc:"as axe-core gives them"`
}

// axeSource is axe-core's script, fetched once.
var axeSource struct {
	sync.Mutex
	text string
}

func loadAxe(ctx context.Context) (string, error) {
	axeSource.Lock()
	defer axeSource.Unlock()
	if axeSource.text != "" {
		return axeSource.text, nil
	}
	var raw []byte
	path, err := setup.Axe(ctx, setup.Options{})
	if err == nil {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return "", provider.Errorf(provider.KindUnavailable, "axe-core is not available: %w", err).
			WithHint("`pwpipe doctor` says what is wrong")
	}
	axeSource.text = string(raw)
	return axeSource.text, nil
}

// runAxe is axe.run.
func runAxe(c *tool.Call, in axeParams) (axeResult, error) {
	include, err := selectors(c, in.Include)
	if err != nil {
		return axeResult{}, err
	}
	source, err := loadAxe(c.Ctx)
	if err != nil {
		return axeResult{}, err
	}
	for _, f := range tool.Documents(c.Page) {
		// If a frame is gone or can't be scripted, axe reports that.
		_, err := f.Evaluate("(source) => { if (!window.axe) (0, eval)(source) }", source)
		if err != nil && f.ParentFrame() == nil {
			return axeResult{}, c.Fail(err, "")
		}
	}
	where, _ := json.Marshal(include) // texts, which have no error
	raw, err := c.Evaluate(fmt.Sprintf(`async () => {
		const include = %s;
		for (const s of include || []) if (!document.querySelector(s)) throw new Error('nothing matches ' + JSON.stringify(s));
		return (await window.axe.run(include ? {include: include.map(s => [s])} : document)).violations;
	}`, tool.JSLiteral(where)), nil)
	return axeResult{raw}, err
}

// selectors decodes include: a selector, an array of selectors, or nothing.
func selectors(c *tool.Call, raw json.RawMessage) ([]string, error) {
	if !present(raw) {
		return nil, nil
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
		return nil, provider.Errorf(provider.KindArgs, "include: expected a CSS selector or an array of them, got %s", c.Short(string(raw), 60))
	}
	return list, nil
}
