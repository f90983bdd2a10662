//go:build evidence

package deploy

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"pwpipe/internal/pipetest"
)

// manifests are the documents of a file.
func manifests(t *testing.T, name string) (list []map[string]any) {
	t.Helper()
	dec := yaml.NewDecoder(strings.NewReader(read(t, "scale/"+name)))
	for {
		var one map[string]any
		switch err := dec.Decode(&one); {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, one)
	}
}

// at is a document's value at a path, nil if there is none.
func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// TestKubernetesTakesItsFiles: the files match Kubernetes' own published schemas,
// which allow nothing that they do not name.
func TestKubernetesTakesItsFiles(t *testing.T) {
	pipetest.InCI(t, "it fetches the schemas of Kubernetes")
	t.Parallel()
	site := pipetest.PIP(t, "kubernetes-validate==1.37.0")
	take := func(file string) (string, bool) {
		cmd := exec.Command("python3", "-m", "kubernetes_validate", "--strict", "-k", "1.32", file)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+site)
		return said(t, cmd)
	}
	for _, name := range []string{"pwpipe.yaml", "haproxy.yaml", "grid.yaml", "network.yaml"} {
		if out, ok := take(filepath.Join(folder, "scale", "kubernetes", name)); !ok || strings.Count(out, " passed ") != len(manifests(t, "kubernetes/"+name)) {
			t.Errorf("%s: %s", name, out)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte(strings.Replace(read(t, "scale/kubernetes/pwpipe.yaml"), "preStop:", "beforeStop:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := take(bad); ok {
		t.Errorf("it takes anything: %s", out)
	}
}

// keda is the source of the KEDA version that the manifests are for.
const keda = "github.com/kedacore/keda/v2@v2.20.2"

// TestKEDATakesItsFiles: the files match the schemas of its resources, and its
// scalers know their settings.
func TestKEDATakesItsFiles(t *testing.T) {
	pipetest.InCI(t, "it fetches the schemas of KEDA")
	t.Parallel()
	cmd := exec.Command("go", "mod", "download", "-json", keda)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Skipf("%s can't be had here: %v %s", keda, err, out)
	}
	schemas := map[string]*jsonschema.Resolved{
		"ScaledObject":          crd(t, filepath.Join(got.Dir, "config/crd/bases/keda.sh_scaledobjects.yaml")),
		"TriggerAuthentication": crd(t, filepath.Join(got.Dir, "config/crd/bases/keda.sh_triggerauthentications.yaml")),
	}
	for _, name := range []string{"kubernetes/keda.yaml", "kubernetes/keda-without-prometheus.yaml"} {
		for _, one := range manifests(t, name) {
			schema := schemas[one["kind"].(string)]
			if err := schema.Validate(one); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			one["spec"].(map[string]any)["more"] = 1
			if schema.Validate(one) == nil {
				t.Errorf("%s: the schema takes anything", name)
			}
			triggers, _ := at(one, "spec", "triggers").([]any)
			for _, trigger := range triggers {
				told(t, got.Dir, trigger)
			}
		}
	}
}

// crd is the schema of a resource. Kubernetes drops members that it does not name, so
// no others may be there.
func crd(t *testing.T, file string) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					Open map[string]any `yaml:"openAPIV3Schema"`
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &all); err != nil || len(all.Spec.Versions) != 1 {
		t.Fatalf("%s: %v", file, err)
	}
	own := all.Spec.Versions[0].Schema.Open
	properties := own["properties"].(map[string]any)
	delete(properties, "metadata") // every object has it; it has no schema here
	shut := func(map[string]any) {}
	shut = func(s map[string]any) {
		for key := range s { // Kubernetes' annotations, which do not restrict values
			if strings.HasPrefix(key, "x-kubernetes-") || key == "nullable" || key == "format" {
				delete(s, key)
			}
		}
		inner, _ := s["properties"].(map[string]any)
		for _, p := range inner {
			shut(p.(map[string]any))
		}
		if inner != nil && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
		for _, key := range []string{"items", "additionalProperties"} {
			if of, ok := s[key].(map[string]any); ok {
				shut(of)
			}
		}
	}
	shut(own)
	properties["metadata"] = map[string]any{"type": "object"}
	var schema jsonschema.Schema
	raw, err := json.Marshal(own)
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return resolved
}

var reTold = regexp.MustCompile("keda:\"name=([^,\"]+), *order=([^,\"]*)([^\"`]*)")

// told checks that a scaler knows all settings of a trigger, and gets all that it
// requires.
func told(t *testing.T, dir string, trigger any) {
	t.Helper()
	kind := at(trigger, "type").(string)
	source, err := os.ReadFile(filepath.Join(dir, "pkg/scalers", strings.ReplaceAll(kind, "-", "_")+"_scaler.go"))
	if err != nil {
		t.Fatal(err)
	}
	metadata := at(trigger, "metadata").(map[string]any)
	known := []string{"authMode", "authModes", "method", "keyParamName"} // of authentication.Config, which all have
	for _, m := range reTold.FindAllStringSubmatch(string(source), -1) {
		known = append(known, m[1])
		if must := !strings.Contains(m[3], "optional") && !strings.Contains(m[3], "default"); must && metadata[m[1]] == nil {
			t.Errorf("%s is not told its %s", kind, m[1])
		}
	}
	if len(known) < 8 {
		t.Fatalf("%s knows only %v", kind, known)
	}
	for name, value := range metadata {
		if _, text := value.(string); !slices.Contains(known, name) || !text {
			t.Errorf("%s is told %s: %v", kind, name, value)
		}
	}
}

// TestManifestsAgree: selectors, targets and ports refer to existing things.
func TestManifestsAgree(t *testing.T) {
	t.Parallel()
	workloads, targets := map[string]map[string]any{}, map[string]bool{}
	var all []map[string]any
	for _, name := range []string{"pwpipe", "haproxy", "grid", "network", "keda"} {
		all = append(all, manifests(t, "kubernetes/"+name+".yaml")...)
	}
	for _, one := range all {
		if kind := one["kind"].(string); kind == "Deployment" || kind == "StatefulSet" {
			app := at(one, "spec", "template", "metadata", "labels", "app").(string)
			workloads[app], targets[kind+"/"+at(one, "metadata", "name").(string)] = one, true
			pod := at(one, "spec", "template", "spec")
			if at(pod, "automountServiceAccountToken") != false || at(pod, "securityContext", "runAsNonRoot") != true {
				t.Errorf("%s has more than it needs", app)
			}
		}
	}
	for _, one := range all {
		name := one["kind"].(string) + "/" + at(one, "metadata", "name").(string)
		app := at(one, "spec", "selector", "matchLabels", "app")
		switch one["kind"] {
		case "Service":
			app = at(one, "spec", "selector", "app")
		case "NetworkPolicy":
			app = at(one, "spec", "podSelector", "matchLabels", "app")
		case "ScaledObject":
			if to := at(one, "spec", "scaleTargetRef"); !targets[at(to, "kind").(string)+"/"+at(to, "name").(string)] {
				t.Errorf("%s scales %v", name, to)
			}
			continue
		}
		if key, _ := app.(string); workloads[key] == nil {
			t.Errorf("%s is for pods of %v", name, app)
		}
	}
	if at(workloads["pwpipe"], "spec", "serviceName") != "pwpipe" {
		t.Error("the pods have no names in DNS")
	}
	var k struct{ Resources []string }
	if err := yaml.Unmarshal([]byte(read(t, "scale/kustomization.yaml")), &k); err != nil || len(k.Resources) != 5 {
		t.Errorf("%v: %v", k, err)
	}
	for _, file := range k.Resources {
		manifests(t, file)
	}
}
