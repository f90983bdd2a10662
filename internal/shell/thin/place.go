package thin

import (
	"os"
)

// Place is where a service is found. Services with other settings are other services, each
// with its own sessions: a page of one with few walls must not be reached from a folder
// whose settings have more.
type Place struct {
	Dir  string // of Folder
	Name string // tells the settings
}

// SettingsName is the name of files with settings.
const SettingsName = "pwpipe.json"

// own are the variables that are about a command, not about the service behind it.
var own = []string{"PWPIPE_SESSION=", "PWPIPE_OUTPUT=", "PWPIPE_QUIET=", "PWPIPE_CACHE="}

// Here is the place of the settings that hold in a folder.
func Here(cwd string) (p Place, err error) {
	p.Name = "service"
	if p.Dir, err = Folder(); err != nil {
		return p, err
	}
	sum, any := uint64(14695981039346656037), false // FNV-1a
	add := func(s string) {
		any = true
		for i := range len(s) {
			sum = (sum ^ uint64(s[i])) * 1099511628211
		}
		sum *= 1099511628211 // an end
	}
	for _, v := range variables() {
		add(v)
	}
	for _, file := range SettingsFiles(cwd) {
		text, err := os.ReadFile(file)
		if err != nil {
			return p, err
		}
		add(file)
		add(string(text))
	}
	if any {
		p.Name += "-"
		for shift := 60; shift >= 0; shift -= 4 {
			p.Name += string(hexDigits[sum>>shift&15])
		}
	}
	return p, nil
}

// variables are those of the environment that are settings, sorted.
func variables() (list []string) {
next:
	for _, v := range os.Environ() {
		_, value, _ := cut(v, "=")
		if !hasPrefix(v, "PWPIPE_") || value == "" {
			continue
		}
		for _, name := range own {
			if hasPrefix(v, name) {
				continue next
			}
		}
		at := len(list)
		for at > 0 && list[at-1] > v {
			at--
		}
		list = append(list, "")
		copy(list[at+1:], list[at:])
		list[at] = v
	}
	return list
}

// SettingsFiles are the files whose settings hold in a folder: that of the nearest folder
// up, then the user's.
func SettingsFiles(cwd string) (list []string) {
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	for dir := cwd; ; {
		file := dir + string(os.PathSeparator) + SettingsName
		if dir != "" && os.IsPathSeparator(dir[len(dir)-1]) {
			file = dir + SettingsName
		}
		if there(file) {
			list = append(list, file)
			break
		}
		i := len(dir) - 1
		for i >= 0 && !os.IsPathSeparator(dir[i]) {
			i--
		}
		if i < 0 || i == len(dir)-1 {
			break
		}
		dir = dir[:max(i, 1)]
	}
	if file := UserSettings(); file != "" && there(file) && (len(list) == 0 || list[0] != file) {
		list = append(list, file)
	}
	return list
}

// UserSettings is the path of the user's own settings, "" where they have no folder.
func UserSettings() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return dir + string(os.PathSeparator) + "pwpipe" + string(os.PathSeparator) + SettingsName
}

// file is the path of one of the service's files.
func (p Place) file(kind string) string {
	return p.Dir + string(os.PathSeparator) + p.Name + "." + kind
}

// Lock is the file whose lock the service holds for as long as it lives.
func (p Place) Lock() string { return p.file("lock") }

// Log is where the service writes what went wrong.
func (p Place) Log() string { return p.file("log") }
