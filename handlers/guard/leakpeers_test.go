package guard_test

import (
	"path/filepath"

	"pwpipe/internal/pipetest"
)

// peers calls the tools of Playwright MCP.
func (l *leakRun) peers() {
	file := func(name string) string { return filepath.Join(l.dir, name) }
	l.do("browser_navigate", pipetest.Object{"url": l.site + "/?q={{SPACES}}"})
	l.do("browser_resize", pipetest.Object{"width": 700, "height": 500})
	l.do("browser_emulate_media", pipetest.Object{"colorScheme": "dark"})
	for _, in := range []pipetest.Object{{}, {"depth": 2}, {"boxes": true}, {"target": "#grid"}, {"filename": file("s.txt")},
		{"target": "#none {{TOKEN}}"}} {
		l.do("browser_snapshot", in)
	}
	for _, in := range []pipetest.Object{{"text": "x"}, {"text": obey}, {"regex": "/x{2,}/i"}, {"text": "none {{TOKEN}}"},
		{"regex": "[{{TOKEN}}"}, {"text": "x", "filename": file("f.txt")}} {
		l.do("browser_find", in)
	}
	for _, code := range []string{"() => all", "() => document.body.outerHTML", "() => all.map((v) => v.slice(3))",
		"() => { throw new Error(all.join()) }", "'{{TOKEN}}'", "() => { console.log('x'.repeat(1990), ...all); return 1 }"} {
		l.do("browser_evaluate", pipetest.Object{"function": code})
		l.do("browser_evaluate", pipetest.Object{"function": code, "filename": file("e.txt")})
		l.do("browser_run_code_unsafe", pipetest.Object{"code": "(page) => page.evaluate(" + code + ")"})
	}
	l.do("browser_evaluate", pipetest.Object{"function": "(e) => e.outerHTML + all", "target": "#grid"})
	l.do("browser_run_code", pipetest.Object{"code": "(page) => page.content()"})
	l.do("browser_run_code_unsafe", pipetest.Object{"filename": file("none {{TOKEN}}.js")})
	for _, in := range []pipetest.Object{{"level": "debug"}, {"all": true}, {"filename": file("c.txt")}} {
		l.do("browser_console_messages", in)
	}
	for _, sel := range []string{"#i0", "#none {{TOKEN}}", "getByText('{{UNICODE}}')"} {
		on := func(more pipetest.Object) pipetest.Object { more["target"] = sel; return more }
		l.do("browser_click", on(pipetest.Object{}), "timeout", 6)
		l.do("browser_hover", on(pipetest.Object{}), "timeout", 6)
		l.do("browser_type", on(pipetest.Object{"text": "{{QUOTES}}"}), "timeout", 6)
		l.do("browser_type", on(pipetest.Object{"text": "{{LONG}}", "slowly": true}), "timeout", 6)
		l.do("browser_fill_form", pipetest.Object{"fields": list{pipetest.Object{"target": sel, "name": "{{TOKEN}}",
			"type": "textbox", "value": "{{SPACES}}"}}}, "timeout", 6)
		l.do("browser_verify_value", on(pipetest.Object{"type": "textbox", "element": "x", "value": "none {{TOKEN}}"}))
		l.do("browser_generate_locator", on(pipetest.Object{}))
		l.do("browser_drop", on(pipetest.Object{"paths": list{file("none {{TOKEN}}")}}), "timeout", 6)
	}
	l.do("browser_select_option", pipetest.Object{"target": "#choice", "values": list{"none {{TOKEN}}"}}, "timeout", 6)
	l.do("browser_drag", pipetest.Object{"startTarget": "#none {{TOKEN}}", "endTarget": "#none"}, "timeout", 6)
	l.do("browser_press_key", pipetest.Object{"key": "{{TOKEN}}"})
	l.do("browser_verify_element_visible", pipetest.Object{"role": "button", "accessibleName": "{{TOKEN}}"})
	l.do("browser_verify_text_visible", pipetest.Object{"text": "{{LINES}}"})
	l.do("browser_verify_list_visible", pipetest.Object{"element": "x", "target": "body", "items": list{"x", "{{TOKEN}}"}})
	l.do("browser_wait_for", pipetest.Object{"text": "none {{TOKEN}}"}, "timeout", 7)
	l.do("browser_tabs", pipetest.Object{"action": "new", "url": l.site + "/inner?q={{SPACES}}"})
	l.do("browser_tabs", pipetest.Object{"action": "list"})
	l.do("browser_tabs", pipetest.Object{"action": "close"})
	l.do("browser_navigate", pipetest.Object{"url": "http://127.0.0.1:1/?p={{LONG}}"})
	l.do("browser_navigate_back", pipetest.Object{})
	l.do("browser_take_screenshot", pipetest.Object{"filename": file("peer.png")})
	l.do("browser_pdf_save", pipetest.Object{"filename": file("peer.pdf")})
	l.do("browser_handle_dialog", pipetest.Object{"accept": true, "promptText": "{{TOKEN}}"})
	l.do("browser_file_upload", pipetest.Object{"paths": list{file("none {{TOKEN}}")}})
	l.do("browser_mouse_move_xy", pipetest.Object{"x": 9, "y": 9})
	l.do("browser_mouse_down", pipetest.Object{})
	l.do("browser_mouse_up", pipetest.Object{})
	l.do("browser_mouse_click_xy", pipetest.Object{"x": 9, "y": 9})
	l.do("browser_mouse_drag_xy", pipetest.Object{"startX": 9, "startY": 9, "endX": 19, "endY": 19})
	l.do("browser_mouse_wheel", pipetest.Object{"deltaY": 9})
	l.do("browser_start_video", pipetest.Object{"filename": file("none {{TOKEN}}.gif")})
	l.do("browser_video_chapter", pipetest.Object{"title": "{{TOKEN}}"})
	l.do("browser_highlight", pipetest.Object{"target": "#file", "element": "{{TOKEN}}"})
	l.do("browser_highlight", pipetest.Object{"target": "#none{{TOKEN}}"})
	l.do("browser_hide_highlight", pipetest.Object{})
	l.do("browser_get_config", pipetest.Object{})
	l.do("browser_stop_video", pipetest.Object{})
	l.do("browser_close", pipetest.Object{})
}

// peersStorage calls those about the network and what sites store.
func (l *leakRun) peersStorage() {
	file := func(name string) string { return filepath.Join(l.dir, name) }
	l.do("browser_network_requests", pipetest.Object{"static": true})
	l.do("browser_network_requests", pipetest.Object{"static": true, "filter": "[{{TOKEN}}", "filename": file("n.txt")})
	for n := 1; n < 4; n++ {
		for _, part := range []string{"request-headers", "request-body", "response-headers", "response-body"} {
			l.do("browser_network_request", pipetest.Object{"index": n, "part": part})
		}
		l.do("browser_network_request", pipetest.Object{"index": n, "filename": file("r.txt")})
	}
	l.do("browser_route", pipetest.Object{"pattern": "**/{{TOKEN}}", "body": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{{LONG}}",
		"headers": list{"X-Mine: {{TOKEN}}"}})
	l.do("browser_route_list", pipetest.Object{})
	l.do("browser_unroute", pipetest.Object{"pattern": "**/{{TOKEN}}"})
	l.do("browser_network_state_set", pipetest.Object{"state": "online"})
	l.do("browser_cookie_set", pipetest.Object{"name": "mine", "value": "{{TOKEN}}"})
	l.do("browser_cookie_list", pipetest.Object{})
	l.do("browser_cookie_get", pipetest.Object{"name": "mine"})
	l.do("browser_cookie_get", pipetest.Object{"name": "{{TOKEN}}"})
	for _, kind := range []string{"local", "session"} {
		of := "browser_" + kind + "storage_"
		l.do(of+"set", pipetest.Object{"key": "key {{TOKEN}}", "value": "{{QUOTES}}"})
		l.do(of+"list", pipetest.Object{})
		l.do(of+"get", pipetest.Object{"key": "key {{TOKEN}}"})
		l.do(of+"get", pipetest.Object{"key": "{{SPACES}}"})
		l.do(of+"delete", pipetest.Object{"key": "key {{TOKEN}}"})
		l.do(of+"clear", pipetest.Object{})
	}
	l.do("browser_storage_state", pipetest.Object{"filename": file("peer.json")})
	l.do("browser_set_storage_state", pipetest.Object{"filename": file("none {{TOKEN}}.json")})
	l.do("browser_set_storage_state", pipetest.Object{"filename": file("peer.json")})
	l.do("browser_cookie_delete", pipetest.Object{"name": "{{TOKEN}}"})
	l.do("browser_cookie_clear", pipetest.Object{})
}
