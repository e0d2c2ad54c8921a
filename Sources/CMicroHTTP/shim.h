#pragma once
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* MHD_start_daemon is variadic and several of its constants are casts: Swift can import neither. */

/* What a daemon calls, and with which limits. */
struct pay_mhd_options {
    int listener; /* an open socket that listens already */
    unsigned int connections_max;
    unsigned int connections_per_address_max; /* 0: no limit */
    unsigned int idle_seconds;
    size_t connection_bytes_max; /* the head of a request included */
    void *context;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*began)(void *context, const char *target, struct MHD_Connection *connection);
};

/* Targets stay as they were sent: the service reads its own paths. */
static inline size_t pay_mhd_keep(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/* Starts a daemon with one thread over epoll; NULL if it can't be started. */
static inline struct MHD_Daemon *pay_mhd_start(const struct pay_mhd_options *given) {
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_LISTEN_SOCKET, given->listener, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, given->connections_max, NULL},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT, given->connections_per_address_max, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, given->idle_seconds, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)given->connection_bytes_max, NULL},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
        {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)pay_mhd_keep, NULL},
        {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)given->began, given->context},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)given->completed, given->context},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)given->connection, given->context},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, given->access,
                            given->context, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

/* The descriptor of a connection; -1 if it has none. */
static inline int pay_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* Whether a notice about a connection says that it was opened. */
static inline int pay_mhd_is_opening(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static const uint64_t pay_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t pay_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t pay_mhd_abort_of_stream = MHD_CONTENT_READER_END_WITH_ERROR;
