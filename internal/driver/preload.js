// Runs in the driver before it starts. For each request and response that a
// page makes the driver keeps an object, with all headers, here and in its
// client, until there are ten thousand of a kind: some 200 MB that a service
// comes to hold after a while. One thousand of each is as many as are ever
// asked for afterwards. Objects of other kinds keep their limits.
'use strict';
const path = require('path');
try {
  const lib = path.join(path.dirname(process.argv[1]), 'lib', 'server', 'dispatchers', 'dispatcher.js');
  const { DispatcherConnection, setMaxDispatchersForTest } = require(lib);
  const dispose = DispatcherConnection.prototype.maybeDisposeStaleDispatchers;
  DispatcherConnection.prototype.maybeDisposeStaleDispatchers = function (bucket) {
    if (bucket !== 'Request' && bucket !== 'Response') return dispose.call(this, bucket);
    setMaxDispatchersForTest(1000);
    try {
      return dispose.call(this, bucket);
    } finally {
      setMaxDispatchersForTest(undefined);
    }
  };
} catch (e) {
  // Another release of the driver: it works as it is, with more memory.
}
