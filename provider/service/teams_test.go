package service_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
	"pwpipe/provider/service"
)

const teamsOperator = "operator-key-of-the-teams"

// teamsFile writes a file of keys, as an operator would: a new one in the place of the old.
func teamsFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// as is the service with a team's key.
func as(svc *pipetest.Service, key string) *pipetest.Service {
	return &pipetest.Service{T: svc.T, URL: svc.URL, Site: svc.Site, Key: key}
}

// TestTeams: what one key has is not there for another, however it asks (the transcript "teams" has
// requests); the file of keys is read again when it changes.
func TestTeams(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestGuessesStop is quick")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys.json")
	oneKey, oneHash := service.NewKey()
	newKey, newHash := service.NewKey()
	twoKey, twoHash := service.NewKey()
	entries := func(one string) string {
		return fmt.Sprintf(`{"teams": [{"name": "one", "keys": [%s], "max-sessions": 3},
			{"name": "two", "keys": [%q]}]}`, one, twoHash)
	}
	teamsFile(t, file, entries(`"`+oneHash+`"`))
	svc := pipetest.StartService(t, "API_KEY=", "OPERATOR_KEY="+teamsOperator, "--keys="+file)
	one, two := as(svc, oneKey), as(svc, twoKey)

	mine := one.Open(nil)
	mine.On("page.goto", m{"url": "/login"})
	mine.On("fill", m{"sel": "#email", "val": mark + "@skerry.example"})
	own := two.Open(nil)
	tokened := mine.On("session.cdp", m{"token": true})
	id := mine.ID

	// The token of a CDP address needs no key, and admits to that session only.
	if path := tokened[strings.Index(tokened, "/cdp/"):]; true {
		path, _, _ = strings.Cut(path, `"`)
		if status, text, _ := as(svc, "").Do("GET", path+"/json/version", ""); status != 200 {
			t.Errorf("a token: %d %s", status, text)
		}
		if status, text, _ := as(svc, "").Do("GET", strings.Replace(path, id, own.ID, 1)+"/json/version", ""); status != 401 {
			t.Errorf("a token for another session: %d %s", status, text)
		}
	}
	// The live page shows a team its own sessions, and an operator whose each is.
	if got := shownTo(t, svc, twoKey); strings.Count(got, `"key"`) != 1 || strings.Contains(got, "/login") {
		t.Errorf("team two sees %s", got)
	}
	pipetest.Has(t, shownTo(t, svc, teamsOperator), "/login", `"owner":"one 127.0.0.1`, `"owner":"two 127.0.0.1`)
	pipetest.Eventually(t, "the log names the teams", func() bool {
		return strings.Contains(svc.Log(), `"team":"one"`) && strings.Contains(svc.Log(), `"team":"two"`)
	})
	// Two keys at once, then the old one is gone: its connections end, the session stays.
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(svc.URL, "http")+"/ws", http.Header{"X-Api-Key": {oneKey}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	view := watching(t, svc, oneKey)
	defer view.Close()
	status := func(key string) int {
		got, _, _ := as(svc, key).Do("GET", "/openrpc.json", "")
		return got
	}
	teamsFile(t, file, `{"teams": [`) // a slip: what was read before holds
	pipetest.Eventually(t, "the slip is logged", func() bool { return strings.Contains(svc.Log(), "the keys that were read before hold") })
	if got := status(oneKey); got != 200 {
		t.Errorf("after the slip: %d", got)
	}
	teamsFile(t, file, entries(`"`+newHash+`"`))
	// Before that the new key is a wrong one, and after twenty of these no key is looked at for a minute.
	pipetest.Eventually(t, "the new file is read", func() bool { return strings.Contains(svc.Log(), "the file of keys was read again") })
	pipetest.Has(t, shownTo(t, svc, twoKey), `"key"`) // is in the file still
	if got := status(newKey); got != 200 {
		t.Errorf("the new key: %d", got)
	}
	if got := status(oneKey); got != 401 {
		t.Errorf("the old key: %d", got)
	}
	for what, c := range map[string]*websocket.Conn{"socket": ws, "live view": view} {
		_ = c.SetReadDeadline(time.Now().Add(pipetest.Patience))
		for err = nil; err == nil; {
			_, _, err = c.ReadMessage()
		}
		if strings.Contains(err.Error(), "timeout") {
			t.Errorf("the old key's %s: %v", what, err)
		}
	}
	pipetest.Has(t, as(svc, newKey).Call("value", m{"session_id": id, "sel": "#email"}), mark)
}

// watching is a socket of the live page for whoever logs in with a key.
func watching(t *testing.T, svc *pipetest.Service, key string) *websocket.Conn {
	t.Helper()
	r, err := http.NewRequest("POST", svc.URL+"/watch/login", strings.NewReader("key="+key))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	cookie, _, _ := strings.Cut(resp.Header.Get("Set-Cookie"), ";")
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(svc.URL, "http")+"/watch/socket", http.Header{"Origin": {svc.URL}, "Cookie": {cookie}})
	if err != nil {
		t.Fatalf("%s: %v", cookie, err)
	}
	return ws
}

// shownTo is the list of the live page for whoever logs in with a key.
func shownTo(t *testing.T, svc *pipetest.Service, key string) string {
	t.Helper()
	ws := watching(t, svc, key)
	defer ws.Close()
	_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"is":"list"`) {
			return string(text)
		}
	}
}

// TestKeysFile: what is not exactly a file of keys is refused, and says what is wrong.
func TestKeysFile(t *testing.T) {
	t.Parallel()
	_, hash := service.NewKey()
	dir := t.TempDir()
	file := filepath.Join(dir, "keys.json")
	table, err := os.ReadFile("testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	table = []byte(strings.NewReplacer("HASH", hash, "UPPER", strings.ToUpper(hash[7:])).Replace(string(table)))
	for line := range strings.Lines(string(table)) {
		text, want, _ := strings.Cut(strings.TrimSpace(line), " => ")
		teamsFile(t, file, text)
		_, err := service.ReadKeys(file, func([]string) error { return nil })
		if said := fmt.Sprint(err, " no error"); !strings.Contains(said, want) || (err == nil) != (want == "no error") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{file: "others may write it", dir: "not a regular file", file + "x": "no such file"} {
		if _, err := service.ReadKeys(path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
