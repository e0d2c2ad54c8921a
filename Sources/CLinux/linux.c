#define _GNU_SOURCE
#include <signal.h>
#include "CLinux.h"
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int pay_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int pay_epoll_control(int epoll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int pay_keep_memory_private(void) {
    struct rlimit none = {0, 0};
    int code = setrlimit(RLIMIT_CORE, &none);
    /* Swift's own handler prints registers, and a short text such as a card number lies in one. */
    const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT};
    for (size_t place = 0; place < sizeof crashes / sizeof crashes[0]; place++) {
        if (signal(crashes[place], SIG_DFL) == SIG_ERR) code = -1;
    }
    /* Also where a limit of nothing is not asked, as by a program that the kernel pipes dumps into. */
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? code : -1;
}

int pay_is_memory_private(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
}

int pay_descriptors(int wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    if (limit.rlim_cur < (rlim_t)wanted && limit.rlim_cur < limit.rlim_max) {
        struct rlimit more = {limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &more) == 0) limit = more;
    }
    return limit.rlim_cur > INT_MAX ? INT_MAX : (int)limit.rlim_cur;
}

uintptr_t pay_undumped_pages(size_t count) {
    void *pages = mmap(0, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return 0;
    if (madvise(pages, count, MADV_DONTDUMP) == 0) return (uintptr_t)pages;
    munmap(pages, count);
    return 0;
}
