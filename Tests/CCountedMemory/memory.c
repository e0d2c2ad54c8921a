/* SPDX-License-Identifier: MIT */
/* Takes the place of the C library's functions for memory in the whole program, and counts what they give. */
#include "counted_memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static atomic_long in_use, most;

static void *taken(void *pointer) {
    if (!pointer) return pointer;
    long size = (long)malloc_usable_size(pointer);
    long now = atomic_fetch_add(&in_use, size) + size;
    long before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now)) {}
    return pointer;
}

static void given_back(void *pointer) {
    if (pointer) atomic_fetch_sub(&in_use, (long)malloc_usable_size(pointer));
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }

void *realloc(void *pointer, size_t size) {
    long before = pointer ? (long)malloc_usable_size(pointer) : 0;
    void *moved = __libc_realloc(pointer, size);
    if (!moved && size > 0) return moved;
    atomic_fetch_sub(&in_use, before);
    return taken(moved);
}

void free(void *pointer) {
    given_back(pointer);
    __libc_free(pointer);
}

void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    void *made = memalign(alignment, size);
    if (!made) return ENOMEM;
    *pointer = made;
    return 0;
}

long pay_test_memory_begin(void) {
    long now = atomic_load(&in_use);
    atomic_store(&most, now);
    return now;
}

long pay_test_memory_most(void) { return atomic_load(&most); }
