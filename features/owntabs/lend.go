package owntabs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pwpipe/cmd/program"
	"pwpipe/features/owntabs/lend"
	"pwpipe/handlers"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
)

// lendPrefix begins the names of the sockets at which a process that has the connection to a
// browser takes the person's word.
const lendPrefix = "lend-"

// What such a process and the person's command say to each other.
type (
	lendable struct {
		Browser string       `json:"browser"`
		Tabs    []lend.Tab   `json:"tabs"`
		Agents  []lend.Agent `json:"agents"`
	}
	lending struct {
		Tab   string `json:"tab"`
		Agent int    `json:"agent"`
	}
)

const longestLending = 4 << 10

// listenToPerson has the command `pwpipe lend` of this user lend tabs to agents, and end the
// connection, until done is called.
func listenToPerson(l *lend.Lender, browser string, end func()) (done func(), err error) {
	folder, err := thin.Folder()
	if err == nil {
		err = handlers.CloseControl(folder)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), program.SocketTime)
	defer cancel()
	at := thin.Place{Dir: folder, Name: lendPrefix + strconv.Itoa(os.Getpid())}
	listener, release, err := usersocket.Listen(ctx, at)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tabs", func(w http.ResponseWriter, r *http.Request) {
		tabs, agents, err := l.Tabs(r.Context())
		answerPerson(w, lendable{browser, tabs, agents}, err)
	})
	mux.HandleFunc("POST /end", func(w http.ResponseWriter, _ *http.Request) {
		answerPerson(w, lendable{Browser: browser}, nil)
		end()
	})
	mux.HandleFunc("POST /lend", func(w http.ResponseWriter, r *http.Request) {
		var in lending
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestLending)).Decode(&in)
		if err == nil {
			err = l.Lend(r.Context(), in.Tab, in.Agent)
		}
		answerPerson(w, nil, err)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: personTime}
	go func() { _ = server.Serve(listener) }()
	return func() {
		_ = server.Close()
		_ = os.Remove(at.Lock())
		release()
	}, nil
}

func answerPerson(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	_ = json.NewEncoder(w).Encode(v)
}

// personTime bounds an answer. The browser may have to ask the person first.
const personTime = time.Minute

const lendHelp = `Lists the tabs of the browser that you use, and lends one to an agent that
pwpipe runs there (--cdp chrome). It asks you in the terminal; an agent can't
ask itself. The tab is the agent's until it closes the page, or ends.

The connection that you allowed serves all pwpipes of yours, until the browser
ends or none has used it for 12 hours. --end ends it now.`

func newLendCommand(out *os.File) *cobra.Command {
	var hold string
	var end bool
	cmd := program.Command("lend", "Lend a tab of your own browser to an agent", program.Takes(0, 0),
		func(*cobra.Command, []string) error {
			switch {
			case hold != "":
				return holdConnection(hold)
			case end:
				return endConnections(out)
			case !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(out.Fd())):
				return errors.New("lend: this is for a person at a terminal")
			}
			return lendTab(os.Stdin, thin.ForTerminal(out))
		})
	cmd.Long = lendHelp
	cmd.Flags().BoolVar(&end, "end", false, "end the connections to browsers of yours; the next pwpipe asks you again")
	cmd.Flags().StringVar(&hold, "hold", "", "have the connection to a browser")
	_ = cmd.Flags().MarkHidden("hold")
	return cmd
}

// holders calls see for each process that has a connection.
func holders(method, path string, see func(thin.Place, lendable)) error {
	folder, err := thin.Folder()
	if err != nil {
		return err
	}
	locks, err := filepath.Glob(filepath.Join(folder, lendPrefix+"*.lock"))
	if err != nil {
		return err
	}
	for _, lock := range locks {
		at := thin.Place{Dir: folder, Name: strings.TrimSuffix(filepath.Base(lock), ".lock")}
		var got lendable
		if err := askLender(at, method, path, nil, &got); errors.Is(err, thin.ErrNothing) {
			continue
		} else if err != nil {
			return err
		}
		see(at, got)
	}
	return nil
}

func endConnections(out io.Writer) error {
	n := 0
	err := holders(http.MethodPost, "/end", func(_ thin.Place, l lendable) {
		n++
		_, _ = fmt.Fprintf(out, "ended: %s\n", l.Browser)
	})
	if err == nil && n == 0 {
		return errors.New("lend: there is no connection")
	}
	return err
}

type offer struct {
	by  thin.Place
	tab lend.Tab
}

// lendTab lists the tabs that nobody has, and lends the one that the person chooses.
func lendTab(in io.Reader, out io.Writer) error {
	var offers []offer
	agents := map[thin.Place][]lend.Agent{}
	err := holders(http.MethodGet, "/tabs", func(at thin.Place, l lendable) {
		agents[at] = l.Agents
		for _, t := range l.Tabs {
			if t.Agent != 0 {
				_, _ = fmt.Fprintf(out, "    %s has %s (%s)\n", name(l.Agents, t.Agent), t.Title, t.URL)
			} else {
				offers = append(offers, offer{at, t})
			}
		}
	})
	if err != nil {
		return err
	}
	if len(offers) == 0 {
		return errors.New("lend: there is no tab to lend, or no agent: start one with --cdp chrome, and have it ask for a page")
	}
	for i, o := range offers {
		_, _ = fmt.Fprintf(out, "%3d %s (%s)\n", i+1, o.tab.Title, o.tab.URL)
	}
	lines := bufio.NewScanner(in)
	n, err := choose(lines, out, "Lend which tab?", len(offers))
	if err != nil {
		return err
	}
	o := offers[n-1]
	list := agents[o.by]
	agent := list[0].Number
	if len(list) > 1 {
		for _, a := range list {
			_, _ = fmt.Fprintf(out, "    %s\n", name(list, a.Number))
		}
		if agent, err = choose(lines, out, "To which agent?", list[len(list)-1].Number); err != nil {
			return err
		}
	}
	if err := askLender(o.by, http.MethodPost, "/lend", lending{o.tab.ID, agent}, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s has the tab now\n", name(list, agent))
	return err
}

// name is an agent for people.
func name(list []lend.Agent, number int) string {
	for _, a := range list {
		if a.Number == number {
			return fmt.Sprintf("agent %d of process %d", number, a.Process)
		}
	}
	return fmt.Sprintf("agent %d", number)
}

func choose(lines *bufio.Scanner, out io.Writer, question string, most int) (int, error) {
	_, _ = fmt.Fprintf(out, "%s [1-%d] ", question, most)
	lines.Scan() // at the end of input there is no number
	n, err := strconv.Atoi(strings.TrimSpace(lines.Text()))
	if err != nil || n < 1 || n > most {
		return 0, errors.New("lend: nothing is lent")
	}
	return n, nil
}

func askLender(at thin.Place, method, path string, body, into any) error {
	conn, err := at.Dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, "http://pwpipe"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Close = true
	if err := r.Write(conn); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
		return fmt.Errorf("lend: %s", bytes.TrimSpace(why))
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
