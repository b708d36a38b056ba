// Required for nftw.
#define _XOPEN_SOURCE 700

#include "emb_tree.h"

#include <ftw.h>
#include <stdio.h>

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

void emb_remove_tree(const char *path) {
    // Contents are removed before their folder.
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
