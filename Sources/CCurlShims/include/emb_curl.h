#pragma once

// curl sets its options through variadic calls and answers through callbacks. These doors keep
// both in C and hand on plain fields.

#include <stddef.h>
#include <stdint.h>

// Whether libcurl, which is opened at the first call into it, is there. Any thread may ask.
int emb_curl_is_found(void);

// The name that is looked up for one beyond ASCII, with its NUL, in as many bytes as there are; -1
// where there is none, or the library that knows is not there.
int emb_ascii_name(const char *name, char *ascii, size_t size);
int emb_knows_names(void);

// Why one of our own callbacks ended a transfer.
enum {
    EMB_STOP_NONE = 0,
    // The status says that the body is not wanted.
    EMB_STOP_ANSWERED = 1,
    EMB_STOP_TOO_LARGE = 2,
    EMB_STOP_ENCODINGS = 3,
    EMB_STOP_HEADERS = 4,
    EMB_STOP_STATUS_LINE = 5,
    EMB_STOP_LINE_END = 6,
    EMB_STOP_FOLDED = 7,
    EMB_STOP_LENGTHS = 8,
    EMB_STOP_NO_MEMORY = 9,
    EMB_STOP_ADDRESS = 10,
    EMB_STOP_GZIP = 11,
    // curl was about to send the request again.
    EMB_STOP_REPEAT = 12,
};

// Says whether a connection to these 4 or 16 bytes of address may be opened.
typedef int (*emb_address_judge)(const uint8_t *address, int32_t count);

// What all transfers of one lane have in common. Null or empty means none.
typedef struct emb_transfer_common {
    // Null where every address is allowed.
    emb_address_judge judge;
    const char *user_agent;
    const char *proxy;
    const char *ca_file;
    int32_t netrc;
    int64_t body_limit;
    int64_t header_limit;
    int64_t connect_milliseconds;
    // A curl share handle, or null.
    void *share;
    // Grows and shrinks with the bodies of all transfers under way, on whatever thread; read with
    // emb_bytes_held.
    int64_t *bytes_held;
} emb_transfer_common;

// One transfer: an easy handle of curl, and what has come in so far.
typedef struct emb_transfer {
    void *easy;
    // The object around this one.
    void *owner;
    uint64_t tag;
    int32_t is_secure;
    int32_t is_conditional;
    emb_transfer_common common;

    uint8_t *body;
    size_t body_count;
    size_t body_capacity;
    // What of bytes_held is this body's.
    int64_t held;

    // The lines of the last response head, without the blank one.
    char *head;
    size_t head_count;
    size_t head_capacity;
    int64_t header_total;

    // Bytes of body as they came over the wire.
    int64_t wire_count;
    // The body's length as declared, or -1.
    int64_t declared_length;
    int32_t status;
    int32_t encodings;
    int32_t head_done;
    // When the request was about to leave, the connection stood; 0 before.
    int64_t requested_at;
    // The request was handed to a connection.
    int32_t request_sent;
    // The body is read to keep the connection, and dropped.
    int32_t discarding;
    int32_t stop;
    // It came to its end.
    int32_t ended;
    // The body is gzip, which is inflated here; null where curl sees to whatever it is.
    struct emb_gunzip *gunzip;
    int32_t sockets_blocked;
    int32_t sockets_opened;
    // A socket was refused for want of descriptors.
    int32_t descriptors_out;
    char message[256];

    void *headers;
    void *resolve;
} emb_transfer;

// Signs of life of a transfer under way.
typedef struct emb_transfer_progress {
    // Nanoseconds of CLOCK_MONOTONIC; 0 while no connection stands.
    int64_t requested_at;
    // Heads, and the body as it came over the wire.
    int64_t header_total;
    int64_t wire_count;
    int64_t body_count;
    int32_t head_done;
    int32_t discarding;
    int32_t ended;
} emb_transfer_progress;

// Times since the start of the transfer, in microseconds.
typedef struct emb_transfer_times {
    int64_t connected;
    int64_t secured;
    int64_t requested;
    int64_t answered;
    int64_t total;
    int64_t new_connections;
    int64_t http_version;
} emb_transfer_times;

// Null when there is no memory.
emb_transfer *emb_transfer_create(const emb_transfer_common *common);
void emb_transfer_destroy(emb_transfer *transfer);

// Forgets the last transfer; the connection stays with the multi handle.
void emb_transfer_clear(emb_transfer *transfer);
// Its body no longer counts, though it may still grow for a moment. Any thread may say so.
void emb_transfer_forgo(emb_transfer *transfer);
// The end of a transfer: the body is given up, what is known of it stays until the next clear.
void emb_transfer_end(emb_transfer *transfer);
// A header line of the next request. 0 when there is no memory.
int emb_transfer_add_header(emb_transfer *transfer, const char *line);
// The next request; `resolve` is curl's HOST:PORT:ADDRESS or null, user and password may be null.
// With `new_connection` it leaves kept connections alone.
int emb_transfer_prepare(
    emb_transfer *transfer, const char *url, int32_t is_secure, int32_t new_connection,
    const char *resolve, const char *user, const char *password);

// What is known of a transfer that another thread drives.
emb_transfer_progress emb_transfer_look(const emb_transfer *transfer);
// The sum that any thread may ask for.
int64_t emb_bytes_held(const int64_t *bytes_held);

// False where the body is gzip and ended in the middle of it.
int emb_transfer_is_whole(const emb_transfer *transfer);

emb_transfer_times emb_transfer_measure(emb_transfer *transfer);

// The transfer behind an easy handle.
emb_transfer *emb_transfer_of(void *easy);

// A share handle for TLS sessions, for the handles that one thread drives; null when there is no
// memory.
void *emb_share_create(void);
void emb_share_destroy(void *share);

// Multiplexing on, and so many connections kept.
void emb_multi_prepare(void *multi, int64_t kept_connections);
