#include <stdlib.h>
#include <string.h>

#include "fetch_answer.h"

// What stays the same from one request to the next on this handle.
static int set_common(emb_fetch *fetch) {
    CURL *easy = fetch->easy;
    const emb_fetch_common *common = &fetch->common;
    int failed = 0;
#define SET(option, value) failed |= curl_easy_setopt(easy, option, value) != CURLE_OK
    SET(CURLOPT_NOSIGNAL, 1L);
    // Without this a transfer that ends while a name is looked up waits for the look-up.
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_PRIVATE, (void *)fetch);
    SET(CURLOPT_ERRORBUFFER, fetch->message);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    // Sent as asked; what comes encoded all the same is inflated, and counted behind that.
    SET(CURLOPT_ACCEPT_ENCODING, "identity");
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    // An empty text keeps the environment's proxies out.
    SET(CURLOPT_PROXY, common->proxy ? common->proxy : "");
    SET(CURLOPT_USERAGENT, common->user_agent);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)common->connect_milliseconds);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_NETRC, common->netrc ? (long)CURL_NETRC_OPTIONAL : (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 60L);
    if (common->ca_file) {
        SET(CURLOPT_CAINFO, common->ca_file);
    }
    if (common->share) {
        SET(CURLOPT_SHARE, (CURLSH *)common->share);
    }
    SET(CURLOPT_HEADERFUNCTION, emb_take_header);
    SET(CURLOPT_HEADERDATA, fetch);
    SET(CURLOPT_WRITEFUNCTION, emb_take_body);
    SET(CURLOPT_WRITEDATA, fetch);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, emb_take_progress);
    SET(CURLOPT_XFERINFODATA, fetch);
    SET(CURLOPT_OPENSOCKETFUNCTION, emb_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, fetch);
    SET(CURLOPT_PREREQFUNCTION, emb_before_request);
    SET(CURLOPT_PREREQDATA, fetch);
#undef SET
    return !failed;
}

emb_fetch *emb_fetch_create(const emb_fetch_common *common) {
    emb_fetch *fetch = calloc(1, sizeof(*fetch));
    if (!fetch) {
        return NULL;
    }
    fetch->common = *common;
    fetch->easy = curl_easy_init();
    if (!fetch->easy || !set_common(fetch)) {
        emb_fetch_destroy(fetch);
        return NULL;
    }
    emb_fetch_clear(fetch);
    return fetch;
}

void emb_fetch_destroy(emb_fetch *fetch) {
    emb_fetch_clear(fetch);
    if (fetch->easy) {
        curl_easy_cleanup(fetch->easy);
    }
    free(fetch->head);
    free(fetch);
}

void emb_fetch_forgo(emb_fetch *fetch) {
    int64_t held = __atomic_exchange_n(&fetch->held, 0, __ATOMIC_ACQUIRE);
    __atomic_fetch_sub(fetch->common.bytes_held, held, __ATOMIC_RELAXED);
}

static void give_body_up(emb_fetch *fetch) {
    emb_fetch_forgo(fetch);
    free(fetch->body);
    fetch->body = NULL;
    fetch->body_capacity = 0;
}

void emb_fetch_end(emb_fetch *fetch) {
    give_body_up(fetch);
    EMB_TELL(fetch->ended, 1);
}

void emb_fetch_clear(emb_fetch *fetch) {
    if (fetch->gunzip) {
        emb_gunzip_destroy(fetch->gunzip);
        fetch->gunzip = NULL;
        curl_easy_setopt(fetch->easy, CURLOPT_HTTP_CONTENT_DECODING, 1L);
    }
    give_body_up(fetch);
    fetch->body_count = 0;
    fetch->head_count = 0;
    fetch->header_total = 0;
    fetch->wire_count = 0;
    fetch->declared_length = -1;
    fetch->status = 0;
    fetch->encodings = 0;
    fetch->head_done = 0;
    fetch->requested_at = 0;
    fetch->request_sent = 0;
    fetch->discarding = 0;
    fetch->stop = EMB_STOP_NONE;
    fetch->ended = 0;
    fetch->sockets_blocked = 0;
    fetch->sockets_opened = 0;
    fetch->descriptors_out = 0;
    fetch->message[0] = 0;
    if (fetch->headers) {
        curl_easy_setopt(fetch->easy, CURLOPT_HTTPHEADER, NULL);
        curl_slist_free_all(fetch->headers);
        fetch->headers = NULL;
    }
    if (fetch->resolve) {
        curl_easy_setopt(fetch->easy, CURLOPT_RESOLVE, NULL);
        curl_slist_free_all(fetch->resolve);
        fetch->resolve = NULL;
    }
}

int emb_fetch_add_header(emb_fetch *fetch, const char *line) {
    struct curl_slist *grown = curl_slist_append(fetch->headers, line);
    if (!grown) {
        return 0;
    }
    fetch->headers = grown;
    return 1;
}

int emb_fetch_prepare(
    emb_fetch *fetch, const char *url, int32_t is_secure, int32_t new_connection,
    const char *resolve, const char *user, const char *password) {
    CURL *easy = fetch->easy;
    int failed = 0;
#define SET(option, value) failed |= curl_easy_setopt(easy, option, value) != CURLE_OK
    if (resolve) {
        fetch->resolve = curl_slist_append(NULL, resolve);
        failed |= fetch->resolve == NULL;
        SET(CURLOPT_RESOLVE, fetch->resolve);
    }
    if (fetch->headers) {
        SET(CURLOPT_HTTPHEADER, fetch->headers);
    }
    fetch->is_secure = is_secure;
    SET(CURLOPT_URL, url);
    SET(CURLOPT_USERNAME, user);
    SET(CURLOPT_PASSWORD, password);
    SET(CURLOPT_HTTP_VERSION,
        is_secure ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
    // Over TLS it pays to wait and see whether the host multiplexes.
    SET(CURLOPT_PIPEWAIT, is_secure ? 1L : 0L);
    SET(CURLOPT_FRESH_CONNECT, new_connection ? 1L : 0L);
#undef SET
    return !failed;
}

emb_fetch_signs emb_fetch_look(const emb_fetch *fetch) {
#define READ(field) .field = __atomic_load_n(&fetch->field, __ATOMIC_RELAXED)
    return (emb_fetch_signs){
        READ(requested_at),
        READ(header_total),
        READ(wire_count),
        READ(head_done),
        READ(discarding),
        READ(ended),
        .body_count = (int64_t)__atomic_load_n(&fetch->body_count, __ATOMIC_RELAXED),
    };
#undef READ
}

int64_t emb_bytes_held(const int64_t *bytes_held) {
    return __atomic_load_n(bytes_held, __ATOMIC_RELAXED);
}

int emb_fetch_is_whole(const emb_fetch *fetch) {
    return fetch->gunzip == NULL || emb_gunzip_is_whole(fetch->gunzip);
}

emb_fetch_times emb_fetch_measure(emb_fetch *fetch) {
    emb_fetch_times times = {0};
    curl_off_t value = 0;
    long number = 0;
#define READ(info, field)                                                                          \
    if (curl_easy_getinfo(fetch->easy, info, &value) == CURLE_OK) {                                \
        times.field = value;                                                                       \
    }
    READ(CURLINFO_CONNECT_TIME_T, connected)
    READ(CURLINFO_APPCONNECT_TIME_T, secured)
    READ(CURLINFO_PRETRANSFER_TIME_T, requested)
    READ(CURLINFO_STARTTRANSFER_TIME_T, answered)
    READ(CURLINFO_TOTAL_TIME_T, total)
#undef READ
    if (curl_easy_getinfo(fetch->easy, CURLINFO_NUM_CONNECTS, &number) == CURLE_OK) {
        times.new_connections = number;
    }
    if (curl_easy_getinfo(fetch->easy, CURLINFO_HTTP_VERSION, &number) == CURLE_OK) {
        times.http_version = number;
    }
    return times;
}

emb_fetch *emb_fetch_of(void *easy) {
    char *fetch = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &fetch);
    return (emb_fetch *)fetch;
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
