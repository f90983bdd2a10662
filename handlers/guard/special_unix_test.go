//go:build unix

package guard_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSpecialFilesAreNotRead: a FIFO that a request names keeps nobody waiting, and a picture of few
// bytes is not unpacked to many.
func TestSpecialFilesAreNotRead(t *testing.T) {
	t.Parallel()
	p, dir := pipetest.SharedIn(t)
	p.Call("nav", []any{p.Site + "/upload"})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"state.json", "picture.png", "file", "folder/file"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(at(name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	pipetest.Has(t, p.Fail("load-state", []any{at("state.json")}), "state.json", "not a regular file")
	pipetest.Has(t, p.Fail("expect-shot", []any{at("picture.png")}), at("picture.png"), "not a regular file")
	pipetest.Has(t, p.Fail("upload", []any{"input[type=file]", at("file")}), "is not a file")
	pipetest.Has(t, p.Fail("upload", []any{"input[type=file]", at("folder")}), "is not a file")
	p.Call("route", []any{"**/piped", map[string]any{"path": at("file")}})
	if got := p.Text("eval", []any{"fetch('/piped').then(() => 'answered', () => 'failed')"}); got != "failed" {
		t.Errorf("a request that a FIFO would answer has %s", got)
	}
	if err := os.WriteFile(at("large.png"), hugePicture(), 0o600); err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, p.Fail("expect-shot", []any{at("large.png")}), "60000 by 60000 pixels")
}

// hugePicture is the beginning of a PNG file of 60000 by 60000 pixels.
func hugePicture() []byte {
	header := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 60000), 60000)...)
	header = append(header, 8, 6, 0, 0, 0)
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	_ = binary.Write(&out, binary.BigEndian, uint32(len(header)-4))
	out.Write(header)
	_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(header))
	return out.Bytes()
}
