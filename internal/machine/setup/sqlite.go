package setup

import _ "embed"

// sqliteLib is the library that NSS loads for its database of certificates.
const sqliteLib = "libsqlite3.so.0"

// sqliteStub is the compiled sqlite/stub.c, whose head says what it is for and
// how to build it. It is kept compiled: no npm package has a libsqlite3, and the
// machine may have no compiler.
//
//go:embed sqlite/libsqlite3.so.0
var sqliteStub []byte
