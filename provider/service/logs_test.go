package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Knowing a session's id is enough to use it. So no log line contains one, whatever
// path was requested.
func TestLogsNameRoutes(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	var made struct {
		ID string `json:"session_id"`
	}
	if r := svc.Try("session.create", m{}); r.Error != nil || json.Unmarshal(r.Result, &made) != nil || made.ID == "" {
		t.Fatalf("%s %+v", r.Result, r.Error)
	}
	for _, path := range []string{"/cdp/", "/nothing/", "/watch/"} {
		svc.Do("GET", path+made.ID, "")
		svc.Do("GET", path+made.ID+"/json/version", "")
	}
	log := ""
	pipetest.Eventually(t, "the six requests are logged", func() bool {
		log = svc.Log()
		return strings.Count(log, `"route"`) >= 6
	})
	for _, route := range []string{`"/cdp/{session}"`, `"/cdp/{session}/json/version"`} {
		if !strings.Contains(log, route) {
			t.Errorf("the log does not name %s:\n%s", route, log)
		}
	}
	if strings.Contains(log, made.ID) {
		t.Errorf("the log has a session's id:\n%s", log)
	}
	svc.Try("session.close", m{"session_id": made.ID}) // so that the service is kept for other tests
}
