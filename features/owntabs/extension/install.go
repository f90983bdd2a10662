package extension

import (
	"cmp"
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pwpipe/internal/machine/writefile"
)

// hostManifest tells a browser about our native messaging host.
type hostManifest struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Path        string   `json:"path"`
	Type        string   `json:"type"`
	Origins     []string `json:"allowed_origins"`
}

// Install writes what a browser needs to find our native messaging host, the program, into a
// folder: NativeMessagingHosts in the folder of its profiles, but for Windows, whose
// registry has the file's path. ids are of further copies of the extension, such as one that
// a store has signed.
func Install(dir, program string, ids []string) (file string, err error) {
	m := hostManifest{Name: host, Description: "Lends tabs to pwpipe", Path: program, Type: "stdio"}
	m.Origins = append(m.Origins, origin)
	for _, id := range ids {
		m.Origins = append(m.Origins, scheme+id+"/")
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file = filepath.Join(dir, host+".json")
	return file, writefile.Bytes(file, append(text, '\n'), writefile.Private)
}

// RegistryKey is where Windows keeps the path of the file for a browser.
func RegistryKey(browser string) string {
	makers := map[string]string{"chromium": `Chromium`, "edge": `Microsoft\Edge`, "brave": `BraveSoftware\Brave-Browser`}
	return `HKCU\Software\` + cmp.Or(makers[browser], `Google\Chrome`) + `\NativeMessagingHosts\` + host
}

// Folder is the folder of this user's that has the extension's files.
func Folder() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "pwpipe", "extension"), err
}

var reID = regexp.MustCompile(`^[a-p]{32}$`)

// IsID reports whether a text is the id of an extension.
func IsID(id string) bool { return reID.MatchString(id) }

// otherIDs is the file that has the ids of further copies of the extension.
func otherIDs() (string, error) {
	dir, err := Folder()
	return dir + "-ids", err
}

// Trust adds ids of further copies of the extension, and returns all that were added.
func Trust(ids []string) ([]string, error) {
	file, err := otherIDs()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	all := slices.Compact(slices.Sorted(slices.Values(append(strings.Fields(string(text)), ids...))))
	if len(ids) == 0 {
		return all, nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	return all, writefile.Bytes(file, []byte(strings.Join(all, "\n")+"\n"), writefile.Private)
}

// isOurs reports whether an origin is that of a copy of the extension.
func isOurs(from string) bool {
	if from == origin {
		return true
	}
	ids, err := Trust(nil)
	return err == nil && slices.ContainsFunc(ids, func(id string) bool { return IsID(id) && from == scheme+id+"/" })
}

// The extension's files. Its id follows from the key in its manifest.
//
//go:embed files
var files embed.FS

const (
	id     = "mknmcmdkjcjbalcbepkegjlafephledp"
	origin = "chrome-extension://" + id + "/"
	host   = "pwpipe.tabs" // the name of our native messaging host
)

// Unpack writes the extension's files to a folder, over those of another version.
func Unpack(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	list, err := files.ReadDir("files")
	if err != nil {
		return err
	}
	for _, f := range list {
		text, err := files.ReadFile("files/" + f.Name())
		if err != nil {
			return err
		}
		if err := writefile.Bytes(filepath.Join(dir, f.Name()), text, writefile.Private); err != nil {
			return err
		}
	}
	return nil
}
