package perftrace

import (
	"cmp"
	"slices"
	"strings"
)

// addTasks says what the main threads did.
func (s *summary) addTasks(out *Summary, begin float64) {
	kinds, scripts := map[string]*Part{}, map[string]*Part{}
	for at, list := range s.spans {
		if !s.threads[at] {
			continue
		}
		slices.SortStableFunc(list, func(a, b span) int {
			return cmp.Or(cmp.Compare(a.ts, b.ts), cmp.Compare(b.dur, a.dur))
		})
		selfTimes(list)
		for i := 0; i < len(list); i++ {
			if !list[i].task {
				continue
			}
			t, own := list[i], map[string]*Part{}
			for i+1 < len(list) && list[i+1].ts < t.ts+t.dur {
				i++
				one := list[i]
				add(kinds, one.kind, one.self/1000)
				add(own, one.kind, one.self/1000)
				if one.kind == "script" && one.script != "" {
					add(scripts, s.short(one.script), one.self/1000)
				}
			}
			if t.dur >= longTask {
				out.LongTasks++
				out.Blocking += (t.dur - longTask) / 1000
				out.Tasks = append(out.Tasks, Task{(t.ts - begin) / 1000, t.dur / 1000, most(own)})
			}
		}
	}
	slices.SortFunc(out.Tasks, func(a, b Task) int { return cmp.Compare(b.MS, a.MS) })
	out.Tasks = out.Tasks[:min(len(out.Tasks), maxListed)]
	out.Kinds, out.Scripts = most(kinds), most(scripts)
}

// selfTimes takes from each span what those in it took. A part of a script without a file
// is of the file around it.
func selfTimes(list []span) {
	var open []int
	for i := range list {
		list[i].self = list[i].dur
		for len(open) > 0 && list[open[len(open)-1]].ts+list[open[len(open)-1]].dur <= list[i].ts {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			around := &list[open[len(open)-1]]
			around.self -= list[i].dur
			list[i].script = cmp.Or(list[i].script, around.script)
		}
		open = append(open, i)
	}
}

func add(to map[string]*Part, name string, ms float64) {
	if name == "" {
		return
	}
	if to[name] == nil {
		if len(to) >= maxRequests {
			return
		}
		to[name] = &Part{Name: name}
	}
	to[name].Count++
	to[name].MS += ms
}

// most are the parts that took most.
func most(of map[string]*Part) (list []Part) {
	for _, p := range of {
		if p.MS >= 0.05 {
			list = append(list, *p)
		}
	}
	slices.SortFunc(list, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.MS, a.MS), strings.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), maxListed)]
}
