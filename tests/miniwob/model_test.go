//go:build evidence

package miniwob

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// report is appended to core.js, too: a task that has ended says its reward. One that was lost before any press,
// key or input came, as a page may end by itself while a model still writes, has no answer.
const report = `
const endEpisode = core.endEpisode;
let answered = false;
for (const kind of ['pointerdown', 'keydown', 'wheel', 'input']) addEventListener(kind, (e) => { answered ||= e.isTrusted; }, {capture: true, passive: true});
core.endEpisode = function (...args) {
  endEpisode.apply(this, args);
  if (answered || WOB_RAW_REWARD_GLOBAL > 0) navigator.sendBeacon('/ended', JSON.stringify({task: location.pathname, reward: WOB_RAW_REWARD_GLOBAL, why: String(WOB_REWARD_REASON)}));
};
`

const told = `You have a browser with the tools below and nothing else. Call one with an HTTP request:

    curl -s ADDRESS/call -d @- <<'END'
    {"name": "TOOL", "arguments": {…}}
    END

Each of the pages below is a task, and says what to do. A page ends with its first answer, right
or wrong. A page that ends without an answer may be loaded again. Do them one after another with
as few calls, and as few words in calls, as you can. Read no other files or programs. When all
are done: curl -s -X POST ADDRESS/end
`

// trial is what a model does with one server.
type trial struct {
	mu      sync.Mutex
	agent   *agent
	rewards map[string]float64
	ended   chan struct{}
}

// TestModel lets a model do tasks. The model knows the instructions and the tools of the server
// alone, and calls them over HTTP. The address is on stderr; the result is the test's log.
//
//	PWPIPE_TEST_MODEL=22 go test -tags evidence ./tests/miniwob -run TestModel -v -timeout 3h
//
// The value is how many tasks, or "22 after 22 of 5": 22 tasks, after the first 22, in the order of
// seed 5. PWPIPE_TEST_MODEL_SERVER=playwright-mcp takes the tools of Playwright MCP.
func TestModel(t *testing.T) {
	want := os.Getenv("PWPIPE_TEST_MODEL")
	if want == "" {
		t.Skip("no model: PWPIPE_TEST_MODEL says how many tasks")
	}
	var most, first int
	var order uint64
	if n, _ := fmt.Sscanf(want, "%d after %d of %d", &most, &first, &order); n == 0 {
		t.Fatalf("PWPIPE_TEST_MODEL=%q: expected a number of tasks", want)
	}
	dir, names := pages(t)
	names = slices.DeleteFunc(names, func(name string) bool { return policies[name] == nil })
	rand.New(rand.NewPCG(order, 0)).Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	names = names[first:min(len(names), first+most)]

	cmd := exec.Command(pipetest.Binary(t), "--profile", "agent")
	if os.Getenv("PWPIPE_TEST_MODEL_SERVER") == "playwright-mcp" {
		cmd = peer(t)
	}
	own := &trial{agent: &agent{t: t, session: connect(t, cmd)}, rewards: map[string]float64{}, ended: make(chan struct{})}
	site := serve(t, dir, report, func(mux *http.ServeMux) { mux.HandleFunc("POST /ended", own.note) })
	door := own.listen(t, site, names)
	fmt.Fprintln(os.Stderr, "the model's instructions are at", door)
	<-own.ended

	own.mu.Lock()
	defer own.mu.Unlock()
	solved := 0
	for _, name := range names {
		if own.rewards["/miniwob/"+name+".html"] > 0 {
			solved++
		} else {
			t.Logf("not solved: %s", name)
		}
	}
	t.Logf("solved %d of %d, %d calls, %d tokens of calls and replies, %d of them in calls",
		solved, len(names), own.agent.calls, own.agent.tokens, own.agent.written)
}

// note keeps the reward of a task. The first counts.
func (m *trial) note(_ http.ResponseWriter, r *http.Request) {
	var end struct {
		Task   string
		Reward float64
	}
	if json.NewDecoder(r.Body).Decode(&end) != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, again := m.rewards[end.Task]; !again {
		m.rewards[end.Task] = end.Reward
	}
}

// listen is the model's door to the tools.
func (m *trial) listen(t *testing.T, site string, names []string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = "http://" + l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.ReplaceAll(told, "ADDRESS", address)+"\n"+m.agent.session.InitializeResult().Instructions+"\n\n")
		list, err := m.agent.session.ListTools(r.Context(), &mcp.ListToolsParams{})
		if err == nil {
			err = json.NewEncoder(w).Encode(list.Tools)
		}
		if err != nil {
			t.Error(err)
		}
		for _, name := range names {
			_, _ = fmt.Fprintf(w, "%s/miniwob/%s.html\n", site, name)
		}
	})
	mux.HandleFunc("POST /call", func(w http.ResponseWriter, r *http.Request) {
		var c struct {
			Name      string
			Arguments pipetest.Object
		}
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		reply, _ := m.agent.try(c.Name, c.Arguments)
		_, _ = io.WriteString(w, reply+"\n")
	})
	mux.HandleFunc("POST /end", func(http.ResponseWriter, *http.Request) { close(m.ended) })
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return address
}
