#pragma once

/* Swift can't call variadic functions; each wrapper below fixes the type of one kind of argument. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

typedef size_t (*pay_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode pay_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode pay_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode pay_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode pay_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}
static inline CURLcode pay_curl_set_data(CURL *easy, CURLoption option, pay_curl_data_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode pay_curl_set_before_request(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode pay_curl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
/* Copies the bytes of an address, without its port, and says how many: 4, 16, or 0 for one of another family. */
static inline int pay_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
    const struct sockaddr *place = &address->addr;
    if (place->sa_family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)place)->sin_addr, 4);
        return 4;
    }
    if (place->sa_family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)place)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
static inline CURLcode pay_curl_set_close_socket(CURL *easy, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}
/* Called with the connection's SSL_CTX before it is used. */
static inline CURLcode pay_curl_set_tls(CURL *easy, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value);
}
static inline CURLcode pay_curl_set_progress(CURL *easy, curl_xferinfo_callback value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode pay_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode pay_curl_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode pay_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}
/* The SSL object of the handle's connection; null without TLS, or with a library other than OpenSSL. */
static inline void *pay_curl_openssl(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    CURLcode code = curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
    if (code != CURLE_OK || !session || session->backend != CURLSSLBACKEND_OPENSSL) return NULL;
    return session->internals;
}
static inline CURLMcode pay_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode pay_curl_multi_set_pointer(CURLM *multi, CURLMoption option, const void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode pay_curl_multi_set_socket(CURLM *multi, curl_socket_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode pay_curl_multi_set_timer(CURLM *multi, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
/* What was set as CURLOPT_PRIVATE. */
static inline void *pay_curl_private(CURL *easy) {
    char *value = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}
/* What it was built with: CURL_VERSION_BROTLI and others. */
static inline int pay_curl_features(void) { return curl_version_info(CURLVERSION_NOW)->features; }
static inline unsigned int pay_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }
static inline CURL *pay_curl_message_easy(CURLMsg *message) { return message->easy_handle; }
static inline CURLcode pay_curl_message_result(CURLMsg *message) { return message->data.result; }
