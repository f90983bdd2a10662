// The computed values of an element of this kind without the page's rules: it
// is in a closed shadow root below a host that inherits nothing. The element
// exists only while this function runs.
function () {
  const document = this.ownerDocument;
  const host = document.createElement('pwpipe-defaults');
  host.style.setProperty('all', 'initial', 'important');
  const root = host.attachShadow({ mode: 'closed' });
  const plain = this.localName.includes('-') ? document.createElement('span') : document.createElementNS(this.namespaceURI, this.localName);
  root.append(plain);
  document.documentElement.append(host);
  try {
    const values = {};
    const style = document.defaultView.getComputedStyle(plain);
    for (const name of style) values[name] = style.getPropertyValue(name);
    return values;
  } finally {
    host.remove();
  }
}
