#pragma once

/* Swift's Glibc module has neither epoll, eventfd nor accept4. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Accepts a connection that doesn't block and isn't inherited by children; -1 and errno when there is none. */
int pay_accept(int listener);

/* epoll_ctl with the descriptor itself as the event's data. */
int pay_epoll_control(int epoll, int operation, int descriptor, uint32_t events);
