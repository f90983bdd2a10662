package service

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
)

// pictures are the files of pictures that no file was named for.
type pictures struct {
	pattern string // of the folders

	mu sync.Mutex
	of map[string]string // folder by session, which it is removed with
}

// shownText is a result for a person. Pictures are written to files, whose names are
// shown.
func (p *pictures) shownText(session string, tool *provider.Tool, result provider.Result) (string, error) {
	text, list := "", []provider.Image(nil)
	switch v := result.Value.(type) {
	case provider.Image:
		list = []provider.Image{v}
	case provider.Content:
		text, list = v.Content()
	}
	if len(list) == 0 {
		return commandline.Text(tool, result), nil
	}
	for _, picture := range list {
		path, err := p.write(session, picture)
		if err != nil {
			return "", fmt.Errorf("%s: %w", tool.Name, err)
		}
		text = strings.TrimPrefix(text+"\n"+path, "\n")
	}
	return provider.WithNotes(text, list), nil
}

func (p *pictures) write(session string, picture provider.Image) (string, error) {
	data, err := base64.StdEncoding.DecodeString(picture.Base64)
	if err != nil {
		return "", err
	}
	dir, err := p.folder(session)
	if err != nil {
		return "", err
	}
	f, err := writefile.Temp(dir, "*."+strings.TrimPrefix(picture.MIME, "image/"))
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// folder is the folder of a session's pictures.
func (p *pictures) folder(session string) (dir string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[session] == "" {
		if dir, err = os.MkdirTemp("", p.pattern); err != nil {
			return "", err
		}
		if p.of == nil {
			p.of = map[string]string{}
		}
		p.of[session] = dir
	}
	return p.of[session], nil
}

// removeExcept removes the pictures of all sessions but those that are open.
func (p *pictures) removeExcept(open []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for session, dir := range p.of {
		if live := slices.Contains(open, session) || session == "" && len(open) > 0; !live {
			_ = os.RemoveAll(dir)
			delete(p.of, session)
		}
	}
}
