// --- Certificates of NODE_EXTRA_CA_CERTS. With this variable, Node reads them
// and all of its own at startup. That takes 35 ms, and only the driver's own TLS
// requests need it. So Node does not get the variable; the certificates are added
// when TLS is first loaded.

let extra = process.env.PWPIPE_EXTRA_CA_CERTS;
if (extra) {
  delete process.env.PWPIPE_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = extra;
}

/** Loads a Node module by name. */
function builtin(require, id) {
  if (extra && /^(node:)?(https|http2|tls)$/.test(id))
    trustExtra();
  return require(id);
}

function trustExtra() {
  const file = extra;
  extra = undefined;
  if (!file)
    return;
  let text;
  try {
    text = fs.readFileSync(file);
  } catch {
    return; // Node ignores it too
  }
  const tls = require('tls');
  const create = tls.createSecureContext;
  const shared = new Map(); // a context with many certificates takes 20 ms to create
  tls.createSecureContext = function(options) {
    const { ca, cert, key, pfx, ciphers, minVersion, maxVersion, secureOptions, secureProtocol, ...others } = options || {};
    if (ca)
      return create.apply(this, arguments);
    const plain = !cert && !key && !pfx && !others.crl && !others.ticketKeys && !others.sigalgs && !others.ecdhCurve && !others.dhparam && !others.sessionIdContext;
    const name = JSON.stringify([ciphers, minVersion, maxVersion, secureOptions, secureProtocol]);
    if (plain && shared.has(name))
      return shared.get(name);
    const made = create.apply(this, arguments);
    try {
      made.context.addCACert(text);
    } catch { /* no certificates: Node warns, and goes on */ }
    if (plain)
      shared.set(name, made);
    return made;
  };
}
