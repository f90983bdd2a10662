//go:build evidence

package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNearNamesAreOffered: an error shows the selector as it was written, and
// what it may have meant.
func TestNearNamesAreOffered(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestLocateAsPeopleDo is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": locatePage})
	short := func(sel string) pipetest.Object { return pipetest.Object{"sel": sel, "timeout": 2} }
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("click", short(`role=textbox[name="Customer"]`), `!nothing matches "role=textbox[name=\"Customer\"]" after 2 s on p1 (`),
		does("click", short(`role=textbox[name="Customer"]`), `!; textbox here: "Customer no.", "Customer name", `),
		does("click", short(`form >> role=textbox[name=/Custmer/i] >> nth=0`), `!; textbox here: "Customer no.", "Customer name"`),
		does("click", short(`role=slider[name="Volume"]`), "!; no slider here has a name"),
		does("fill", pipetest.Object{"sel": "label=Costumer name", "val": "", "timeout": 2}, `!nothing matches "label=Costumer name" after 2 s`),
		does("fill", pipetest.Object{"sel": "label=Costumer name", "val": "", "timeout": 2}, `!; label here: "Customer name", "Customer no.", `),
		does("click", short("text=Save drft"), `!; text here: "Save draft"`),
		does("click", short("testid=save-al"), `!; testid here: "save-all", "save"`),
		does("frame", list("#frame"), ""),
		does("click", short("label=Outer"), `!; label here: "Inner field"`),
		does("frame", nil, ""),
		does("snapshot", nil, ""),
		does("txt", list("e99"), "!there is no ref e99"),
		does("eval", list("document.querySelector('#name').remove(); 1"), "1"),
		does("execute", pipetest.Object{"code": "await page.getByRole('textbox', {name: 'Custmer'}).click({timeout: 300})"}, `!nothing matches role=textbox[name="Custmer"i]; textbox here: "Customer no.", `),
	)
}
