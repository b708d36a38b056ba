#define _GNU_SOURCE
#include "emb_system.h"

#include <unistd.h>

int emb_syncfs(int descriptor) {
    return syncfs(descriptor);
}
