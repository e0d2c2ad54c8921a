#pragma once

/* Swift's Glibc module has neither epoll, eventfd nor accept4. */
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Accepts a connection that doesn't block and isn't inherited by children; -1 and errno when there is none. */
int pay_accept(int listener);

/* epoll_ctl with the descriptor itself as the event's data. */
int pay_epoll_control(int epoll, int operation, int descriptor, uint32_t events);

/* Has the kernel write no dump of this process, and shows its memory to no other of this user's; a crash prints nothing
   of it either. 0, or -1 and errno. */
int pay_keep_memory_private(void);

/* Whether that is so: 1 or 0. */
int pay_is_memory_private(void);

/* How many descriptors this process may have open, after asking for as many as are wanted, if they are more; the system
   gives no more than it allows. */
int pay_descriptors(int wanted);

/* Memory of whole pages that no dump of this process has in it; its address, or 0. */
uintptr_t pay_undumped_pages(size_t count);
