package agent_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

type box struct{ X, Y, W, H float64 }

func TestLabels(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/admin")
	p.Call("eval", []string{"window.before = document.body.getBoundingClientRect().height"})
	var got struct {
		Labels []struct {
			Ref, Role, Colour string
			Label             box
		}
	}
	if err := json.Unmarshal([]byte(pipetest.Execute(p, "await showAriaRefLabels({page})")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Labels) < 15 {
		t.Fatalf("%d labels", len(got.Labels))
	}
	colours := map[string]string{"link": "#FFF785", "button": "#FFE0B2", "tab": "#FFE082"}
	for i, a := range got.Labels {
		if want := colours[a.Role]; want != "" && a.Colour != want {
			t.Errorf("a %s is %s", a.Role, a.Colour)
		}
		for _, b := range got.Labels[i+1:] {
			if a.Label.X < b.Label.X+b.Label.W && b.Label.X < a.Label.X+a.Label.W && a.Label.Y < b.Label.Y+b.Label.H && b.Label.Y < a.Label.Y+a.Label.H {
				t.Errorf("%s and %s overlap", a.Ref, b.Ref)
			}
		}
	}
	if pipetest.Execute(p, "await page.locator('pwpipe-labels').count()") != "0" {
		t.Error("the labels outlived the next action")
	}
	p.Call("screenshot", pipetest.Object{"labels": true})
	p.Call("vis", []string{"body"})
	p.Call("click", []string{"#tab-people"})
	if got := p.Call("eval", []string{"document.body.getBoundingClientRect().height > 0 && !document.querySelector('pwpipe-labels')"}); got != "true" {
		t.Error("the labels outlived the next action")
	}
}
