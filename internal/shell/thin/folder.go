package thin

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Folder is where this user's services have their sockets: below XDG_RUNTIME_DIR where
// that is the user's own, else in the temporary folder. It is made if it is not there.
// A folder that somebody else owns, or can enter, is an error.
func Folder() (string, error) {
	dir := fallback()
	if base := os.Getenv("XDG_RUNTIME_DIR"); base != "" && closed(base) == nil {
		dir = base + "/pwpipe"
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", errors.New("the folder for the socket: " + err.Error())
	}
	if err := closed(dir); err != nil {
		return "", errors.New(dir + ": " + err.Error() + ", so somebody else could reach your browser; " +
			"remove it, or name another folder in XDG_RUNTIME_DIR")
	}
	return dir, nil
}

// Folders are the places in which [Folder] is, whether it is there or not.
func Folders() []string {
	list := []string{fallback()}
	if base := os.Getenv("XDG_RUNTIME_DIR"); base != "" {
		list = append(list, base+"/pwpipe")
	}
	return list
}

func fallback() string {
	dir := os.TempDir()
	for len(dir) > 1 && os.IsPathSeparator(dir[len(dir)-1]) {
		dir = dir[:len(dir)-1]
	}
	return dir + string(os.PathSeparator) + "pwpipe-" + user()
}

// Build tells one program from another: what a version can't, while it is worked on.
func Build() string {
	exe, _ := os.Executable()
	if runtime.GOOS == "linux" {
		exe = "/proc/self/exe"
	}
	info, err := os.Stat(exe)
	if err != nil {
		return ""
	}
	return decimal(int(info.ModTime().Unix())) + "-" + decimal(int(info.Size()))
}

// Private refuses anything but a folder of this user's that nobody else can enter.
func Private(dir string) error {
	if err := closed(dir); err != nil {
		return errors.New(dir + ": " + err.Error())
	}
	return nil
}
