/*
A stand-in for libsqlite3, for machines that have none.

NSS, which Chromium loads on the first https page, does not load without this
library. It asks for its database of certificates and works without one, as it
does for every user who never made one. So each function here reports failure.

sqlite_test.go checks that the compiled library has every function that NSS
imports. To build it on Linux x64, in this folder:

    gcc -Os -shared -fPIC -nostdlib -s -fno-asynchronous-unwind-tables -fcf-protection=none \
      -Wl,-soname,libsqlite3.so.0,--build-id=none,-z,noseparate-code,-z,max-page-size=4096 \
      -o libsqlite3.so.0 stub.c
*/

#define SQLITE_ERROR 1
#define SQLITE_CANTOPEN 14

#define FAILS(name) int name(void) { return SQLITE_ERROR; }
#define IS_EMPTY(name) void *name(void) { return 0; }

char *sqlite3_temp_directory;

int sqlite3_open_v2(const char *file, void **db, int flags, const char *vfs) {
	*db = 0;
	return SQLITE_CANTOPEN;
}

FAILS(sqlite3_bind_blob)
FAILS(sqlite3_bind_int)
FAILS(sqlite3_bind_text)
FAILS(sqlite3_busy_timeout)
FAILS(sqlite3_exec)
FAILS(sqlite3_file_control)
FAILS(sqlite3_prepare_v2)
FAILS(sqlite3_reset)
FAILS(sqlite3_step)

// NULL, 0 or SQLITE_OK: there is nothing to read, to free or to close.
IS_EMPTY(sqlite3_close)
IS_EMPTY(sqlite3_column_blob)
IS_EMPTY(sqlite3_column_bytes)
IS_EMPTY(sqlite3_column_count)
IS_EMPTY(sqlite3_column_int)
IS_EMPTY(sqlite3_column_name)
IS_EMPTY(sqlite3_column_text)
IS_EMPTY(sqlite3_finalize)
IS_EMPTY(sqlite3_free)
IS_EMPTY(sqlite3_mprintf)
