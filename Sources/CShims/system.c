#define _GNU_SOURCE
#include "emb_system.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int emb_syncfs(int descriptor) {
    return syncfs(descriptor);
}

// Blocks up to this size come from the heap; larger ones are mapped and released at once.
static const int heap_block_bytes = 32 << 20;
// The free memory kept at the end of the heap.
static const int heap_trim_bytes = 64 << 20;

void emb_keep_memory(void) {
    mallopt(M_MMAP_THRESHOLD, heap_block_bytes);
    mallopt(M_TRIM_THRESHOLD, heap_trim_bytes);
    // Each thread would reserve 64 MB for its own arena, most of a limited address space.
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
        mallopt(M_ARENA_MAX, 1);
    }
}

void emb_zero_new_memory(int begins) {
    static atomic_int users = 0;
    // The C library fills new memory with the complement of this byte.
    if (begins && atomic_fetch_add(&users, 1) == 0) {
        mallopt(M_PERTURB, 0xFF);
    } else if (!begins && atomic_fetch_sub(&users, 1) == 1) {
        mallopt(M_PERTURB, 0);
    }
}

void emb_settle_language(void) {
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("LANGUAGE", "en", 1);
    unsetenv("PANGO_LANGUAGE");
    unsetenv("FC_LANG");
}

int emb_signal_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void exit_with_signal(int number) {
    _exit(128 + number);
}

void emb_exit_on_signal(int number) {
    struct sigaction action = {.sa_handler = exit_with_signal};
    sigaction(number, &action, NULL);
}

int emb_processor(void) {
    return sched_getcpu();
}

void emb_leave_processor(int busy) {
    cpu_set_t all;
    if (busy < 0 || busy >= CPU_SETSIZE || sched_getaffinity(0, sizeof(all), &all) != 0) {
        return;
    }
    cpu_set_t others = all;
    CPU_CLR((size_t)busy, &others);
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof(others), &others) == 0) {
        sched_setaffinity(0, sizeof(all), &all);
    }
}

void emb_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

int emb_semaphore_wait(sem_t *semaphore, int milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    int outcome;
    do {
        outcome = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
    } while (outcome != 0 && errno == EINTR);
    return outcome == 0;
}
