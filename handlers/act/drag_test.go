package act_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/pipetest"
)

const dropPage = `<div id=zone style="height:80px;background:#eee"><span>Drop here</span></div><p id=plain>plain</p><pre id=log></pre>
<script>
for (const kind of ['dragenter', 'dragover']) zone.addEventListener(kind, (e) => { e.preventDefault(); log.textContent += kind + ' ' });
zone.addEventListener('drop', async (e) => {
	e.preventDefault();
	const files = [...e.dataTransfer.files];
	log.textContent += 'drop:' + e.dataTransfer.types + ' ' + (await Promise.all(files.map(async f => f.name + '=' + f.type + '=' + await f.text()))).join(' ');
});
</script>`

func TestDropGivesFiles(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFilesUpAndDown is quick")
	t.Parallel()
	p, site := pipetest.Shared(t), pipetest.ServePages(t, map[string]string{"/": dropPage})
	dir := t.TempDir()
	one, two := filepath.Join(dir, "a.txt"), filepath.Join(dir, "ü.json")
	for path, text := range map[string]string{one: "first ü", two: "{}"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	large := filepath.Join(dir, "large.bin")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 30<<20)); err != nil {
		t.Fatal(err)
	}
	pipetest.Steps(p,
		does("nav", list(site+"/"), "null"),
		does("drop", list("#zone", list(large, large)), "!more than 50 MiB together"),
		does("drop", list("#zone", list(one, two)), "null"),
		does("expect-text", list("#log", "dragenter dragover drop:Files a.txt=text/plain=first ü ü.json=application/json={}"), "null"),
		does("drop", list("#plain", one), `!"#plain" takes no drops on p1`),
		does("drop", list("#zone", filepath.Join(dir, "none")), "!no such file"),
		does("drop", list("#zone", "/etc/passwd"), "!outside"),
		does("drop", list("#zone", dir), "!is not a file"),
		does("drop", list("#zone", []any{}), "!files: the list is empty"),
	)
}
