#include "CFaultyDisk.h"

#include <sqlite3.h>
#include <string.h>

/* A file of ours, with the system's behind it in the same piece of memory. */
struct file {
    sqlite3_file base;
    const char *path;
    sqlite3_file *real;
};

static sqlite3_vfs *system_files;
static sqlite3_vfs files;
static pay_disk_hook hear;

static sqlite3_file *real(sqlite3_file *given) { return ((struct file *)given)->real; }

static int refused(sqlite3_file *given, int change, int64_t place, const void *bytes, int64_t count) {
    const char *path = ((struct file *)given)->path;
    return path == NULL ? 0 : hear(change, path, place, bytes, count);
}

static int file_close(sqlite3_file *given) { return real(given)->pMethods->xClose(real(given)); }

static int file_read(sqlite3_file *given, void *bytes, int count, sqlite3_int64 place) {
    return real(given)->pMethods->xRead(real(given), bytes, count, place);
}

static int file_write(sqlite3_file *given, const void *bytes, int count, sqlite3_int64 place) {
    if (refused(given, PAY_DISK_WRITE, place, bytes, count)) return SQLITE_IOERR_WRITE;
    return real(given)->pMethods->xWrite(real(given), bytes, count, place);
}

static int file_truncate(sqlite3_file *given, sqlite3_int64 size) {
    if (refused(given, PAY_DISK_TRUNCATE, size, NULL, 0)) return SQLITE_IOERR_TRUNCATE;
    return real(given)->pMethods->xTruncate(real(given), size);
}

static int file_sync(sqlite3_file *given, int flags) {
    if (refused(given, PAY_DISK_SYNC, 0, NULL, 0)) return SQLITE_IOERR_FSYNC;
    return real(given)->pMethods->xSync(real(given), flags);
}

static int file_size(sqlite3_file *given, sqlite3_int64 *size) {
    return real(given)->pMethods->xFileSize(real(given), size);
}

static int file_lock(sqlite3_file *given, int level) { return real(given)->pMethods->xLock(real(given), level); }

static int file_unlock(sqlite3_file *given, int level) { return real(given)->pMethods->xUnlock(real(given), level); }

static int file_is_reserved(sqlite3_file *given, int *is_reserved) {
    return real(given)->pMethods->xCheckReservedLock(real(given), is_reserved);
}

static int file_control(sqlite3_file *given, int word, void *value) {
    return real(given)->pMethods->xFileControl(real(given), word, value);
}

static int file_sector(sqlite3_file *given) { return real(given)->pMethods->xSectorSize(real(given)); }

static int file_abilities(sqlite3_file *given) {
    return real(given)->pMethods->xDeviceCharacteristics(real(given));
}

static int file_map(sqlite3_file *given, int page, int size, int extend, void volatile **memory) {
    return real(given)->pMethods->xShmMap(real(given), page, size, extend, memory);
}

static int file_map_lock(sqlite3_file *given, int offset, int count, int flags) {
    return real(given)->pMethods->xShmLock(real(given), offset, count, flags);
}

static void file_barrier(sqlite3_file *given) { real(given)->pMethods->xShmBarrier(real(given)); }

static int file_unmap(sqlite3_file *given, int deletes) {
    return real(given)->pMethods->xShmUnmap(real(given), deletes);
}

/* Version 2: no pages are mapped, so that every change of a file comes by here. */
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_abilities,
    .xShmMap = file_map,
    .xShmLock = file_map_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

static int files_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *given, int flags, int *outcome) {
    struct file *file = (struct file *)given;
    file->path = path;
    file->real = (sqlite3_file *)(file + 1);
    memset(file->real, 0, (size_t)system_files->szOsFile);
    int code = system_files->xOpen(system_files, path, file->real, flags, outcome);
    file->base.pMethods = file->real->pMethods != NULL ? &methods : NULL;
    return code;
}

static int files_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    if (hear(PAY_DISK_DELETE, path, 0, NULL, 0)) return SQLITE_IOERR_DELETE;
    return system_files->xDelete(system_files, path, syncs);
}

int pay_disk_install(pay_disk_hook hook) {
    if (sqlite3_initialize() != SQLITE_OK) return -1;
    system_files = sqlite3_vfs_find(NULL);
    if (system_files == NULL) return -1;
    hear = hook;
    files = *system_files;
    files.zName = "faulty disk";
    files.szOsFile = (int)sizeof(struct file) + system_files->szOsFile;
    files.xOpen = files_open;
    files.xDelete = files_delete;
    return sqlite3_vfs_register(&files, 1) == SQLITE_OK ? 0 : -1;
}
