package program

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/text/secrets"
)

type report struct {
	Scripts                      []*Script
	Begin                        time.Time
	Took                         time.Duration
	Steps, Failed, Skipped, Fine int
	FilesFine, Files             int
}

func newReport(scripts []*Script, begin time.Time) *report {
	r := &report{Scripts: scripts, Begin: begin, Took: time.Since(begin), Files: len(scripts)}
	for _, s := range scripts {
		r.Steps += len(s.Steps)
		r.Failed += s.Failed()
		r.Skipped += s.Skipped()
		if s.Failed() == 0 {
			r.FilesFine++
		}
	}
	r.Fine = r.Steps - r.Failed - r.Skipped
	return r
}

func (s *Script) Failed() (n int) {
	for _, st := range s.Steps {
		if st.Error != "" {
			n++
		}
	}
	return n
}

func (s *Script) Skipped() (n int) {
	for _, st := range s.Steps {
		if st.Skipped {
			n++
		}
	}
	return n
}

func (s *Script) Took() (d time.Duration) {
	for _, st := range s.Steps {
		d += st.Took
	}
	return d
}

func (r *report) summary() string {
	text := fmt.Sprintf("%d of %d steps passed in %s", r.Fine, r.Steps, r.Took.Round(time.Millisecond))
	if r.Failed > 0 {
		text += fmt.Sprintf("; %d failed", r.Failed)
	}
	if r.Skipped > 0 {
		text += fmt.Sprintf("; %d skipped", r.Skipped)
	}
	return text
}

// write makes a report and writes it to a file, "" for none.
func (r *report) write(file string, format func() ([]byte, error)) error {
	if file == "" {
		return nil
	}
	data, err := format()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return writefile.Into(file, data) // /dev/stdout, say
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if err := writefile.Bytes(file, data, writefile.Public); err != nil {
		var on *fs.PathError
		if errors.As(err, &on) {
			err = on.Err
		}
		return fmt.Errorf("can't write %s: %w", file, err)
	}
	return nil
}

// The elements of JUnit's XML, as far as those who read it agree on them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      string      `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		Cases     []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitFailure `xml:"failure"`
		Skipped *struct{}     `xml:"skipped"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junit is the report as JUnit XML: a suite a file, a case a step.
func (r *report) junit() ([]byte, error) {
	all := junitSuites{Name: "pwpipe", Tests: r.Steps, Failures: r.Failed, Skipped: r.Skipped, Time: xmlTime(r.Took)}
	for _, s := range r.Scripts {
		suite := junitSuite{Name: s.Name, Tests: len(s.Steps), Failures: s.Failed(), Skipped: s.Skipped(),
			Time: xmlTime(s.Took()), Timestamp: r.Begin.UTC().Format("2006-01-02T15:04:05")}
		for _, st := range s.Steps {
			c := junitCase{Name: fmt.Sprintf("%d %s", st.Number, printable(secrets.Shorten(st.Text, 200))),
				Class: strings.TrimSuffix(filepath.Base(s.Name), filepath.Ext(s.Name)), File: s.Name, Line: st.Number, Time: xmlTime(st.Took)}
			if st.Error != "" {
				c.Failure = &junitFailure{Message: printable(st.Error), Type: st.Kind, Text: printable(st.Text + "\n" + st.Error)}
			}
			if st.Skipped {
				c.Skipped = &struct{}{}
			}
			suite.Cases = append(suite.Cases, c)
		}
		all.Suites = append(all.Suites, suite)
	}
	data, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(data, '\n')...), err
}

func xmlTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// printable leaves out what XML 1.0 can't hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s)
}

//go:embed report.html
var reportPage string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"ms":    func(d time.Duration) string { return d.Round(time.Millisecond).String() },
	"short": secrets.Shorten,
	"png": func(b []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b))
	},
}).Parse(reportPage))

func (r *report) html() ([]byte, error) {
	var b bytes.Buffer
	err := reportTemplate.Execute(&b, r)
	return b.Bytes(), err
}
