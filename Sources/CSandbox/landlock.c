#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

// Defined here, since the kernel headers of the build machine may be older than the running kernel.
enum { LANDLOCK_CREATE_RULESET = 444, LANDLOCK_ADD_RULE = 445, LANDLOCK_RESTRICT_SELF = 446 };
enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

struct landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

struct landlock_path_beneath {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));

#define ACCESS_FS_READ_FILE (UINT64_C(1) << 2)

int emb_landlock_version(void) {
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

// Returns all rights to files that this version of Landlock knows; handled rights are denied unless
// a rule allows them.
static uint64_t all_rights(int version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (UINT64_C(1) << count) - 1;
}

// Allows the files that were opened for the worker, and no others. They are identified by
// descriptor, so no path is resolved a second time.
static int allow_files(int ruleset) {
    for (int index = 0, file; (file = emb_worker_file(index)) >= 0; index++) {
        struct landlock_path_beneath rule = {ACCESS_FS_READ_FILE, file};
        if (syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) {
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
    struct landlock_ruleset handled = {.handled_access_fs = all_rights(version)};
    size_t size = sizeof(handled.handled_access_fs);
    if (version >= 4) {
        handled.handled_access_net = 3; // binding and connecting
        size += sizeof(handled.handled_access_net);
    }
    if (version >= 6) {
        handled.scoped = 3; // abstract sockets and signals
        size += sizeof(handled.scoped);
    }
    int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &handled, size, 0);
    if (ruleset < 0) {
        return -1;
    }
    int result = allow_files(ruleset);
    if (result == 0) {
        result = (int)syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0);
    }
    int code = errno;
    close(ruleset);
    errno = code;
    return result;
}
