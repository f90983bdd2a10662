// --- The certificates of NODE_EXTRA_CA_CERTS. Node reads them, and then all of
// its own, before it does anything: 35 ms that only a request of the driver's own
// over TLS needs. So it does not get the variable, and they are added when TLS is
// first loaded.

let extra = process.env.PWPIPE_EXTRA_CA_CERTS;
if (extra) {
  delete process.env.PWPIPE_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = extra;
}

/** What Node loads under a name. */
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
    return; // so does Node
  }
  const tls = require('tls');
  const create = tls.createSecureContext;
  const shared = new Map(); // a context with many certificates takes 20 ms
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
