package thin

import (
	"os"
	"slices"
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
var own = []string{"PWPIPE_SESSION=", "PWPIPE_OUTPUT=", "PWPIPE_QUIET=", "PWPIPE_CACHE=", "PWPIPE_STATE_PASSPHRASE=",
	"PWPIPE_NO_EARLY_ANSWER="}

// Here is the place of the settings that hold in a folder.
func Here(cwd string) (p Place, err error) {
	p.Name = "service"
	if p.Dir, err = Folder(); err != nil {
		return p, err
	}
	var parts []byte
	add := func(s string) { parts = append(parts, decimal(len(s))+":"+s...) }
	list := variables()
	for _, v := range list {
		add(v)
	}
	if dependsOnFolder(list) {
		add(cwd)
	}
	for _, file := range SettingsFiles(cwd) {
		text, err := ReadSettings(file)
		if err != nil {
			return p, err
		}
		add(file)
		add(string(text))
	}
	if len(parts) > 0 {
		p.Name += "-" + sum256(parts)[:nameDigits]
	}
	return p, nil
}

// nameDigits keeps the path of a socket short: 80 bits, so that a project can't find a
// file whose service is that of other settings.
const nameDigits = 20

// walls are variables that say something also where they are empty: nothing is allowed.
var walls = []string{"ALLOWED_DOMAINS=", "BLOCKED_DOMAINS=", "PWPIPE_ALLOWED_DOMAINS=", "PWPIPE_BLOCKED_DOMAINS="}

// variables returns the environment variables that are settings, sorted.
func variables() (list []string) {
	for _, v := range os.Environ() {
		name, value, _ := cut(v, "=")
		v = caseOf(name) + "=" + value
		begins := func(prefix string) bool { return hasPrefix(v, prefix) }
		isSetting := hasPrefix(v, "PWPIPE_") && value != "" && !slices.ContainsFunc(own, begins)
		if isSetting || slices.ContainsFunc(walls, begins) {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

// ofFiles are the variables whose values name files, and so may mean another one in each
// folder.
var ofFiles = []string{"PWPIPE_ALLOW_DIR=", "PWPIPE_BROWSER=", "PWPIPE_GRID_CAPABILITIES=@", "PWPIPE_LOGINS=",
	"PWPIPE_OUTPUT_DIR=", "PWPIPE_SECRETS=", "PWPIPE_STATE_PASSPHRASE_FILE=", "PWPIPE_USER_DATA_DIR="}

// browsers are values of PWPIPE_BROWSER that are no files.
var browsers = []string{"chrome", "chromium", "msedge", "firefox", "webkit"}

// dependsOnFolder reports whether a variable names a file relative to the working folder.
func dependsOnFolder(variables []string) bool {
	for _, v := range variables {
		for _, prefix := range ofFiles {
			if hasPrefix(v, prefix) && anyRelative(v[len(prefix):]) {
				return true
			}
		}
	}
	return false
}

// anyRelative reports whether one of the files of a list is relative. What is not known
// to be absolute is relative: that is a service of one folder, and no harm.
func anyRelative(list string) bool {
	if slices.Contains(browsers, list) {
		return false
	}
	for more := true; more; {
		var item string
		if item, list, more = cut(list, ","); !isAbs(item) {
			return true
		}
	}
	return false
}

// left are the files of other users that this process has said it leaves alone.
var left []string

// leave says once that a file of settings is another user's, which could otherwise steer or
// stop every command below its folder, such as the temporary one.
func leave(path string) {
	if !slices.Contains(left, path) {
		left = append(left, path)
		say(os.Stderr, "pwpipe: "+path+": it is another user's file, so its settings are not taken\n")
	}
}

// SettingsFiles are the files whose settings hold in a folder: that of the nearest folder
// up, then the user's. Files of users other than this one and root are none.
func SettingsFiles(cwd string) (list []string) {
	there := func(path string) bool {
		info, err := os.Lstat(path)
		if err != nil {
			return false
		}
		if target, err := os.Stat(path); foreign(info) || err == nil && foreign(target) {
			leave(path)
			return false
		}
		return true
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

func (p Place) file(kind string) string {
	return p.Dir + string(os.PathSeparator) + p.Name + "." + kind
}

// Lock is the file whose lock the service holds for as long as it lives.
func (p Place) Lock() string { return p.file("lock") }

// Log is where the service writes what went wrong.
func (p Place) Log() string { return p.file("log") }
