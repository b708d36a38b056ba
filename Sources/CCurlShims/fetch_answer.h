#pragma once

#include <curl/curl.h>

#include "emb_curl.h"

// An unwanted body up to this length is read, so that the connection can be used again.
enum { EMB_DISCARD_LIMIT = 16384 };

// Notes the first reason; the 0 makes curl give up.
static inline size_t emb_stop(emb_fetch *fetch, int reason) {
    if (fetch->stop == EMB_STOP_NONE) {
        fetch->stop = reason;
    }
    return 0;
}

// The callbacks of a transfer; `context` is its emb_fetch.
size_t emb_take_header(char *bytes, size_t size, size_t count, void *context);
size_t emb_take_body(char *bytes, size_t size, size_t count, void *context);
int emb_take_progress(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now);
curl_socket_t emb_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);
int emb_before_request(
    void *context, char *remote, char *local, int remote_port, int local_port);
