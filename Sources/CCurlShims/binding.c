// Loads libcurl at the first call instead of at startup.
//
// With its 25 dependencies it would take a fifth of the startup time, and runs over files never
// need it. The functions below replace those of the same names; if the library is missing,
// curl_global_init reports a failure, and no other function is called.
#include <curl/curl.h>
#include <stdarg.h>
#include <stddef.h>

#include "emb_library.h"
#include "include/emb_curl.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

EMB_LIBRARY("libcurl.so.4", "curl", "URLs")

int emb_curl_is_found(void) {
    return find("curl_global_init") != NULL;
}

// An option takes one more argument: a long, an offset or a pointer. Each fills one register.
#define PASS_OPTION(type, missing, name, handle, kind)                                             \
    type name(handle *subject, kind option, ...) {                                                 \
        va_list list;                                                                              \
        va_start(list, option);                                                                    \
        void *value = va_arg(list, void *);                                                        \
        va_end(list);                                                                              \
        REAL(name)                                                                                 \
        return real == NULL ? (missing) : real(subject, option, value);                            \
    }

_Static_assert(
    sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *),
    "an option's value does not fill a register");

PASS(CURLcode, CURLE_FAILED_INIT, curl_global_init, (long flags), (flags))
PASS(char *, NULL, curl_version, (void), ())
PASS_NOTHING(curl_free, (void *memory), (memory))
PASS(time_t, -1, curl_getdate, (const char *text, const time_t *unused), (text, unused))

PASS(CURL *, NULL, curl_easy_init, (void), ())
PASS_NOTHING(curl_easy_cleanup, (CURL * easy), (easy))
PASS(const char *, "libcurl.so.4 is missing", curl_easy_strerror, (CURLcode code), (code))
PASS_OPTION(CURLcode, CURLE_FAILED_INIT, curl_easy_setopt, CURL, CURLoption)
PASS_OPTION(CURLcode, CURLE_FAILED_INIT, curl_easy_getinfo, CURL, CURLINFO)

PASS(CURLM *, NULL, curl_multi_init, (void), ())
PASS(CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_cleanup, (CURLM * multi), (multi))
PASS(
    CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_add_handle, (CURLM * multi, CURL *easy),
    (multi, easy))
PASS(
    CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_remove_handle, (CURLM * multi, CURL *easy),
    (multi, easy))
PASS(
    CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_perform, (CURLM * multi, int *running),
    (multi, running))
PASS(
    CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_poll,
    (CURLM * multi, struct curl_waitfd extra[], unsigned count, int milliseconds, int *ready),
    (multi, extra, count, milliseconds, ready))
PASS(CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_wakeup, (CURLM * multi), (multi))
PASS(CURLMsg *, NULL, curl_multi_info_read, (CURLM * multi, int *left), (multi, left))
PASS_OPTION(CURLMcode, CURLM_INTERNAL_ERROR, curl_multi_setopt, CURLM, CURLMoption)

PASS(CURLSH *, NULL, curl_share_init, (void), ())
PASS(CURLSHcode, CURLSHE_NOMEM, curl_share_cleanup, (CURLSH * share), (share))
PASS_OPTION(CURLSHcode, CURLSHE_NOMEM, curl_share_setopt, CURLSH, CURLSHoption)

PASS(
    struct curl_slist *, NULL, curl_slist_append, (struct curl_slist * list, const char *line),
    (list, line))
PASS_NOTHING(curl_slist_free_all, (struct curl_slist * list), (list))

PASS(CURLU *, NULL, curl_url, (void), ())
PASS_NOTHING(curl_url_cleanup, (CURLU * url), (url))
PASS(
    CURLUcode, CURLUE_OUT_OF_MEMORY, curl_url_get,
    (CURLU * url, CURLUPart part, char **text, unsigned flags), (url, part, text, flags))
PASS(
    CURLUcode, CURLUE_OUT_OF_MEMORY, curl_url_set,
    (CURLU * url, CURLUPart part, const char *text, unsigned flags), (url, part, text, flags))
