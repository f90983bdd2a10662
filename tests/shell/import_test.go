//go:build evidence && unix

package shell

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

// A state that Playwright's own code has written, with IndexedDB, is there before the first page.
func TestImport(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, kept := newKeeper(t)
	saved := filepath.Join(filepath.Dir(filepath.Dir(kept)), "saved", "shop.json")
	d.ok("pwpipe open -q $SITE/form")
	d.stores("one")
	d.ok("pwpipe execute --json 'return await page.context().storageState({indexedDB: true})' >$HOME/answer")
	d.ok(`node -e 'const {result} = JSON.parse(fs.readFileSync(process.env.HOME + "/answer"))
fs.writeFileSync(process.env.HOME + "/pw.json", JSON.stringify(result))'`)
	got := d.ok("chmod 644 $HOME/pw.json; pwpipe close; pwpipe state-import shop $HOME/pw.json; stat -c %a " + saved)
	pipetest.Has(t, got, `"state":"shop","cookies":1,"origins":1,"kept":"not encrypted; only you can read the file`,
		"\n600\n")
	pipetest.Has(t, d.ok("pwpipe state-show shop"), "cookie who of 127.0.0.1/", "local storage who", "IndexedDB db")
	d.ok("pwpipe open -q --state shop $SITE/form")
	if got := d.stored(); got != "who=one|one|one|" {
		t.Errorf("restored: %s", got)
	}
	d.ok("PWPIPE_STATE_PASSPHRASE=mint-and-2-scones pwpipe state-import shop $HOME/pw.json")
	pipetest.Has(t, d.ok("head -1 "+saved), "pwpipe state, encrypted (scrypt")
	pipetest.Has(t, d.fails(1, "pwpipe state-import other "+saved), "there is no passphrase")

	pipetest.Has(t, d.fails(1, "pwpipe state-import ../x $HOME/pw.json"), "name: expected up to 64")
	pipetest.Has(t, d.fails(1, "pwpipe state-import x $HOME/none"), "none: no such file")
	pipetest.Has(t, d.fails(1, "mkfifo $HOME/fifo; pwpipe state-import x $HOME/fifo"), "it is no file")
	pipetest.Has(t, d.fails(1, "truncate -s 33M $HOME/big; pwpipe state-import x $HOME/big"), "more than 32 MiB")
	d.ok("echo '{\"cookies\":[],\"proxy\":1}' >$HOME/odd")
	pipetest.Has(t, d.fails(1, "pwpipe state-import x $HOME/odd"), "odd: unknown member")
	if got := d.ok("ls " + filepath.Dir(saved)); got != "shop.json\n" {
		t.Errorf("what is refused leaves files: %s", got)
	}
}

// A state of agent-browser is read, also one that it has encrypted.
func TestImportAgentBrowser(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStates is quick")
	t.Parallel()
	d, _ := newKeeper(t)
	const state = `{"cookies":[{"name":"who","value":"tea","domain":"127.0.0.1","path":"/","expires":0,"size":6,` +
		`"httpOnly":false,"secure":false,"session":true,"sameSite":"Lax"}],"origins":[]}`
	sum := sha256.Sum256([]byte("0123abcd"))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(d.run, "shop-default.json.enc")
	nonce := []byte("twelve bytes")
	if err := os.WriteFile(file, aead.Seal(nonce, nonce, []byte(state), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, d.fails(1, "pwpipe state-import shop "+file), "give its key in AGENT_BROWSER_ENCRYPTION_KEY")
	pipetest.Has(t, d.fails(1, "AGENT_BROWSER_ENCRYPTION_KEY=x pwpipe state-import shop "+file), "with another key")
	d.ok("AGENT_BROWSER_ENCRYPTION_KEY=0123abcd pwpipe state-import shop " + file)
	pipetest.Has(t, d.ok("pwpipe open -q --state shop $SITE/form; pwpipe eval document.cookie"), "who=tea")
}
