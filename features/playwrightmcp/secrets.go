package playwrightmcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/text/secrets"
)

// setSecretsFile reads a dotenv file. Its names may contain characters that our names can't.
func setSecretsFile(s *mcpServer, v []string) error {
	text, err := writefile.Config(v[0])
	if err != nil {
		return err
	}
	s.secrets = dotenv(string(text))
	s.Controls = append(s.Controls, v[0])
	return nil
}

// keepSecrets collects the secrets of --secrets and of the configuration file. Answers mark
// them as Playwright MCP does.
func (s *mcpServer) keepSecrets(file peerFile) error {
	own := map[string]string{}
	if raw, ok := file.pop("secrets"); ok {
		if err := json.Unmarshal(raw, &own); err != nil {
			return fmt.Errorf("--config: secrets: expected an object of texts")
		}
	}
	maps.Copy(own, s.secrets)
	maps.DeleteFunc(own, func(_, value string) bool { return value == "" })
	if len(own) == 0 {
		return nil
	}
	set, err := secrets.Marked(own, func(name string) string { return "<secret>" + name + "</secret>" })
	if err != nil {
		return fmt.Errorf("--secrets: %w", err)
	}
	s.Guard.Secrets = secrets.NewStore(set)
	return nil
}

var (
	reDotenv = regexp.MustCompile(`(?m)^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*` +
		`("(?:\\.|[^"\\])*"|'[^']*'|[^\n]*)`)
	reComment = regexp.MustCompile(`(?:^|\s)#.*$`)
)

// dotenv reads the names and values of a file with lines NAME=value. A value in quotes may have
// several lines; in double quotes \n is a line break.
func dotenv(text string) map[string]string {
	values := map[string]string{}
	for _, m := range reDotenv.FindAllStringSubmatch(strings.ReplaceAll(text, "\r\n", "\n"), -1) {
		name, v := m[1], m[2]
		switch {
		case len(v) > 1 && v[0] == '\'' && strings.HasSuffix(v, "'"):
			v = v[1 : len(v)-1]
		case len(v) > 1 && v[0] == '"' && strings.HasSuffix(v, `"`):
			v = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(v[1 : len(v)-1])
		default:
			v = strings.TrimSpace(reComment.ReplaceAllString(v, ""))
		}
		values[name] = v
	}
	return values
}
