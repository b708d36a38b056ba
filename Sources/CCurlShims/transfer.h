#pragma once

#include <curl/curl.h>

#include "emb_curl.h"

// An unwanted body up to this length is read, so that the connection can be used again.
enum { EMB_DISCARD_LIMIT = 16384 };

// Records the first reason; the result 0 makes curl stop the transfer.
static inline size_t emb_stop(emb_transfer *transfer, int reason) {
    if (transfer->stop == EMB_STOP_NONE) {
        transfer->stop = reason;
    }
    return 0;
}

// The callbacks of a transfer, named after the options of curl; `context` is its emb_transfer.
size_t emb_header_function(char *bytes, size_t size, size_t count, void *context);
size_t emb_write_function(char *bytes, size_t size, size_t count, void *context);
int emb_xferinfo_function(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now);
curl_socket_t emb_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);
int emb_before_request(void *context, char *remote, char *local, int remote_port, int local_port);
