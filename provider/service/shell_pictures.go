package service

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strings"

	"pwpipe/provider"
	"pwpipe/provider/commandline"
)

// shownText is a result for a person. Pictures are written to files, whose names are
// shown.
func (sh *Shell) shownText(session string, tool *provider.Tool, result provider.Result) (string, error) {
	text, pictures := "", []provider.Image(nil)
	switch v := result.Value.(type) {
	case provider.Image:
		pictures = []provider.Image{v}
	case provider.Content:
		text, pictures = v.Content()
	}
	if len(pictures) == 0 {
		return commandline.Text(tool, result), nil
	}
	for _, p := range pictures {
		path, err := sh.writePicture(session, p)
		if err != nil {
			return "", fmt.Errorf("%s: %w", tool.Name, err)
		}
		text = strings.TrimPrefix(text+"\n"+path, "\n")
	}
	return text, nil
}

func (sh *Shell) writePicture(session string, p provider.Image) (string, error) {
	data, err := base64.StdEncoding.DecodeString(p.Base64)
	if err != nil {
		return "", err
	}
	dir, err := sh.pictureFolder(session)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "*."+strings.TrimPrefix(p.MIME, "image/"))
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return f.Name(), err
}

// pictureFolder is the folder of a session's pictures.
func (sh *Shell) pictureFolder(session string) (dir string, err error) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.pictures[session] == "" {
		if dir, err = os.MkdirTemp("", sh.Pictures); err != nil {
			return "", err
		}
		if sh.pictures == nil {
			sh.pictures = map[string]string{}
		}
		sh.pictures[session] = dir
	}
	return sh.pictures[session], nil
}

// RemovePictures removes the pictures of the sessions that are closed. After the last
// command that is all of them.
func (sh *Shell) RemovePictures() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.pictures) == 0 {
		return
	}
	open := sh.All()
	for session, dir := range sh.pictures {
		if live := slices.Contains(open, session) || session == "" && len(open) > 0; !live {
			_ = os.RemoveAll(dir)
			delete(sh.pictures, session)
		}
	}
}
