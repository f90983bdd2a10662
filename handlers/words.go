package handlers

// words are what playwright_browser says and writes, in one language.
type words struct {
	launched, notOpen, closed, nothingOpen      string
	notLaunched, gone, badURL, noSelector       string
	navigated, clicked, typed, shot, stillBusy  string
	listLine, active, ended                     string
	action, time, heading, none                 string
	text, kind, options, state, value, disabled string
	checked, unchecked                          string
	kinds                                       map[string]string
}

var english = words{
	launched: "browser %q launched", notOpen: "browser %q is not open", closed: "browser %q closed", nothingOpen: "no browser is open",
	notLaunched: "browser %q is not launched; call it with action launch first",
	gone:        "browser %q is gone; call it with action launch again",
	badURL:      "%q is not a URL that can be opened; it must start with http:// or https://",
	noSelector:  "%s needs a selector",
	navigated:   "at %s", clicked: "clicked %s", typed: "typed into %s", shot: "screenshot taken",
	stillBusy: " (the network was still busy after %s)",
	listLine:  "browser_id: %s | status: %s | title: %s | url: %s", active: "active", ended: "closed",
	action: "Action", time: "Time", heading: "Interactive elements", none: "(none)",
	text: "text", kind: "type", options: "options", state: "state", value: "value", disabled: "disabled",
	checked: "checked", unchecked: "not checked",
	kinds: map[string]string{"link": "link", "button": "button", "input": "input", "select": "select", "checkbox": "checkbox", "radio": "radio"},
}

var chinese = words{
	launched: "浏览器 %q 已启动", notOpen: "浏览器 %q 未启动，视为已关闭", closed: "浏览器 %q 已关闭", nothingOpen: "没有活跃的浏览器会话",
	notLaunched: "浏览器 %q 未启动，请先执行 launch",
	gone:        "浏览器 %q 已失效，请重新执行 launch",
	badURL:      "URL 无效：%q，必须以 http:// 或 https:// 开头",
	noSelector:  "%s 需要 selector 参数",
	navigated:   "已导航到 %s", clicked: "已点击 %s", typed: "已在 %s 中输入文本", shot: "截图已保存",
	stillBusy: "（%s 后网络仍未空闲）",
	listLine:  "browser_id: %s | 状态: %s | 标题: %s | URL: %s", active: "活跃", ended: "关闭",
	action: "操作", time: "时间", heading: "可交互控件", none: "（无）",
	text: "文本", kind: "类型", options: "选项", state: "状态", value: "值", disabled: "禁用",
	checked: "已选中", unchecked: "未选中",
	kinds: map[string]string{"link": "链接", "button": "按钮", "input": "输入", "select": "选择", "checkbox": "复选框", "radio": "单选框"},
}

func wordsOf(lang string) words {
	if lang == "zh" {
		return chinese
	}
	return english
}
