({ text, exact, most }) => {
  const fold = (s) => s.replace(/[\u00a0\u2000-\u200b\u202f\u205f\u3000]/g, " ").replace(/ {2,}/g, " ");
  const wanted = exact ? fold(text) : fold(text).toLowerCase();
  const found = [];
  let count = 0;

  function look(node) {
    const own = node.textContent.trim();
    const el = node.parentElement ?? node.getRootNode().host;
    if (!own || !el) return;
    const folded = fold(own);
    if (exact ? folded !== wanted : !folded.toLowerCase().includes(wanted)) return;
    const box = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    if (!box.width || !box.height || style.visibility !== "visible" || style.display === "none") return;
    if (++count > most) return;
    const around = el.parentElement?.textContent.trim() ?? own;
    // The context is cut to its final length after secrets are masked.
    found.push({
      text: own, context: around.slice(0, 100) === own ? null : around.slice(0, 1000), tagName: el.tagName.toLowerCase(),
      box: [box.x, box.y, box.width, box.height],
    });
  }

  function walk(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) look(node);
      else if (node.shadowRoot) walk(node.shadowRoot);
    }
  }
  if (document.body) {
    if (document.body.shadowRoot) walk(document.body.shadowRoot);
    walk(document.body);
  }
  return JSON.stringify({ count, found });
}
