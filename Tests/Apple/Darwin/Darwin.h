/* The published names of Darwin's C library as far as a phone's modules use them, with the types that its headers give them;
   for Scripts/phone alone. Nothing of it is linked or runs. Sources: the headers of Libc and xnu as Apple publishes them. */
#pragma once

#pragma clang assume_nonnull begin

typedef unsigned long size_t;
typedef long ssize_t;
typedef long long off_t;
typedef long time_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef int pid_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef long long blkcnt_t;
typedef int blksize_t;
typedef unsigned int sigset_t;
typedef int errno_t;
typedef size_t rsize_t;

#define NULL ((void *)0)

/* sys/errno.h */
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENXIO 6
#define EACCES 13
#define EEXIST 17
#define EISDIR 21
#define ENOSPC 28
#define EROFS 30
#define EAGAIN 35
#define ELOOP 62
#define EDQUOT 69
int *__error(void);

/* sys/fcntl.h */
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define FD_CLOEXEC 1

/* sys/stat.h */
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};
int stat(const char *path, struct stat *buffer);
int fstat(int descriptor, struct stat *buffer);
int fchmod(int descriptor, mode_t mode);
int mkdir(const char *path, mode_t mode);

/* unistd.h, stdio.h, stdlib.h */
#define F_OK 0
#define X_OK 1
#define SEEK_END 2
int access(const char *path, int mode);
int close(int descriptor);
int fsync(int descriptor);
off_t lseek(int descriptor, off_t offset, int whence);
int pipe(int ends[_Nonnull 2]);
ssize_t pread(int descriptor, void *_Nullable buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *_Nullable buffer, size_t count, off_t offset);
ssize_t read(int descriptor, void *_Nullable buffer, size_t count);
ssize_t write(int descriptor, const void *_Nullable buffer, size_t count);
int unlink(const char *path);
int rename(const char *from, const char *to);
char *_Nullable realpath(const char *path, char *_Nullable resolved);
char *_Nullable getenv(const char *name);
void free(void *_Nullable memory);

/* string.h */
void *memcpy(void *to, const void *from, size_t count);
int memcmp(const void *one, const void *other, size_t count);
errno_t memset_s(void *memory, rsize_t size, int value, rsize_t count);

/* time.h */
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6,
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *wait, struct timespec *_Nullable left);

/* pthread.h, signal.h */
struct _opaque_pthread_t {
    long __sig;
    void *_Nullable __cleanup_stack;
    char __opaque[8176];
};
struct _opaque_pthread_attr_t {
    long __sig;
    char __opaque[56];
};
struct _opaque_pthread_mutex_t {
    long __sig;
    char __opaque[56];
};
struct _opaque_pthread_mutexattr_t {
    long __sig;
    char __opaque[8];
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull start)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t thread);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
#define SIG_SETMASK 3
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable old);
int sigfillset(sigset_t *set);

#pragma clang assume_nonnull end
