#include <stdlib.h>
#include <string.h>

#include "transfer.h"

// Sets the options that all requests on this handle share.
static int set_common(
    emb_transfer *transfer, const char *user_agent, const char *proxy, const char *ca_file) {
    CURL *easy = transfer->easy;
    const emb_transfer_common *common = &transfer->common;
    int failed = 0;
#define SET(option, value) failed |= curl_easy_setopt(easy, option, value) != CURLE_OK
    SET(CURLOPT_NOSIGNAL, 1L);
    // Without this option, a transfer that ends during a name look-up waits for the look-up.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PRIVATE, (void *)transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->message);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    // A body that is encoded nevertheless is decoded, and limits apply to the decoded bytes.
    SET(CURLOPT_ACCEPT_ENCODING, "identity");
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    // An empty string disables the proxies of the environment.
    SET(CURLOPT_PROXY, proxy ? proxy : "");
    SET(CURLOPT_USERAGENT, user_agent);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)common->connect_milliseconds);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 60L);
    if (ca_file) {
        SET(CURLOPT_CAINFO, ca_file);
    }
    if (common->share) {
        SET(CURLOPT_SHARE, (CURLSH *)common->share);
    }
    if (common->resolve) {
        SET(CURLOPT_RESOLVE, (struct curl_slist *)common->resolve);
    }
    SET(CURLOPT_HEADERFUNCTION, emb_header_function);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, emb_write_function);
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, emb_xferinfo_function);
    SET(CURLOPT_XFERINFODATA, transfer);
    SET(CURLOPT_OPENSOCKETFUNCTION, emb_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    SET(CURLOPT_PREREQFUNCTION, emb_before_request);
    SET(CURLOPT_PREREQDATA, transfer);
#undef SET
    return !failed;
}

emb_transfer *emb_transfer_create(
    const emb_transfer_common *common, const char *user_agent, const char *proxy,
    const char *ca_file) {
    emb_transfer *transfer = calloc(1, sizeof(*transfer));
    if (!transfer) {
        return NULL;
    }
    transfer->common = *common;
    transfer->easy = curl_easy_init();
    if (!transfer->easy || !set_common(transfer, user_agent, proxy, ca_file)) {
        emb_transfer_destroy(transfer);
        return NULL;
    }
    emb_transfer_clear(transfer);
    return transfer;
}

void emb_transfer_destroy(emb_transfer *transfer) {
    emb_transfer_clear(transfer);
    if (transfer->easy) {
        curl_easy_cleanup(transfer->easy);
    }
    free(transfer->head);
    free(transfer);
}

void emb_transfer_clear(emb_transfer *transfer) {
    if (transfer->body) {
        *transfer->common.bytes_held -= (int64_t)transfer->body_count;
    }
    free(transfer->body);
    transfer->body = NULL;
    transfer->body_capacity = 0;
    transfer->body_count = 0;
    transfer->head_count = 0;
    transfer->header_total = 0;
    transfer->wire_count = 0;
    transfer->declared_length = -1;
    transfer->status = 0;
    transfer->head_done = 0;
    transfer->requested_at = 0;
    transfer->discarding = 0;
    transfer->stop = EMB_STOP_NONE;
    transfer->sockets_blocked = 0;
    transfer->sockets_opened = 0;
    transfer->descriptors_out = 0;
    transfer->message[0] = 0;
    if (transfer->headers) {
        curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, NULL);
        curl_slist_free_all(transfer->headers);
        transfer->headers = NULL;
    }
}

int emb_transfer_add_header(emb_transfer *transfer, const char *line) {
    struct curl_slist *grown = curl_slist_append(transfer->headers, line);
    if (!grown) {
        return 0;
    }
    transfer->headers = grown;
    return 1;
}

int emb_transfer_prepare(
    emb_transfer *transfer, const char *url, int32_t is_secure, int32_t new_connection,
    const char *user, const char *password, const char *signature) {
    CURL *easy = transfer->easy;
    int failed = 0;
#define SET(option, value) failed |= curl_easy_setopt(easy, option, value) != CURLE_OK
    if (transfer->headers) {
        SET(CURLOPT_HTTPHEADER, transfer->headers);
    }
    SET(CURLOPT_URL, url);
    SET(CURLOPT_USERNAME, user);
    SET(CURLOPT_PASSWORD, password);
    // A signature selects its own way to authenticate, and clearing it does not undo that.
    SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    // A curl without signatures does not know the option.
    if (signature || transfer->is_signed) {
        if (curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, signature) == CURLE_OK) {
            transfer->is_signed = signature != NULL;
        } else {
            failed = 1;
        }
    }
    SET(CURLOPT_HTTP_VERSION,
        is_secure ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
    // Over TLS, waiting for the first connection is worthwhile, because the host may multiplex.
    SET(CURLOPT_PIPEWAIT, is_secure ? 1L : 0L);
    SET(CURLOPT_FRESH_CONNECT, new_connection ? 1L : 0L);
#undef SET
    return !failed;
}

emb_transfer_times emb_transfer_get_times(emb_transfer *transfer) {
    emb_transfer_times times = {0};
    curl_off_t value = 0;
    long number = 0;
#define READ(info, field)                                                                          \
    if (curl_easy_getinfo(transfer->easy, info, &value) == CURLE_OK) {                             \
        times.field = value;                                                                       \
    }
    READ(CURLINFO_NAMELOOKUP_TIME_T, resolved)
    READ(CURLINFO_CONNECT_TIME_T, connected)
    READ(CURLINFO_APPCONNECT_TIME_T, secured)
    READ(CURLINFO_PRETRANSFER_TIME_T, requested)
    READ(CURLINFO_STARTTRANSFER_TIME_T, answered)
    READ(CURLINFO_TOTAL_TIME_T, total)
#undef READ
    if (curl_easy_getinfo(transfer->easy, CURLINFO_NUM_CONNECTS, &number) == CURLE_OK) {
        times.new_connections = number;
    }
    return times;
}

emb_transfer *emb_transfer_of(void *easy) {
    char *transfer = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
    return (emb_transfer *)transfer;
}

void *emb_share_create(void) {
    CURLSH *share = curl_share_init();
    if (share && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION)) {
        curl_share_cleanup(share);
        share = NULL;
    }
    return share;
}

void emb_share_destroy(void *share) {
    if (share) {
        curl_share_cleanup(share);
    }
}

void emb_multi_prepare(void *multi, int64_t kept_connections) {
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)kept_connections);
}
