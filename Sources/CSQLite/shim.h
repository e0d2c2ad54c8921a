#pragma once
#include <sqlite3.h>

/* The macro SQLITE_TRANSIENT is a cast that Swift can't import: bind a copy of the text. */
static inline int pay_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* The same for bytes; none of them are not the same as null. */
static inline int pay_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}

/* Variadic: whether the log stays when the last connection closes. */
static inline int pay_keep_log(sqlite3 *connection, int keeps) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

/* Variadic: a file that another program has prepared runs nothing of its own, and its shape can't be written to. */
static inline int pay_defend(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    return code;
}
