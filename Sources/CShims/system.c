#define _GNU_SOURCE
#include "emb_system.h"

#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

int emb_syncfs(int descriptor) {
    return syncfs(descriptor);
}

void emb_keep_memory(int block_bytes, int trim_bytes) {
    mallopt(M_MMAP_THRESHOLD, block_bytes);
    mallopt(M_TRIM_THRESHOLD, trim_bytes);
}

void emb_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
