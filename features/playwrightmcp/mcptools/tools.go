// Package mcptools lists the tools of Playwright MCP by its names and answers in
// its shape. Each tool translates its parameters into calls of our tools, and their answers
// into sections.
package mcptools

import (
	"slices"

	"pwpipe/features/film"
	"pwpipe/features/watch/marks"
	"pwpipe/handlers/act"
	"pwpipe/provider"
)

// Tools returns the tools of Playwright MCP, in its order.
func Tools() []*provider.Tool {
	return slices.Concat([]*provider.Tool{
		defineFor(anyModal, "", "browser_close", "Close browser", "Close browser", provider.Destroys, closeBrowser),
		define("", "browser_resize", "Resize browser window", "Set the size of the page, CSS pixels",
			provider.Acts, resize),
		define("", "browser_navigate", "Navigate to a URL", "Navigate to a URL", provider.Acts, goToURL),
		define("", "browser_navigate_back", "Go back", "Go back", provider.Acts, back),
		define("", "browser_emulate_media", "Emulate media features", "Set media features; null resets one",
			provider.Acts, media),
		defineFor(anyModal, "config", "browser_get_config", "Get config",
			"Settings of flags, variables and file, as JSON", provider.Reads, getConfig),
		define("", "browser_console_messages", "Get console messages", "Lines of the console", provider.Reads,
			consoleMessages),
		defineFor("dialog", "", "browser_handle_dialog", "Handle a dialog", "Handle a dialog",
			provider.Acts, answerDialog),
		define("", "browser_evaluate", "Evaluate JavaScript", "Evaluate JavaScript", provider.Acts, evaluate),
		defineFor("fileChooser", "", "browser_file_upload", "Upload files", "Choose files in the open file chooser",
			provider.Acts, uploadFiles),
		define("", "browser_drop", "Drop files or data onto an element", "Drop files or data",
			provider.Acts, dropFiles),
		define("", "browser_find", "Find in page snapshot", "Find lines of the snapshot by text or pattern",
			provider.Reads, find),
		define("", "browser_fill_form", "Fill form", "Fill form", provider.Acts, fillForm),
		define("", "browser_press_key", "Press a key", "Press a key", provider.Acts, press),
		define("", "browser_type", "Type text", "Type text", provider.Acts, typeText),
		define("", "browser_network_requests", "List network requests", "Numbered requests of the page",
			provider.Reads, listRequests),
		define("", "browser_network_request", "Show network request details", "Show network request details",
			provider.Reads, showRequest),
		define("network", "browser_network_state_set", "Set network state", "Go offline or online",
			provider.Acts, setNetwork),
	}, codeTools(), []*provider.Tool{
		define("", "browser_take_screenshot", "Take a screenshot", "Screenshot", provider.Reads, screenshot),
		define("pdf", "browser_pdf_save", "Save as PDF", "Save the page as PDF", provider.Reads, savePDF),
		define("", "browser_snapshot", "Page snapshot", "Accessibility snapshot of the page",
			provider.Reads, takeSnapshot),
		define("", "browser_click", "Click", "Click", provider.Acts, click),
		define("", "browser_drag", "Drag mouse", "Drag mouse", provider.Acts, drag),
		define("", "browser_hover", "Hover mouse", "Hover mouse", provider.Acts, hover),
		define("", "browser_select_option", "Select option", "Select option", provider.Acts, selectOption),
		define("", "browser_tabs", "Manage tabs", "List, open, close or select a tab", provider.Switches, tabs),
		define("", "browser_wait_for", "Wait for", "Wait until a text is there or gone, or for a time",
			provider.Waits, waitFor),
		define("vision", "browser_mouse_move_xy", "Move mouse", "Move the mouse", provider.Acts, moveMouse),
		define("vision", "browser_mouse_click_xy", "Click", "Click at a point", provider.Acts, clickAt),
		define("vision", "browser_mouse_drag_xy", "Drag mouse", "Drag from point to point", provider.Acts, dragAt),
		define("vision", "browser_mouse_down", "Press mouse down", "Press mouse down", provider.Acts,
			button("Press mouse down", act.MouseDown, "down")),
		define("vision", "browser_mouse_up", "Press mouse up", "Press mouse up", provider.Acts,
			button("Press mouse up", act.MouseUp, "up")),
		define("vision", "browser_mouse_wheel", "Scroll mouse wheel", "Turn the wheel", provider.Acts, turnWheel),
		define("testing", "browser_generate_locator", "Create locator for element", "Locator of an element, for tests",
			provider.Reads, generateLocator),
		define("testing", "browser_verify_element_visible", "Verify element visible",
			"Verify that an element is visible", provider.Reads, verifyElement),
		define("testing", "browser_verify_text_visible", "Verify text visible", "Verify that a text is visible",
			provider.Reads, verifyText),
		define("testing", "browser_verify_list_visible", "Verify list visible", "Verify the items of a list",
			provider.Reads, verifyList),
		define("testing", "browser_verify_value", "Verify value", "Verify an element's value",
			provider.Reads, verifyValue),
		define("storage", "browser_cookie_list", "List cookies", "List cookies", provider.Reads, listCookies),
		define("storage", "browser_cookie_get", "Get cookie", "Get cookie", provider.Reads, getCookie),
		define("storage", "browser_cookie_set", "Set cookie", "Set cookie", provider.Acts, setCookie),
		define("storage", "browser_cookie_delete", "Delete cookie", "Delete cookie", provider.Destroys, deleteCookie),
		define("storage", "browser_cookie_clear", "Clear cookies", "Clear cookies", provider.Destroys, clearCookies),
	}, toolsOfStorage("local"), toolsOfStorage("session"), []*provider.Tool{
		define("storage", "browser_storage_state", "Save storage state", "Save cookies and local storage to a file",
			provider.Reads, saveState),
		define("storage", "browser_set_storage_state", "Restore storage state", "Restore cookies and storage",
			provider.Acts, restoreState),
		define("network", "browser_route", "Mock network requests", "Mock matching requests", provider.Acts, mock),
		define("network", "browser_route_list", "List network routes", "List routes", provider.Reads, listMocks),
		define("network", "browser_unroute", "Remove network routes", "Remove routes", provider.Acts, unmock),
		define("devtools", "browser_start_tracing", "Start tracing", "Start tracing", provider.Acts, startTracing),
		define("devtools", "browser_stop_tracing", "Stop tracing", "Write the trace to a .zip",
			provider.Acts, stopTracing),
		calling(film.VideoStart.Tool, define("devtools", "browser_start_video", "Start video", "Film the page",
			provider.Acts, startVideo)),
		calling(film.VideoStop.Tool, define("devtools", "browser_stop_video", "Stop video", "End the film",
			provider.Acts, stopVideo)),
		calling(film.VideoChapter.Tool, define("devtools", "browser_video_chapter", "Video chapter",
			"Begin a chapter of the film, with a card", provider.Acts, videoChapter)),
		calling(marks.Highlight.Tool, define("devtools", "browser_highlight", "Highlight element",
			"Mark an element for the person who watches", provider.Acts, highlight)),
		calling(marks.Highlight.Tool, define("devtools", "browser_hide_highlight", "Hide element highlight",
			"Take all marks away", provider.Acts, hideHighlight)),
	})
}
