#pragma once

// curl sets options by variadic calls and reports by callbacks. These functions keep both in C and
// give Swift plain fields.

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

// The settings of all transfers of a lane. Null or empty means none.
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
    // The sum of the incoming bodies of all transfers, changed by several threads; read it with
    // emb_bytes_held.
    int64_t *bytes_held;
} emb_transfer_common;

// A transfer: an easy handle of curl, and the response so far.
typedef struct emb_transfer {
    void *easy;
    // The Swift object of this transfer.
    void *owner;
    uint64_t tag;
    int32_t is_secure;
    int32_t is_conditional;
    emb_transfer_common common;

    uint8_t *body;
    size_t body_count;
    size_t body_capacity;
    // The part of bytes_held that belongs to this body.
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
    // The time at which the request was about to be sent; 0 before the connection is made.
    int64_t requested_at;
    // The request was handed to a connection.
    int32_t request_sent;
    // The body is read to keep the connection, and discarded.
    int32_t discarding;
    int32_t stop;
    // The transfer has ended.
    int32_t ended;
    // Inflates a gzip body; null if curl decodes the body.
    struct emb_gunzip *gunzip;
    int32_t sockets_blocked;
    int32_t sockets_opened;
    // A socket was refused for want of descriptors.
    int32_t descriptors_out;
    char message[256];

    void *headers;
    void *resolve;
} emb_transfer;

// The progress of a transfer.
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

// Clears the last transfer; the multi handle keeps the connection.
void emb_transfer_clear(emb_transfer *transfer);
// Takes the body out of bytes_held, although it may still grow for a moment. Any thread may call
// this.
void emb_transfer_forgo(emb_transfer *transfer);
// Ends a transfer: frees the body; the other fields stay until the next clear.
void emb_transfer_end(emb_transfer *transfer);
// Adds a header line to the next request; 0 if there is no memory.
int emb_transfer_add_header(emb_transfer *transfer, const char *line);
// Prepares the next request; `resolve` is curl's HOST:PORT:ADDRESS or null, user and password may
// be null. With `new_connection` it uses no kept connection.
int emb_transfer_prepare(
    emb_transfer *transfer, const char *url, int32_t is_secure, int32_t new_connection,
    const char *resolve, const char *user, const char *password);

// Returns the progress of a transfer that another thread drives.
emb_transfer_progress emb_transfer_look(const emb_transfer *transfer);
// Reads the sum on any thread.
int64_t emb_bytes_held(const int64_t *bytes_held);

// False if the body is gzip and ended too early.
int emb_transfer_is_whole(const emb_transfer *transfer);

emb_transfer_times emb_transfer_measure(emb_transfer *transfer);

// Returns the transfer of an easy handle.
emb_transfer *emb_transfer_of(void *easy);

// A share handle for TLS sessions, for the handles that one thread drives; null when there is no
// memory.
void *emb_share_create(void);
void emb_share_destroy(void *share);

// Enables multiplexing and sets the number of connections to keep.
void emb_multi_prepare(void *multi, int64_t kept_connections);
