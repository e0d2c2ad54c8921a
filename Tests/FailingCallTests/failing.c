/* Laid before the C library in a program under test: one call of one kind fails, once, and all of them are counted. What
   the language's own libraries call is neither: they end the program where they can't have an event or a thread.

   FAILING_CALL     the kind, such as write; nothing fails without it
   FAILING_AT       which of them, from 1
   FAILING_REPORT   where what was seen, and what is still open, is written when the program ends */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Every kind, with what the system says when it fails. */
#define KINDS(X) \
    X(open, EMFILE) X(read, EIO) X(write, ENOSPC) X(sync, EIO) X(truncate, EIO) X(lock, ENOLCK) X(rename, EACCES) \
    X(unlink, EACCES) X(mkdir, ENOSPC) X(link, EMLINK) X(stat, EACCES) X(poll, ENOMEM) X(socket, EMFILE) \
    X(connect, ENETUNREACH) X(send, ECONNRESET) X(recv, ECONNRESET) X(random, EAGAIN) X(clock, EINVAL) X(map, ENOMEM)

#define X(name, code) kind_##name,
enum kind { KINDS(X) kinds };
#undef X
#define X(name, code) #name,
static const char *const names[] = { KINDS(X) };
#undef X
#define X(name, code) code,
static const int codes[] = { KINDS(X) };
#undef X

static atomic_long counts[kinds];
static atomic_int fired;
static int meant = -1;
static long place;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("FAILING_CALL"), *at = getenv("FAILING_AT");
    for (int kind = 0; name && kind < kinds; kind++) if (strcmp(name, names[kind]) == 0) meant = kind;
    place = at ? atol(at) : 0;
}

/* Whether the language's own libraries call, whose failures are not ours. */
static int isLanguage(const void *caller) {
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname) return 0;
    return strstr(info.dli_fname, "/libdispatch") || strstr(info.dli_fname, "/libswift")
        || strstr(info.dli_fname, "/lib_Foundation") || strstr(info.dli_fname, "/libFoundation");
}

static int fails(enum kind kind, const void *caller) {
    if (isLanguage(caller)) return 0;
    long count = atomic_fetch_add(&counts[kind], 1) + 1;
    if ((int)kind != meant || count != place) return 0;
    atomic_store(&fired, 1);
    errno = codes[kind];
    return 1;
}

/* The names of the files that were made durable first, in their order. */
static char synced[16][256];
static atomic_int syncedCount;

/* The last name of what a descriptor has open. */
static int lastName(int file, char *name, size_t size) {
    char path[64], whole[512];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, whole, sizeof whole - 1);
    if (length < 0) return 0;
    whole[length] = 0;
    char *last = whole[0] == '/' ? strrchr(whole, '/') + 1 : whole;
    last[strcspn(last, "[\"\\")] = 0;
    snprintf(name, size, "%s", last);
    return 1;
}

static void keepName(int file) {
    int place = atomic_fetch_add(&syncedCount, 1);
    if (place < 16) lastName(file, synced[place], sizeof synced[place]);
}

#define HERE __builtin_return_address(0)
#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define CALL(kind, result, name, parameters, ...) \
    result name parameters { REAL(name); if (fails(kind_##kind, HERE)) return (result)-1; return real(__VA_ARGS__); }
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        MODE(flags) REAL(name); \
        return fails(kind_open, HERE) ? -1 : real(path, flags, mode); \
    }
#define LOCK(name) \
    int name(int file, int what, ...) { \
        va_list more; \
        va_start(more, what); \
        void *value = va_arg(more, void *); \
        va_end(more); \
        REAL(name); \
        if ((what == F_SETLK || what == F_SETLKW) && fails(kind_lock, HERE)) return -1; \
        return real(file, what, value); \
    }

#define SYNC(name) \
    int name(int file) { \
        REAL(name); \
        if (fails(kind_sync, HERE)) return -1; \
        keepName(file); \
        return real(file); \
    }

OPEN(open)
OPEN(open64)
LOCK(fcntl)
LOCK(fcntl64)
CALL(lock, int, flock, (int file, int what), file, what)
CALL(read, ssize_t, read, (int file, void *bytes, size_t count), file, bytes, count)
CALL(read, ssize_t, pread, (int file, void *bytes, size_t count, off_t at), file, bytes, count, at)
CALL(read, ssize_t, pread64, (int file, void *bytes, size_t count, off64_t at), file, bytes, count, at)
CALL(write, ssize_t, write, (int file, const void *bytes, size_t count), file, bytes, count)
CALL(write, ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
CALL(write, ssize_t, pwrite64, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
CALL(write, ssize_t, writev, (int file, const struct iovec *parts, int count), file, parts, count)
SYNC(fsync)
SYNC(fdatasync)
CALL(truncate, int, ftruncate, (int file, off_t size), file, size)
CALL(truncate, int, ftruncate64, (int file, off64_t size), file, size)
CALL(rename, int, rename, (const char *one, const char *other), one, other)
CALL(unlink, int, unlink, (const char *path), path)
CALL(mkdir, int, mkdir, (const char *path, mode_t mode), path, mode)
CALL(link, int, link, (const char *one, const char *other), one, other)
CALL(stat, int, stat, (const char *path, struct stat *status), path, status)
CALL(stat, int, stat64, (const char *path, struct stat64 *status), path, status)
CALL(stat, int, lstat, (const char *path, struct stat *status), path, status)
CALL(stat, int, lstat64, (const char *path, struct stat64 *status), path, status)
CALL(stat, int, fstat, (int file, struct stat *status), file, status)
CALL(stat, int, fstat64, (int file, struct stat64 *status), file, status)
CALL(poll, int, poll, (struct pollfd *files, nfds_t count, int limit), files, count, limit)
CALL(poll, int, epoll_wait, (int file, struct epoll_event *events, int count, int limit), file, events, count, limit)
CALL(socket, int, socket, (int family, int kind, int protocol), family, kind, protocol)
CALL(socket, int, eventfd, (unsigned int value, int flags), value, flags)
CALL(connect, int, connect, (int file, const struct sockaddr *to, socklen_t count), file, to, count)
CALL(send, ssize_t, send, (int file, const void *bytes, size_t count, int flags), file, bytes, count, flags)
CALL(recv, ssize_t, recv, (int file, void *bytes, size_t count, int flags), file, bytes, count, flags)
CALL(random, ssize_t, getrandom, (void *bytes, size_t count, unsigned int flags), bytes, count, flags)
CALL(random, int, getentropy, (void *bytes, size_t count), bytes, count)
CALL(clock, int, clock_gettime, (clockid_t clock, struct timespec *time), clock, time)

void *mmap(void *at, size_t count, int protection, int flags, int file, off_t from) {
    REAL(mmap);
    return file >= 0 && fails(kind_map, HERE) ? (void *)-1 : real(at, count, protection, flags, file, from);
}

void *mmap64(void *at, size_t count, int protection, int flags, int file, off64_t from) {
    REAL(mmap64);
    return file >= 0 && fails(kind_map, HERE) ? (void *)-1 : real(at, count, protection, flags, file, from);
}

/* What is open beside the three that every program has: a socket, an anonymous thing of the system, or a file's last name. */
static void listOpen(FILE *report) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return;
    const char *comma = "";
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        int file = atoi(entry->d_name);
        char name[256];
        if (file <= 2 || file == dirfd(folder) || file == fileno(report)) continue;
        if (!lastName(file, name, sizeof name)) continue;
        fprintf(report, "%s\"%s\"", comma, name);
        comma = ",";
    }
    closedir(folder);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAILING_REPORT");
    if (!path) return;
    meant = -1;
    FILE *report = fopen(path, "w");
    if (!report) return;
    fprintf(report, "{\"fired\":%s", atomic_load(&fired) ? "true" : "false");
    for (int kind = 0; kind < kinds; kind++) fprintf(report, ",\"%s\":%ld", names[kind], atomic_load(&counts[kind]));
    fprintf(report, ",\"left\":[");
    listOpen(report);
    fprintf(report, "],\"synced\":[");
    int count = atomic_load(&syncedCount);
    for (int place = 0; place < count && place < 16; place++)
        fprintf(report, "%s\"%s\"", place ? "," : "", synced[place]);
    fprintf(report, "]}\n");
    fclose(report);
}

/* A program that ends at once runs no destructors. */
void _exit(int status) {
    REAL(_exit);
    end();
    real(status);
    abort();
}
