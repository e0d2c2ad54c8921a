#pragma once

/* What lies between SQLite and the system's files in tests: whoever hooks in hears of everything that is about to change
   a file, and may let it fail. */
#include <stdint.h>

enum pay_disk_change { PAY_DISK_WRITE, PAY_DISK_TRUNCATE, PAY_DISK_SYNC, PAY_DISK_DELETE };

/* Whatever isn't 0 fails instead. The place is a truncation's new size, the bytes are a write's. */
typedef int (*pay_disk_hook)(int change, const char *path, int64_t place, const void *bytes, int64_t count);

/* Lays it between for the whole process; 0 when that is done. */
int pay_disk_install(pay_disk_hook hook);
