#include "fetch_answer.h"

#include <stdlib.h>
#include <string.h>

enum {
    // A declared length is believed up to here when room is made.
    FIRST_CAPACITY_LIMIT = 262144,
    FIRST_CAPACITY = 16384,
};

static int make_room(emb_fetch *fetch, size_t needed) {
    if (needed <= fetch->body_capacity) {
        return 1;
    }
    size_t capacity = fetch->body_capacity * 2;
    if (capacity == 0) {
        int64_t declared = fetch->declared_length;
        capacity = declared > 0 && declared < FIRST_CAPACITY_LIMIT ? (size_t)declared
                                                                   : FIRST_CAPACITY;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    uint8_t *grown = realloc(fetch->body, capacity);
    if (!grown) {
        return 0;
    }
    fetch->body = grown;
    fetch->body_capacity = capacity;
    return 1;
}

static size_t keep(emb_fetch *fetch, const void *bytes, size_t count) {
    size_t total = fetch->body_count + count;
    if ((int64_t)total > fetch->common.body_limit) {
        return emb_stop(fetch, EMB_STOP_TOO_LARGE);
    }
    if (!make_room(fetch, total)) {
        return emb_stop(fetch, EMB_STOP_NO_MEMORY);
    }
    memcpy(fetch->body + fetch->body_count, bytes, count);
    EMB_TELL(fetch->body_count, total);
    // In this order, so that never more is taken off than was added.
    __atomic_fetch_add(fetch->common.bytes_held, (int64_t)count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fetch->held, (int64_t)count, __ATOMIC_RELEASE);
    return count;
}

size_t emb_take_body(char *bytes, size_t size, size_t count, void *context) {
    emb_fetch *fetch = context;
    count *= size;
    if (fetch->discarding) {
        EMB_TELL(fetch->body_count, fetch->body_count + count);
        return fetch->body_count <= EMB_DISCARD_LIMIT ? count : emb_stop(fetch, EMB_STOP_ANSWERED);
    }
    if (!fetch->gunzip) {
        return keep(fetch, bytes, count);
    }
    int taken = emb_gunzip_take(fetch->gunzip, bytes, count, keep, fetch);
    return taken ? count : emb_stop(fetch, EMB_STOP_GZIP);
}

// The wire is counted too: an encoded body can go on for ever without yielding a byte.
int emb_take_progress(
    void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now) {
    emb_fetch *fetch = context;
    (void)total;
    (void)up_total;
    (void)up_now;
    EMB_TELL(fetch->wire_count, now);
    if (now > fetch->common.body_limit && fetch->stop == EMB_STOP_NONE) {
        fetch->stop = fetch->discarding ? EMB_STOP_ANSWERED : EMB_STOP_TOO_LARGE;
        return 1;
    }
    return 0;
}
