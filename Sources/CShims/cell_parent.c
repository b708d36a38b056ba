#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emb_cell.h"

// Descriptors of ours stand above those that a cell is given, so that none is in another's way.
enum { LOWEST = 16 };

static int raised(int descriptor) {
    if (descriptor < 0 || descriptor >= LOWEST) {
        return descriptor;
    }
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, LOWEST);
    int code = errno;
    close(descriptor);
    errno = code;
    return higher;
}

int emb_cell_line(int ends[2]) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        return -1;
    }
    ends[0] = raised(pair[0]);
    ends[1] = raised(pair[1]);
    if (ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) {
        return 0;
    }
    int code = errno;
    if (ends[0] >= 0) {
        close(ends[0]);
    }
    if (ends[1] >= 0) {
        close(ends[1]);
    }
    errno = code;
    return -1;
}

int emb_cell_region(size_t bytes) {
    int region = raised(memfd_create("cell", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (region < 0) {
        return -1;
    }
    if (ftruncate(region, (off_t)bytes) == 0 && fcntl(region, F_ADD_SEALS, F_SEAL_SHRINK) == 0) {
        return region;
    }
    int code = errno;
    close(region);
    errno = code;
    return -1;
}

int emb_cell_region_grow(int region, size_t bytes) {
    return ftruncate(region, (off_t)bytes);
}

int emb_cell_region_clear(int region, size_t from, size_t end) {
    if (end <= from) {
        return 0;
    }
    return fallocate(
        region, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(end - from));
}

int emb_cell_bell(void) {
    return raised(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

static int prepare(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    int code = posix_spawnattr_setflags(attributes, (short)flags);
    code = code ? code : posix_spawnattr_setsigmask(attributes, &none);
    return code ? code : posix_spawnattr_setsigdefault(attributes, &all);
}

static int arrange(posix_spawn_file_actions_t *files, int line, int region) {
    int code = 0;
    for (int stream = 0; stream < 3 && code == 0; stream++) {
        int flags = stream == 0 ? O_RDONLY : O_WRONLY;
        code = posix_spawn_file_actions_addopen(files, stream, "/dev/null", flags, 0);
    }
    code = code ? code : posix_spawn_file_actions_adddup2(files, line, EMB_CELL_LINE);
    code = code ? code : posix_spawn_file_actions_adddup2(files, region, EMB_CELL_REGION);
    return code ? code : posix_spawn_file_actions_addclosefrom_np(files, EMB_CELL_REGION + 1);
}

int emb_cell_spawn(
    const char *program, const char *word, const char *library_path, int line, int region,
    pid_t *child) {
    // A toolchain that is not installed system-wide is found by its libraries' path alone.
    char libraries[4096] = "";
    if (library_path != NULL) {
        snprintf(libraries, sizeof(libraries), "LD_LIBRARY_PATH=%s", library_path);
    }
    char *arguments[] = {(char *)"emblem", (char *)word, NULL};
    char *environment[] = {
        (char *)"LC_ALL=C.UTF-8", (char *)"ASAN_OPTIONS=detect_leaks=0",
        libraries[0] ? libraries : NULL, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        errno = code;
        return -1;
    }
    code = posix_spawn_file_actions_init(&files);
    if (code == 0) {
        code = prepare(&attributes);
        code = code ? code : arrange(&files, line, region);
        code = code ? code
                    : posix_spawn(child, program, &files, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    errno = code;
    return code == 0 ? 0 : -1;
}

// What the process was started with, which C hands to whatever runs before main.
static char **first_arguments;
static int first_count;

__attribute__((constructor)) static void remember(int count, char **arguments) {
    first_count = count;
    first_arguments = arguments;
}

int emb_argument_is(int index, const char *word) {
    return index >= 0 && index < first_count && strcmp(first_arguments[index], word) == 0;
}

int emb_argument_count(void) {
    return first_count;
}

static void wipe(char **words) {
    for (; words != NULL && *words != NULL; words++) {
        explicit_bzero(*words, strlen(*words));
    }
}

// What posix_spawn and exec do for a program, done by hand.
static void arrange_fork(int line, int region) {
    static char *environment[] = {
        (char *)"LC_ALL=C.UTF-8", (char *)"ASAN_OPTIONS=detect_leaks=0", NULL};
    wipe(environ);
    environ = environment;
    wipe(first_arguments);
    first_count = 0;
    setsid();
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR);
    int done = nothing < 0 ? -1 : 0;
    for (int stream = 0; stream < 3 && done >= 0; stream++) {
        done = dup2(nothing, stream);
    }
    if (done < 0 || dup2(line, EMB_CELL_LINE) < 0 || dup2(region, EMB_CELL_REGION) < 0) {
        _exit(127);
    }
    closefrom(EMB_CELL_REGION + 1);
}

pid_t emb_cell_fork(int line, int region) {
    pid_t child = fork();
    if (child == 0) {
        arrange_fork(line, region);
    }
    return child;
}

int emb_cell_reap(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}
