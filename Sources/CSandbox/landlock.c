#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

// Defined here, since the kernel headers of the build machine may be older than the running kernel.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#define READ_FILE (UINT64_C(1) << 2)

int emb_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t every_right(int version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (UINT64_C(1) << count) - 1;
}

// Allows the files that were opened for the worker, and no others. They are identified by
// descriptor, so no path is resolved a second time.
static int allow_files(int rules) {
    for (int index = 0, file; (file = emb_worker_file(index)) >= 0; index++) {
        struct path_beneath rule = {READ_FILE, file};
        if (syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) != 0) {
            return -1;
        }
    }
    return 0;
}

int emb_landlock_confine(void) {
    int version = emb_landlock_version();
    if (version == 0) {
        return -1;
    }
    struct ruleset refused = {.files = every_right(version)};
    size_t size = sizeof(refused.files);
    if (version >= 4) {
        refused.network = 3; // binding and connecting
        size += sizeof(refused.network);
    }
    if (version >= 6) {
        refused.scopes = 3; // abstract sockets and signals
        size += sizeof(refused.scopes);
    }
    int rules = (int)syscall(CREATE_RULESET, &refused, size, 0);
    if (rules < 0) {
        return -1;
    }
    int outcome = allow_files(rules);
    if (outcome == 0) {
        outcome = (int)syscall(RESTRICT_SELF, rules, 0);
    }
    int code = errno;
    close(rules);
    errno = code;
    return outcome;
}
