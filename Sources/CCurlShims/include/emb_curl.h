#pragma once

// curl sets options by variadic calls and reports by callbacks. These functions keep both in C and
// give Swift plain fields.

#include <stddef.h>
#include <stdint.h>

// Returns whether libcurl is installed; loads it if necessary. Any thread may call this.
int emb_curl_is_found(void);

// Returns whether international host names can be converted.
int emb_idn_is_found(void);
// Converts an international host name to its ASCII form with a NUL, within `size` bytes. Returns 0,
// or -1 if the name is invalid, too long, or the library is missing.
int emb_idn_to_ascii(const char *name, char *ascii, size_t size);

// The reason why a callback stopped a transfer.
enum {
    EMB_STOP_NONE = 0,
    // The status is known, and the body is not needed.
    EMB_STOP_ANSWERED = 1,
    EMB_STOP_TOO_LARGE = 2,
    EMB_STOP_HEADERS = 4,
    EMB_STOP_STATUS_LINE = 5,
    // A header line does not end with CR LF.
    EMB_STOP_LINE_END = 6,
    // A header line continues the line before it.
    EMB_STOP_FOLDED = 7,
    // Two Content-Length headers contradict each other.
    EMB_STOP_LENGTHS = 8,
    EMB_STOP_NO_MEMORY = 9,
    EMB_STOP_ADDRESS = 10,
    // curl was about to send the request again.
    EMB_STOP_REPEAT = 12,
};

// Returns whether a connection to this address of 4 or 16 bytes is allowed.
typedef int (*emb_address_judge)(void *owner, const uint8_t *address, int32_t count);

// The settings that all transfers share. NULL or empty means none.
typedef struct emb_transfer_common {
    // NULL if every address is allowed.
    emb_address_judge judge;
    int64_t body_limit;
    int64_t header_limit;
    int64_t connect_milliseconds;
    // A curl share handle, or NULL.
    void *share;
    // The bytes of the incoming bodies of all transfers.
    int64_t *bytes_held;
    // A list of curl with fixed addresses of names, or NULL.
    void *resolve;
} emb_transfer_common;

// A transfer: an easy handle of curl, and the response so far.
typedef struct emb_transfer {
    void *easy;
    // The Swift object of this transfer.
    void *owner;
    // Whether the last request on the handle was signed.
    int32_t is_signed;
    emb_transfer_common common;

    uint8_t *body;
    size_t body_count;
    size_t body_capacity;

    // The lines of the last response head, without the empty line at its end.
    char *head;
    size_t head_count;
    size_t head_capacity;
    int64_t header_total;

    // The bytes of the body as received, before decoding.
    int64_t wire_count;
    // The declared length of the body, or -1.
    int64_t declared_length;
    int32_t status;
    int32_t head_done;
    // The time when the request was sent, in nanoseconds of CLOCK_MONOTONIC; 0 before that.
    int64_t requested_at;
    // Whether the body is read only to keep the connection, and discarded.
    int32_t discarding;
    int32_t stop;
    int32_t sockets_blocked;
    int32_t sockets_opened;
    // Whether a socket could not be created because descriptors or memory were short.
    int32_t descriptors_out;
    char message[256];

    void *headers;
} emb_transfer;

// Times since the start of the transfer, in microseconds.
typedef struct emb_transfer_times {
    int64_t resolved;
    int64_t connected;
    int64_t secured;
    int64_t requested;
    int64_t answered;
    int64_t total;
    int64_t new_connections;
} emb_transfer_times;

// Returns NULL if memory is short. Proxy and certificates may be NULL.
emb_transfer *emb_transfer_create(
    const emb_transfer_common *common, const char *user_agent, const char *proxy,
    const char *ca_file);
void emb_transfer_destroy(emb_transfer *transfer);

// Resets the fields of the last transfer; the multi handle keeps the connection.
void emb_transfer_clear(emb_transfer *transfer);
// Adds a header line to the next request; returns 0 if memory is short.
int emb_transfer_add_header(emb_transfer *transfer, const char *line);
// Prepares the next request; returns 0 on failure. User and password may be NULL. With `signature`,
// the scope of an AWS signature (version 4), the request is signed with them. With `new_connection`
// no idle connection is used.
int emb_transfer_prepare(
    emb_transfer *transfer, const char *url, int32_t is_secure, int32_t new_connection,
    const char *user, const char *password, const char *signature);

emb_transfer_times emb_transfer_get_times(emb_transfer *transfer);

// Returns the transfer of an easy handle.
emb_transfer *emb_transfer_of(void *easy);

// Creates a share handle for TLS sessions. Returns NULL if memory is short.
void *emb_share_create(void);
void emb_share_destroy(void *share);

// Enables multiplexing and sets the number of connections to keep.
void emb_multi_prepare(void *multi, int64_t kept_connections);
