// Keeps libjxl from talking.
//
// As Debian builds it, the library writes a line to `stderr` for each thing that it finds damaged.
// While a thread of ours is inside of it, `stderr` is a stream that drops what that thread writes
// and hands on what any other one does.
#define _GNU_SOURCE
#include "quiet.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *usual;
static FILE *filter;
static int inside;
static _Thread_local int is_quiet;

static ssize_t pass(void *unused, const char *bytes, size_t count) {
    (void)unused;
    return is_quiet ? (ssize_t)count : write(STDERR_FILENO, bytes, count);
}

void emb_jxl_quiet(int begins) {
    is_quiet = begins;
    pthread_mutex_lock(&lock);
    if (begins && filter == NULL) {
        const cookie_io_functions_t functions = {.write = pass};
        filter = fopencookie(NULL, "w", functions);
        if (filter != NULL) {
            setvbuf(filter, NULL, _IONBF, 0);
        }
    }
    if (begins && inside++ == 0 && filter != NULL) {
        usual = stderr;
        stderr = filter;
    } else if (!begins && --inside == 0 && stderr == filter && filter != NULL) {
        stderr = usual;
    }
    pthread_mutex_unlock(&lock);
}
