package lend

import (
	"encoding/json"
	"os"
	"path/filepath"

	"pwpipe/internal/machine/writefile"
)

// downloads are the downloads of an agent's pages.
type downloads struct {
	frames  map[string]string // of its pages: the page of each
	loading map[string]bool   // by their ids
	folder  string            // where the driver looks for files
}

// downloadBehavior says where the files of downloads go. Files of the person's context stay
// where the person has them; the driver gets a copy of what the agent's pages loaded.
func downloadBehavior(c *command, p *struct {
	Behaviour string `json:"behavior"`
	Context   string `json:"browserContextId,omitempty"`
	Folder    string `json:"downloadPath,omitempty"`
	Events    bool   `json:"eventsEnabled"`
}) error {
	if err := c.place(&p.Context); err != nil || p.Context != "" {
		return err
	}
	c.b.mu.Lock()
	c.b.downloads.folder = p.Folder
	c.b.mu.Unlock()
	p.Behaviour, p.Folder = "default", ""
	return nil
}

func cancelDownload(c *command, p *struct {
	ID string `json:"guid"`
	contextParams
}) error {
	c.b.mu.Lock()
	ours := c.b.downloads.loading[p.ID]
	c.b.mu.Unlock()
	if !ours {
		return refused("No download item found for the given GUID")
	}
	return c.place(&p.Context)
}

// download passes on what the browser says of downloads of the agent's pages.
func (b *borrower) download(s *session, method string, params json.RawMessage) {
	var e struct {
		Frame string `json:"frameId"`
		ID    string `json:"guid"`
		State string `json:"state"`
		File  string `json:"filePath"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	b.mu.Lock()
	t := b.targets[e.Frame]
	if method == "Browser.downloadWillBegin" && (b.downloads.frames[e.Frame] != "" || t != nil && t.has) {
		b.downloads.loading[e.ID] = true
	}
	ours, folder := b.downloads.loading[e.ID], b.downloads.folder
	b.mu.Unlock()
	if !ours {
		return
	}
	say := func() { b.say(message{Method: method, Params: params, Session: s.id}) }
	to := filepath.Join(folder, filepath.Base(e.ID))
	if e.State != "completed" || folder == "" || e.File == "" || e.File == to {
		say()
		return
	}
	go func() { // the connection is not read meanwhile
		_ = copyFile(to, e.File) // without it the driver says that there is no file
		say()
	}()
}

// copyFile copies a file whole, or not at all.
func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writefile.Whole(to, writefile.Private, writefile.Copy(in))
}
