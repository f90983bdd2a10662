(el, typed) => {
  // The text of an element that is edited in place, a line for each line that it shows. innerText
  // has an empty line between paragraphs, which nobody has typed. With typed, without what can't be
  // edited in it. Pages may have replaced the methods of strings: none is used.
  const lines = [];
  let line = null; // that is being written
  const end = () => {
    if (line !== null) lines.push(/ $/[Symbol.replace](line, ''));
    line = null;
  };
  const walk = (node, style) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) {
        const keeps = /pre|break/.test(style.whiteSpace), parts = keeps ? /\n/[Symbol.split](child.data) : [/[ \t\r\n\f]+/g[Symbol.replace](child.data, ' ')];
        parts.forEach((part, i) => {
          if (i) line ??= '', end();
          if (!keeps && (line === null || / $/.test(line))) part = /^ /[Symbol.replace](part, '');
          if (part || keeps && i && child.nextSibling) line = (line ?? '') + part;
        });
        continue;
      }
      if (child.nodeType !== 1) continue;
      const own = getComputedStyle(child);
      if (own.display === 'none' || own.visibility === 'hidden' || typed && child.matches('[contenteditable=false]')) continue;
      if (child.localName === 'br') {
        line ??= '';
        end();
      } else if (/^inline|^ruby|^contents/.test(own.display)) {
        walk(child, own);
      } else {
        end();
        const before = lines.length;
        walk(child, own);
        end();
        if (lines.length === before && child.offsetHeight) lines.push('');
      }
    }
  };
  walk(el, getComputedStyle(el));
  end();
  return lines.join('\n');
}
