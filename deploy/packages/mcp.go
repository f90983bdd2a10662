package packages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pwpipe/provider"
)

const (
	title       = "pwpipe"
	description = "A real browser for a model: outlines, clicks and Playwright scripts, in few tokens"
)

// mcpArgs start the server that a model uses.
var mcpArgs = []string{"--profile", "agent"}

// bundle is the manifest.json of an MCP bundle (.mcpb), version 0.3.
type bundle struct {
	ManifestVersion string `json:"manifest_version"`
	Name            string `json:"name"`
	DisplayName     string `json:"display_name"`
	Version         string `json:"version"`
	Description     string `json:"description"`
	Author          named  `json:"author"`
	License         string `json:"license"`
	Homepage        string `json:"homepage,omitempty"`
	Server          struct {
		Type       string `json:"type"`
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcp_config"`
	} `json:"server"`
	Tools         []named        `json:"tools"`
	Compatibility map[string]any `json:"compatibility"`
}

type named struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// bundled are the files of one platform in the bundle. They lie where npm puts them, so
// that program.cjs finds them.
func bundled(version string, p platform, binary []byte) []file {
	folder := "server/node_modules/" + p.npmName() + "/"
	text, _ := json.Marshal(manifest{Name: p.npmName(), Version: version, License: "MIT"}) // of texts alone
	return []file{{name: folder + "package.json", data: text}, {folder + "bin/" + p.program(), binary, true}}
}

// writeBundle writes the MCP bundle. Its host starts the npm package's command with a Node
// of its own, and the command starts the binary of the platform.
func (r release) writeBundle(programs []file, tools []*provider.Tool) error {
	m := bundle{
		ManifestVersion: "0.3", Name: "pwpipe", DisplayName: title, Version: r.version, Description: description,
		Author: named{Name: "The pwpipe authors"}, License: "MIT", Homepage: r.address(),
	}
	m.Server.Type, m.Server.EntryPoint, m.Server.Config.Command = "node", "server/bin.cjs", "node"
	m.Server.Config.Args = append([]string{"${__dirname}/server/bin.cjs"}, mcpArgs...)
	for _, t := range tools {
		if t.Profile == "agent" || slices.Contains(t.Also, "agent") {
			m.Tools = append(m.Tools, named{t.Name, t.Doc})
		}
	}
	systems := []string{}
	for _, p := range r.found {
		systems = append(systems, p.npmOS)
	}
	m.Compatibility = map[string]any{"platforms": slices.Compact(systems), "runtimes": map[string]string{"node": ">=18"}}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	command, err := fromTree("deploy/npm", "program.cjs", "bin.cjs")
	if err != nil {
		return err
	}
	for i := range command {
		command[i].name = "server/" + command[i].name
	}
	files := slices.Concat([]file{{name: "manifest.json", data: text}}, command, r.legal, programs)
	return writeZip(filepath.Join(r.out, r.bundleName()), files)
}

func (r release) bundleName() string { return "pwpipe-" + r.version + ".mcpb" }

func (r release) address() string {
	if r.repository == "" {
		return ""
	}
	return "https://github.com/" + r.repository
}

// mcpName is the server's name in the MCP registry, which knows the owner by GitHub.
func mcpName(repository string) string {
	owner, name, _ := strings.Cut(repository, "/")
	return "io.github." + strings.ToLower(owner) + "/" + name
}

// server is the server.json of the MCP registry, schema 2025-12-11.
type server struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
	Repository  struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	} `json:"repository"`
	Packages []serverPackage `json:"packages"`
}

type serverPackage struct {
	RegistryType string            `json:"registryType"`
	Identifier   string            `json:"identifier"`
	Version      string            `json:"version,omitempty"`
	SHA256       string            `json:"fileSha256,omitempty"`
	Transport    map[string]string `json:"transport"`
	Arguments    []serverArgument  `json:"packageArguments,omitempty"`
}

type serverArgument struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// writeServer writes server.json. Its packages are npm's, pip's and the bundle. The bundle
// names its arguments itself.
func (r release) writeServer() error {
	data, err := os.ReadFile(filepath.Join(r.out, r.bundleName()))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	stdio := map[string]string{"type": "stdio"}
	own := serverPackage{Identifier: "pwpipe", Version: r.version, Transport: stdio,
		Arguments: []serverArgument{{"named", mcpArgs[0], mcpArgs[1]}}}
	npm, pip := own, own
	npm.RegistryType, pip.RegistryType = "npm", "pypi"
	bundle := serverPackage{
		RegistryType: "mcpb", Identifier: r.address() + "/releases/download/v" + r.version + "/" + r.bundleName(),
		SHA256: hex.EncodeToString(sum[:]), Transport: stdio,
	}
	s := server{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   mcpName(r.repository), Title: title, Description: description, Version: r.version,
		Packages: []serverPackage{npm, pip, bundle},
	}
	s.Repository.URL, s.Repository.Source = r.address(), "github"
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "server.json"), append(text, '\n'), 0o644)
}
