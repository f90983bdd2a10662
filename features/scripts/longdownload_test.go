package scripts_test

import (
	"os"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLongDownloadOfAPage: a page downloads one file of 30 MB by a data: address, and goes on, although
// the sessions of the driver and of a script both hear of it.
func TestLongDownloadOfAPage(t *testing.T) {
	pipetest.InCI(t, "it moves 30 MB; TestLongAddressesOfDownloads has the counting")
	t.Parallel()
	p := pipetest.Start(t)
	p.Call("eval", []any{`document.body.innerHTML = '<button>get</button>';
document.querySelector('button').onclick = () => {
	const a = document.createElement('a');
	a.href = 'data:application/octet-stream,' + 'x'.repeat(3e7);
	a.download = 'file';
	a.click();
};
1`})
	pipetest.Execute(p, "await page.title()") // the script's session is there from now on
	path := p.Text("download", pipetest.Object{"sel": "button", "timeout": 300})
	if info, err := os.Stat(path); err != nil || info.Size() != 3e7 {
		t.Errorf("the file: %v, %v", info, err)
	}
	p.Call("eval", []any{"console.log(1)"})
	if got := p.Text("txt", []any{"button"}); got != "get" {
		t.Errorf("the page says %q", got)
	}
}
