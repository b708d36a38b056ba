// Required for nftw.
#define _XOPEN_SOURCE 700

#include "emb_tree.h"

#include <ftw.h>
#include <stdio.h>

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

void emb_remove_tree(const char *path) {
    // Contents are removed before their folder.
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
