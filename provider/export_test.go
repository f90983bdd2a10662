package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaxHappened is the most lines of what the steps of a batch did.
const MaxHappened = maxHappened

// HasTexts reports whether there are such texts.
func (f Fields) HasTexts() bool { return f.visit != nil }

// BatchOf declares a batch.
func BatchOf(spec Spec) *Tool {
	spec.Steps = true
	return Define(spec, RunBatch)
}

type textIn struct {
	Text string `json:"text" doc:"a text"`
	Loud bool   `json:"loud,omitempty" doc:"in capitals"`
	N    int    `json:"n,omitempty" doc:"how often" default:"1" min:"1" max:"9"`
}

type valueIn struct {
	Value json.RawMessage `json:"value" doc:"any value"`
}

type kindIn struct {
	Kind string         `json:"kind" doc:"what to do" enum:"fail,panic,wait,nan,chan"`
	More map[string]int `json:"more,omitempty" doc:"numbers"`
}

type point struct {
	X int `json:"x" doc:"across"`
	Y int `json:"y" doc:"down"`
}

type lookIn struct {
	At   *point         `json:"at,omitempty" doc:"where"`
	Page string         `json:"page,omitempty" doc:"a page of its own"`
	Most float64        `json:"most,omitempty" doc:"how far" max:"2.5"`
	Any  any            `json:"any,omitempty" doc:"whatever"`
	List []point        `json:"list,omitempty" doc:"others"`
	By   map[string]int `json:"by,omitempty" doc:"numbers"`
}

type textsIn struct {
	Texts []string `json:"texts" doc:"texts" hint:"give a list"`
}

type pointIn struct {
	At point `json:"at" doc:"where"`
}

// SampleTools are tools that need no browser.
func SampleTools() []*Tool {
	spec := func(name string, effect Effect) Spec {
		return Spec{Name: name, Title: "T", Doc: "Test tool " + name, Profile: "core", Timeout: 5 * time.Second, Effect: effect}
	}
	return []*Tool{
		Define(spec("echo", Reads), func(_ context.Context, in textIn) (string, error) {
			s := strings.Repeat(in.Text, in.N)
			if in.Loud {
				s = strings.ToUpper(s)
			}
			return s, nil
		}),
		Define(spec("value", Reads), func(_ context.Context, in valueIn) (json.RawMessage, error) { return in.Value, nil }),
		Define(spec("move", Acts), func(_ context.Context, in pointIn) (point, error) { return in.At, nil }),
		Define(spec("nothing", Acts), func(context.Context, struct{}) (None, error) { return None{}, nil }),
		Define(spec("where", Reads), func(ctx context.Context, _ struct{}) (string, error) {
			r := RequestFrom(ctx)
			return fmt.Sprintf("page=%s timeout=%s", r.Page, r.Deadline), nil
		}),
		BatchOf(spec("batch", Acts)),
		Define(spec("help", Reads), RunHelp),
		Define(spec("look", Waits), func(_ context.Context, in lookIn) (*point, error) { return in.At, nil }),
		Define(spec("drop", Destroys), func(_ context.Context, in textsIn) ([]string, error) { return in.Texts, nil }),
		Define(spec("do", Acts), func(ctx context.Context, in kindIn) (any, error) {
			switch in.Kind {
			case "panic":
				panic("it broke")
			case "wait":
				<-ctx.Done()
				return nil, ctx.Err()
			case "chan":
				return make(chan int), nil
			case "nan":
				return []float64{0, nan()}, nil
			}
			return nil, errors.New("it failed\nin two lines")
		}),
	}
}

func nan() float64 { z := 0.0; return z / z }
