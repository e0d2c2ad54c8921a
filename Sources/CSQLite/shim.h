#pragma once
#include <sqlite3.h>

/* The macro SQLITE_TRANSIENT is a cast that Swift can't import: bind a copy of the text. */
static inline int pay_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/* Variadic: whether the log stays when the last connection closes. */
static inline int pay_keep_log(sqlite3 *connection, int keeps) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
