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

/*
 * Hides the query of a target that was copied before: the library would take it apart, and a query of many parameters fills
 * the memory of its connection, so that not even a refusal could be sent.
 */
static inline void pay_mhd_hide_query(const char *target) {
    char *mark = target ? strchr((char *)target, '?') : NULL;
    if (mark)
        mark[1] = '\0';
}

/* Where the next field of a head has to begin, and whether all before it did. */
struct pay_mhd_walk {
    const char *next;
    int is_plain;
};

static inline enum MHD_Result pay_mhd_step(void *context, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                           const char *value, size_t value_size) {
    struct pay_mhd_walk *walk = (struct pay_mhd_walk *)context;
    const char *gap = name + name_size + 1;
    (void)kind;
    if (!value || name != walk->next || value < gap) {
        walk->is_plain = 0;
        return MHD_NO;
    }
    for (; gap < value; gap++)
        if (*gap != ' ' && *gap != '\t')
            walk->is_plain = 0;
    walk->next = value + value_size + 2;
    return MHD_YES;
}

/*
 * Whether a head is what its fields say and nothing beside it: one space between the parts of its first line, CRLF behind each
 * line, no NUL and no folded field. Version 0.9 of the library keeps the head's bytes where they arrived and cuts texts at a
 * NUL; what it passed over is seen as a gap between them. Later versions refuse such heads themselves.
 */
static inline int pay_mhd_is_plain(struct MHD_Connection *connection, const char *method, size_t target_size,
                                   const char *version) {
#if MHD_VERSION < 0x01000000
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    struct pay_mhd_walk walk = {version + strlen(version) + 2, 1};
    if (!info || version != method + strlen(method) + 1 + target_size + 1)
        return 0;
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, pay_mhd_step, &walk);
    return walk.is_plain && walk.next + 2 == method + info->header_size;
#else
    (void)connection, (void)method, (void)target_size, (void)version;
    return 1;
#endif
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
