package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The programs of this file speak to pwpipe over its pipe. What they are called with goes
// to pwpipe: --base-url, --secrets and the like. They end at the first error.

func bash(steps []Step) (string, error) {
	var b strings.Builder
	b.WriteString("#!/usr/bin/env bash\n# Arguments are pwpipe's: --base-url https://example.com\nset -eu\n" +
		"exec pwpipe --strict \"$@\" <<'REQUESTS'\n")
	for _, s := range steps {
		b.WriteString(s.request() + "\n")
	}
	b.WriteString("REQUESTS\n")
	return b.String(), nil
}

const nodeHead = `#!/usr/bin/env node
// Arguments are pwpipe's: --base-url https://example.com
const { spawn } = require('node:child_process');
const readline = require('node:readline');

const browser = spawn('pwpipe', process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
const replies = readline.createInterface({ input: browser.stdout })[Symbol.asyncIterator]();

async function call(request) {
  browser.stdin.write(JSON.stringify(request) + '\n');
  const { value, done } = await replies.next();
  if (done) throw new Error('pwpipe ended');
  const { result, error } = JSON.parse(value);
  if (error) throw new Error(error);
  return result;
}

async function main() {
`

func node(steps []Step) (string, error) {
	var b strings.Builder
	b.WriteString(nodeHead)
	for _, s := range steps {
		fmt.Fprintf(&b, "  await call(%s);\n", s.request())
	}
	b.WriteString("}\n\nmain().catch((error) => { console.error(error.message); process.exitCode = 1; })" +
		".finally(() => browser.stdin.end());\n")
	return b.String(), nil
}

const pythonHead = `#!/usr/bin/env python3
# Arguments are pwpipe's: --base-url https://example.com
import json, subprocess, sys

browser = subprocess.Popen(["pwpipe", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def call(request):
    print(json.dumps(request), file=browser.stdin, flush=True)
    line = browser.stdout.readline()
    reply = json.loads(line) if line else {"error": "pwpipe ended"}
    if "error" in reply:
        sys.exit(reply["error"])
    return reply["result"]


`

func python(steps []Step) (string, error) {
	var b strings.Builder
	b.WriteString(pythonHead)
	for _, s := range steps {
		fmt.Fprintf(&b, "call(%s)\n", pythonic(s.request()))
	}
	b.WriteString("browser.stdin.close()\nsys.exit(browser.wait())\n")
	return b.String(), nil
}

// pythonic is JSON as Python: only three words differ.
func pythonic(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] == '"' {
			end := i + 1
			for ; raw[end] != '"'; end++ {
				if raw[end] == '\\' {
					end++
				}
			}
			var s string
			_ = json.Unmarshal([]byte(raw[i:end+1]), &s)
			b.WriteString(text(s)) // pairs of surrogates become characters
			i = end + 1
			continue
		}
		word := false
		for js, py := range map[string]string{"true": "True", "false": "False", "null": "None"} {
			if strings.HasPrefix(raw[i:], js) {
				b.WriteString(py)
				i, word = i+len(js), true
				break
			}
		}
		if !word {
			b.WriteByte(raw[i])
			i++
		}
	}
	return b.String()
}

const goHead = `// Arguments are pwpipe's: --base-url https://example.com
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	browser := exec.Command("pwpipe", os.Args[1:]...)
	browser.Stderr = os.Stderr
	in, err := browser.StdinPipe()
	check(err)
	out, err := browser.StdoutPipe()
	check(err)
	check(browser.Start())
	replies := bufio.NewReader(out)
	call := func(request string) {
		_, err := io.WriteString(in, request+"\n")
		check(err)
		line, err := replies.ReadBytes('\n')
		check(err)
		var reply struct{ Error string }
		check(json.Unmarshal(line, &reply))
		if reply.Error != "" {
			fmt.Fprintln(os.Stderr, reply.Error)
			_ = in.Close()
			_ = browser.Wait()
			os.Exit(1)
		}
	}
`

func golang(steps []Step) (string, error) {
	var b strings.Builder
	b.WriteString(goHead)
	for _, s := range steps {
		line := s.request()
		if strings.Contains(line, "`") {
			line = strconv.Quote(line)
		} else {
			line = "`" + line + "`"
		}
		fmt.Fprintf(&b, "\tcall(%s)\n", line)
	}
	b.WriteString("\tcheck(in.Close())\n\tcheck(browser.Wait())\n}\n\nfunc check(err error) {\n\tif err != nil {\n" +
		"\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n")
	return b.String(), nil
}

// ilo calls the tools over MCP: texts, by position, and only those that a tool requires.
func ilo(steps []Step) (string, error) {
	var body strings.Builder
	var profiles []string
	for _, s := range steps {
		if s.Page != "" || s.Timeout > 0 {
			return "", s.errorf("ilo has no page and no timeout of a call")
		}
		if !slices.Contains(profiles, s.Profile) {
			profiles = append(profiles, s.Profile)
		}
		fmt.Fprintf(&body, "  %s!", s.Tool)
		for _, p := range s.Params {
			if !p.Required {
				return "", s.errorf("ilo can't give %q, which may be left out", p.Name)
			}
			body.WriteString(" " + iloText(p.Value))
		}
		if len(s.Params) == 0 {
			body.WriteString("()")
		}
		body.WriteByte('\n')
	}
	return "-- ilo run --vm FILE --mcp mcp.json flow, where mcp.json starts pwpipe --profile " + strings.Join(profiles, ",") +
		"\nflow>R t t\n" + body.String() + "  ~\"ok\"\n", nil
}

// iloText is a value as ilo writes a text. In a text {x} would be filled in.
func iloText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		var b bytes.Buffer
		_ = json.Compact(&b, value)
		s = b.String()
	}
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text(s))
}
