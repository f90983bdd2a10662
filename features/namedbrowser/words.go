package namedbrowser

import (
	"regexp"
	"strings"
	"unicode"

	"pwpipe/provider"
)

// wording holds the texts of playwright_browser in one language.
type wording struct {
	launched, notOpen, closed, nothingOpen      string
	notLaunched, gone, badURL, noSelector       string
	navigated, clicked, typed, shot             string
	stillBusy, stillLoading                     string
	listLine, active, ended                     string
	action, time, heading, none                 string
	text, kind, options, state, value, disabled string
	checked, unchecked                          string
	noText                                      string
	kinds                                       map[string]string
	failures                                    map[provider.Kind]string // prefixes of errors; nil: none
}

var english = wording{
	launched: "browser %q launched", notOpen: "browser %q is not open", closed: "browser %q closed", nothingOpen: "no browser is open",
	notLaunched: "browser %q is not launched; call it with action launch first",
	gone:        "browser %q is gone; call it with action launch again",
	badURL:      "%q is not a URL that can be opened; it must start with http:// or https://",
	noSelector:  "%s needs a selector",
	noText:      "type needs a text; an empty one clears the field",
	navigated:   "at %s", clicked: "clicked %s", typed: "typed into %s", shot: "screenshot taken",
	stillBusy: " (the network was still busy after %s)", stillLoading: " (still loading%s)",
	listLine: "browser_id: %s | status: %s | title: %s | url: %s", active: "active", ended: "closed",
	action: "Action", time: "Time", heading: "Interactive elements", none: "(none)",
	text: "text", kind: "type", options: "options", state: "state", value: "value", disabled: "disabled",
	checked: "checked", unchecked: "not checked",
	kinds: map[string]string{"link": "link", "button": "button", "input": "input", "select": "select", "checkbox": "checkbox", "radio": "radio"},
}

var chinese = wording{
	launched: "浏览器 %q 已启动", notOpen: "浏览器 %q 未启动，视为已关闭", closed: "浏览器 %q 已关闭", nothingOpen: "没有活跃的浏览器会话",
	notLaunched: "浏览器 %q 未启动，请先执行 launch",
	gone:        "浏览器 %q 已失效，请重新执行 launch",
	badURL:      "URL 无效：%q，必须以 http:// 或 https:// 开头",
	noSelector:  "%s 需要 selector 参数",
	noText:      "type 需要 text 参数；空文本会清空该字段",
	navigated:   "已导航到 %s", clicked: "已点击 %s", typed: "已在 %s 中输入文本", shot: "截图已保存",
	stillBusy: "（%s 后网络仍未空闲）", stillLoading: "（仍在加载%s）",
	listLine: "browser_id: %s | 状态: %s | 标题: %s | URL: %s", active: "活跃", ended: "关闭",
	action: "操作", time: "时间", heading: "可交互控件", none: "（无）",
	text: "文本", kind: "类型", options: "选项", state: "状态", value: "值", disabled: "禁用",
	checked: "已选中", unchecked: "未选中",
	kinds: map[string]string{"link": "链接", "button": "按钮", "input": "输入", "select": "选择", "checkbox": "复选框", "radio": "单选框"},
	failures: map[provider.Kind]string{
		provider.KindArgs: "参数无效", provider.KindFailed: "操作失败", provider.KindTimeout: "操作超时", provider.KindNoTarget: "目标不存在",
		provider.KindBlocked: "被安全策略拒绝", provider.KindUnavailable: "浏览器不可用", provider.KindCancelled: "操作已取消",
		provider.KindLimit: "超出限制", provider.KindInternal: "内部错误",
	},
}

func wordsOf(lang string) wording {
	if lang == "zh" {
		return chinese
	}
	return english
}

// failure translates an error. If a tool, a page or Playwright worded it in English, the
// kind of failure comes first, in the language.
func (w wording) failure(kind provider.Kind, text string) string {
	head := w.failures[kind]
	if head == "" || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return text
	}
	for _, p := range chinesePhrases {
		text = p.english.ReplaceAllString(text, p.chinese)
	}
	return head + "：" + text
}

// chinesePhrases translate the usual errors of actions.
var chinesePhrases = []struct {
	english *regexp.Regexp
	chinese string
}{
	{regexp.MustCompile(`nothing matches ("(?:[^"\\]|\\.)*") after ([\d.]+) s on \w+ \((.*?)\)`), `$2 秒内没有元素匹配 $1（$3）`},
	{regexp.MustCompile(`("(?:[^"\\]|\\.)*") is covered: (.*?) intercepts pointer events after ([\d.]+) s on \w+ \((.*?)\)`), `$1 被 $2 遮挡，已等待 $3 秒（$4）`},
	{regexp.MustCompile(`timed out after ([\d.]+) s on \w+ \((.*?)\)`), `$1 秒后超时（$2）`},
	{regexp.MustCompile(`("(?:[^"\\]|\\.)*") is not a valid selector`), `$1 不是有效的选择器`},
	{regexp.MustCompile(`expected one of (.*), got ("(?:[^"\\]|\\.)*")`), `应为 $1 之一，实际为 $2`},
	{regexp.MustCompile(`missing parameter ("\w+") \(a string\)`), `缺少参数 $1`},
	{regexp.MustCompile(`unknown parameter ("\w+")`), `未知参数 $1`},
}
