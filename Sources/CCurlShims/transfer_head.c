#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Appends a line to the response head.
static int append_line(emb_transfer *transfer, const char *line, size_t count) {
    size_t needed = transfer->head_count + count;
    if (needed > transfer->head_capacity) {
        size_t capacity = transfer->head_capacity ? transfer->head_capacity * 2 : 1024;
        while (capacity < needed) {
            capacity *= 2;
        }
        char *grown = realloc(transfer->head, capacity);
        if (!grown) {
            return 0;
        }
        transfer->head = grown;
        transfer->head_capacity = capacity;
    }
    memcpy(transfer->head + transfer->head_count, line, count);
    transfer->head_count = needed;
    return 1;
}

static int is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

// Returns the status of a line such as "HTTP/1.1 200 OK" or "HTTP/2 200", or 0 if it is malformed.
// Three digits must be followed by a space or the end of the line.
static int status_of(const char *line, size_t count) {
    size_t at = 5;
    while (at < count && line[at] != ' ') {
        at++;
    }
    while (at < count && line[at] == ' ') {
        at++;
    }
    if (at + 4 > count || !is_digit(line[at]) || !is_digit(line[at + 1]) ||
        !is_digit(line[at + 2])) {
        return 0;
    }
    if (line[at + 3] != ' ' && line[at + 3] != '\r') {
        return 0;
    }
    int status = (line[at] - '0') * 100 + (line[at + 1] - '0') * 10 + line[at + 2] - '0';
    return status >= 100 && status < 600 ? status : 0;
}

// Returns whether a line has more bytes than `name` and starts with it, ignoring case.
static int begins(const char *line, size_t count, const char *name) {
    size_t length = strlen(name);
    return count > length && strncasecmp(line, name, length) == 0;
}

// Records the declared length; returns 0 if it contradicts an earlier length. A value that is not a
// number is left to curl.
static int record_length(emb_transfer *transfer, const char *text, size_t count) {
    size_t at = 0;
    while (at < count && (text[at] == ' ' || text[at] == '\t')) {
        at++;
    }
    if (at == count || !is_digit(text[at])) {
        return 1;
    }
    int64_t length = 0;
    while (at < count && is_digit(text[at])) {
        if (length > (INT64_MAX - 9) / 10) {
            length = INT64_MAX;
            break;
        }
        length = length * 10 + (text[at] - '0');
        at++;
    }
    if (transfer->declared_length >= 0 && transfer->declared_length != length) {
        return 0;
    }
    transfer->declared_length = length;
    return 1;
}

static void begin_head(emb_transfer *transfer) {
    transfer->head_count = 0;
    transfer->head_done = 0;
    transfer->declared_length = -1;
}

static size_t end_head(emb_transfer *transfer, size_t count) {
    int status = transfer->status;
    transfer->head_done = 1;
    if (status < 200) {
        // 101 was not requested and ends the response; other 1xx responses precede the final
        // response.
        if (status == 101) {
            return emb_stop(transfer, EMB_STOP_ANSWERED);
        }
        begin_head(transfer);
        transfer->status = 0;
        return count;
    }
    if (status >= 300 || (status >= 204 && status <= 206)) {
        transfer->discarding = 1;
        // Responses 204 and 304 have no body, even if they declare a length.
        int short_enough = status == 204 || status == 304 ||
            transfer->declared_length <= EMB_DISCARD_LIMIT;
        return short_enough ? count : emb_stop(transfer, EMB_STOP_ANSWERED);
    }
    if (transfer->declared_length > transfer->common.body_limit) {
        return emb_stop(transfer, EMB_STOP_TOO_LARGE);
    }
    return count;
}

size_t emb_header_function(char *line, size_t size, size_t count, void *context) {
    emb_transfer *transfer = context;
    count *= size;
    transfer->header_total += (int64_t)count;
    if (transfer->header_total > transfer->common.header_limit) {
        return emb_stop(transfer, EMB_STOP_HEADERS);
    }
    if (count < 2 || line[count - 2] != '\r' || line[count - 1] != '\n') {
        return emb_stop(transfer, EMB_STOP_LINE_END);
    }
    if (transfer->head_done) {
        // Trailers are counted but not stored.
        return count;
    }
    if (transfer->head_count == 0 && begins(line, count, "HTTP/")) {
        begin_head(transfer);
        transfer->status = status_of(line, count);
        if (transfer->status == 0) {
            return emb_stop(transfer, EMB_STOP_STATUS_LINE);
        }
    } else if (count == 2) {
        return end_head(transfer, count);
    } else if (line[0] == ' ' || line[0] == '\t') {
        return emb_stop(transfer, EMB_STOP_FOLDED);
    } else if (begins(line, count, "content-length:")) {
        if (!record_length(transfer, line + 15, count - 15)) {
            return emb_stop(transfer, EMB_STOP_LENGTHS);
        }
    }
    return append_line(transfer, line, count) ? count : emb_stop(transfer, EMB_STOP_NO_MEMORY);
}
