package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"pwpipe/handlers"
	"pwpipe/internal/browser/lend"
	"pwpipe/internal/shell/thin"
	"pwpipe/internal/shell/usersocket"
)

// lendPrefix begins the names of the sockets at which processes take the person's word.
const lendPrefix = "lend-"

// What a process and the person's command say to each other.
type (
	lendable struct {
		Tabs   []lend.Tab `json:"tabs"`
		Agents []int      `json:"agents"`
	}
	lending struct {
		Tab   string `json:"tab"`
		Agent int    `json:"agent"`
	}
)

// letLend has the person lend tabs to this process, if it has a lender, until it is done.
func letLend(l *lend.Lender, browser string, log *slog.Logger, done func()) func() {
	if l == nil {
		return done
	}
	unshare, err := shareLender(l, browser)
	if err != nil {
		log.Warn("other pwpipes need a connection of their own", "why", err)
		unshare = func() {}
	}
	over, err := listenToPerson(l)
	if err != nil {
		log.Warn("`pwpipe lend` lends nothing to this process", "why", err)
		over = func() {}
	}
	return func() {
		done()
		over()
		unshare()
	}
}

// listenToPerson has the command `pwpipe lend` of this user lend tabs to the agents of this
// process, until done is called.
func listenToPerson(l *lend.Lender) (done func(), err error) {
	folder, err := thin.Folder()
	if err == nil {
		err = handlers.CloseFolder(folder) // to tools
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), socketTime)
	defer cancel()
	at := thin.Place{Dir: folder, Name: lendPrefix + strconv.Itoa(os.Getpid())}
	listener, release, err := usersocket.Listen(ctx, at)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tabs", func(w http.ResponseWriter, r *http.Request) {
		tabs, agents, err := l.Tabs(r.Context())
		answerPerson(w, lendable{tabs, agents}, err)
	})
	mux.HandleFunc("POST /lend", func(w http.ResponseWriter, r *http.Request) {
		var in lending
		err := json.NewDecoder(r.Body).Decode(&in)
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
ask itself. The tab is the agent's until it closes the page, or ends.`

func newLendCommand(out *os.File) *cobra.Command {
	return &cobra.Command{Use: "lend", Short: "Lend a tab of your own browser to an agent", Long: lendHelp, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(out.Fd())) {
				return errors.New("lend: this is for a person at a terminal")
			}
			return lendTab(os.Stdin, thin.ForTerminal(out))
		}}
}

// offer is a tab that may be lent, and who lends it.
type offer struct {
	by  thin.Place
	tab lend.Tab
}

// lendTab lists the tabs that nobody has, and lends the one that the person chooses.
func lendTab(in io.Reader, out io.Writer) error {
	folder, err := thin.Folder()
	if err != nil {
		return err
	}
	locks, err := filepath.Glob(filepath.Join(folder, lendPrefix+"*.lock"))
	if err != nil {
		return err
	}
	var offers []offer
	agents := map[thin.Place][]int{}
	for _, lock := range locks {
		at := thin.Place{Dir: folder, Name: strings.TrimSuffix(filepath.Base(lock), ".lock")}
		var got lendable
		if err := askLender(at, http.MethodGet, "/tabs", nil, &got); errors.Is(err, thin.ErrNothing) {
			continue
		} else if err != nil {
			return err
		}
		agents[at] = got.Agents
		for _, t := range got.Tabs {
			if t.Agent != 0 {
				_, _ = fmt.Fprintf(out, "    %s has %s (%s)\n", name(at, t.Agent), t.Title, t.URL)
			} else {
				offers = append(offers, offer{at, t})
			}
		}
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
	agent := list[0]
	if len(list) > 1 {
		_, _ = fmt.Fprintf(out, "agents: %s\n", strings.Trim(fmt.Sprint(list), "[]"))
		if agent, err = choose(lines, out, "To which agent?", slices.Max(list)); err != nil {
			return err
		}
	}
	if err := askLender(o.by, http.MethodPost, "/lend", lending{o.tab.ID, agent}, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s has the tab now\n", name(o.by, agent))
	return err
}

// name is an agent for people.
func name(at thin.Place, agent int) string {
	return fmt.Sprintf("agent %d of process %s", agent, strings.TrimPrefix(at.Name, lendPrefix))
}

// choose asks the person for a number.
func choose(lines *bufio.Scanner, out io.Writer, question string, most int) (int, error) {
	_, _ = fmt.Fprintf(out, "%s [1-%d] ", question, most)
	if !lines.Scan() {
		return 0, errors.New("lend: nothing is lent")
	}
	n, err := strconv.Atoi(strings.TrimSpace(lines.Text()))
	if err != nil || n < 1 || n > most {
		return 0, errors.New("lend: nothing is lent")
	}
	return n, nil
}

// askLender asks a process that has agents.
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
