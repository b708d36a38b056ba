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

// An incremental decoder of gzip data with any number of members.
typedef struct emb_gunzip emb_gunzip;
// Receives decoded bytes; returns 0 to stop.
typedef size_t (*emb_gunzip_sink)(emb_transfer *transfer, const void *bytes, size_t count);
// Returns NULL if memory is short.
emb_gunzip *emb_gunzip_create(void);
void emb_gunzip_destroy(emb_gunzip *gunzip);
// Decodes the next bytes of the body. Returns 0 if the data is damaged or the sink stopped; the
// sink then has recorded the reason.
int emb_gunzip_decode(
    emb_gunzip *gunzip, const void *bytes, size_t count, emb_gunzip_sink sink,
    emb_transfer *transfer);
// Returns whether the data ended at the end of a member, or was empty.
int emb_gunzip_is_whole(const emb_gunzip *gunzip);

// The callbacks of a transfer, named after the options of curl; `context` is its emb_transfer.
size_t emb_header_function(char *bytes, size_t size, size_t count, void *context);
size_t emb_write_function(char *bytes, size_t size, size_t count, void *context);
int emb_xferinfo_function(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now);
curl_socket_t emb_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);
int emb_before_request(void *context, char *remote, char *local, int remote_port, int local_port);
