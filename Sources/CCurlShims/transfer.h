#pragma once

#include <curl/curl.h>

#include "emb_curl.h"

// An unwanted body up to this length is read, so that the connection can be used again.
enum { EMB_DISCARD_LIMIT = 16384 };

// Sets a field at which another thread may look meanwhile.
#define EMB_TELL(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

// Notes the first reason; the 0 makes curl give up.
static inline size_t emb_stop(emb_transfer *transfer, int reason) {
    if (transfer->stop == EMB_STOP_NONE) {
        transfer->stop = reason;
    }
    return 0;
}

// Inflates gzip, one member after the other, as it comes in; null when there is no memory.
typedef struct emb_gunzip emb_gunzip;
// Takes what came out; 0 to stop.
typedef size_t (*emb_gunzip_taker)(emb_transfer *transfer, const void *bytes, size_t count);
emb_gunzip *emb_gunzip_create(void);
void emb_gunzip_destroy(emb_gunzip *gunzip);
// Returns 0 if the data is damaged or the taker refused it; then `transfer` says why.
int emb_gunzip_take(
    emb_gunzip *gunzip, const void *bytes, size_t count, emb_gunzip_taker taker,
    emb_transfer *transfer);
// The data ended where a member ends, or never began.
int emb_gunzip_is_whole(const emb_gunzip *gunzip);

// The callbacks of a transfer; `context` is its emb_transfer.
size_t emb_take_header(char *bytes, size_t size, size_t count, void *context);
size_t emb_take_body(char *bytes, size_t size, size_t count, void *context);
int emb_take_progress(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now);
curl_socket_t emb_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);
int emb_before_request(void *context, char *remote, char *local, int remote_port, int local_port);
