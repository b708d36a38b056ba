#include "transfer.h"

#include <stdlib.h>
#include <string.h>

enum {
    // The largest declared length that is allocated before any byte arrives.
    FIRST_CAPACITY_LIMIT = 262144,
    FIRST_CAPACITY = 16384,
};

static int reserve(emb_transfer *transfer, size_t needed) {
    if (needed <= transfer->body_capacity) {
        return 1;
    }
    size_t capacity = transfer->body_capacity * 2;
    if (capacity == 0) {
        int64_t declared = transfer->declared_length;
        capacity = declared > 0 && declared < FIRST_CAPACITY_LIMIT ? (size_t)declared
                                                                   : FIRST_CAPACITY;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    uint8_t *grown = realloc(transfer->body, capacity);
    if (!grown) {
        return 0;
    }
    transfer->body = grown;
    transfer->body_capacity = capacity;
    return 1;
}

// Appends decoded bytes to the body.
static size_t append(emb_transfer *transfer, const void *bytes, size_t count) {
    size_t total = transfer->body_count + count;
    if ((int64_t)total > transfer->common.body_limit) {
        return emb_stop(transfer, EMB_STOP_TOO_LARGE);
    }
    if (!reserve(transfer, total)) {
        return emb_stop(transfer, EMB_STOP_NO_MEMORY);
    }
    memcpy(transfer->body + transfer->body_count, bytes, count);
    transfer->body_count = total;
    *transfer->common.bytes_held += (int64_t)count;
    return count;
}

size_t emb_write_function(char *bytes, size_t size, size_t count, void *context) {
    emb_transfer *transfer = context;
    count *= size;
    if (transfer->discarding) {
        transfer->body_count += count;
        return transfer->body_count <= EMB_DISCARD_LIMIT ? count
                                                         : emb_stop(transfer, EMB_STOP_ANSWERED);
    }
    return append(transfer, bytes, count);
}

// Limits the bytes received too, because an encoded body may continue without yielding any byte.
int emb_xferinfo_function(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now) {
    emb_transfer *transfer = context;
    (void)total;
    (void)up_total;
    (void)up_now;
    transfer->wire_count = now;
    if (now > transfer->common.body_limit && transfer->stop == EMB_STOP_NONE) {
        transfer->stop = transfer->discarding ? EMB_STOP_ANSWERED : EMB_STOP_TOO_LARGE;
        return 1;
    }
    return 0;
}
