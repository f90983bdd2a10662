(root) => {
  const gone = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META', 'HEAD', 'PWPIPE-LABELS']);
  const kept = /^(id|name|type|href|src|alt|title|value|placeholder|role|for|action|method|checked|disabled|selected|open|data-test.*|data-id|aria-.*)$/;
  const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const lines = [];
  const visit = (node, depth) => {
    const pad = ' '.repeat(depth);
    if (node.nodeType === 3) {
      const text = node.nodeValue.replace(/\s+/g, ' ').trim();
      if (text) lines.push(pad + escape(text));
      return;
    }
    if (node.nodeType !== 1 || gone.has(node.nodeName) || node.hidden) return;
    const tag = node.nodeName.toLowerCase();
    if (tag === 'svg') { lines.push(pad + '<svg/>'); return; }
    let open = '<' + tag;
    for (const a of node.attributes) if (kept.test(a.name)) open += a.value === '' ? ' ' + a.name : ` ${a.name}="${a.value.replace(/"/g, '&quot;')}"`;
    const children = [...(node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes];
    const only = children.length === 1 && children[0].nodeType === 3;
    if (only) lines.push(`${pad}${open}>${escape(children[0].nodeValue.replace(/\s+/g, ' ').trim())}</${tag}>`);
    else if ((tag === 'div' || tag === 'span') && open === '<' + tag) for (const c of children) visit(c, depth);
    else {
      lines.push(pad + open + '>');
      for (const c of children) visit(c, depth + 1);
    }
  };
  visit(root, 0);
  return lines.join('\n');
}
