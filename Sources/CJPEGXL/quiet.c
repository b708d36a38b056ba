// Suppresses libjxl's messages.
//
// Debian's build prints a line to `stderr` for each error in the data. During a call, `stderr` is
// replaced by a stream that discards the output of threads inside the library and passes on the
// output of all other threads.
// others.
#define _GNU_SOURCE
#include "quiet.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *original;
static FILE *filter;
// The number of calls in progress.
static int calls;
static _Thread_local int is_quiet;

static ssize_t write_unless_quiet(void *unused, const char *bytes, size_t count) {
    (void)unused;
    return is_quiet ? (ssize_t)count : write(STDERR_FILENO, bytes, count);
}

void emb_jxl_quiet(int begins) {
    is_quiet = begins;
    pthread_mutex_lock(&lock);
    if (begins && filter == NULL) {
        const cookie_io_functions_t functions = {.write = write_unless_quiet};
        filter = fopencookie(NULL, "w", functions);
        if (filter != NULL) {
            setvbuf(filter, NULL, _IONBF, 0);
        }
    }
    if (begins && calls++ == 0 && filter != NULL) {
        original = stderr;
        stderr = filter;
    } else if (!begins && --calls == 0 && stderr == filter && filter != NULL) {
        stderr = original;
    }
    pthread_mutex_unlock(&lock);
}
