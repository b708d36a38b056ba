#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emb_cell.h"

// Written out here, since the kernel's header of the build machine may be older than the kernel
// that the tool meets.
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
#define READ_FOLDER (UINT64_C(1) << 3)

int emb_landlock_version(void) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

// Every right over files that a version of the rules can take away.
static uint64_t every_right(int version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (UINT64_C(1) << count) - 1;
}

static int allow(int rules, const char *path) {
    int target = open(path, O_PATH | O_CLOEXEC);
    if (target < 0) {
        // What does not exist needs no permission.
        return errno == ENOENT ? 0 : -1;
    }
    struct stat facts;
    int outcome = fstat(target, &facts);
    if (outcome == 0) {
        struct path_beneath rule = {READ_FILE, target};
        if (S_ISDIR(facts.st_mode)) {
            rule.allowed |= READ_FOLDER;
        }
        outcome = (int)syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0);
    }
    close(target);
    return outcome;
}

static int allow_all(int rules, const char *lines) {
    while (*lines != 0) {
        const char *end = strchrnul(lines, '\n');
        char path[1024];
        size_t length = (size_t)(end - lines);
        if (length >= sizeof(path)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(path, lines, length);
        path[length] = 0;
        if (length > 0 && allow(rules, path) != 0) {
            return -1;
        }
        lines = *end == 0 ? end : end + 1;
    }
    return 0;
}

int emb_landlock_confine(const char *readable) {
    int version = emb_landlock_version();
    if (version == 0) {
        errno = ENOSYS;
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
    int outcome = allow_all(rules, readable);
    if (outcome == 0) {
        outcome = (int)syscall(RESTRICT_SELF, rules, 0);
    }
    int code = errno;
    close(rules);
    errno = code;
    return outcome;
}
