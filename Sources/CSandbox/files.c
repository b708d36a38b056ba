#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "CSandbox.h"

// The files that a worker may read are opened before it receives an image; afterwards its filter
// permits no opening. If a library asks for one of these files by name, this code answers with a
// copy of the descriptor. The kernel sees no path that could be exchanged between a check and its
// use, and the result depends neither on the user of the process nor on Landlock.

enum { FILES_LIMIT = 96 };

static struct {
    char *path;
    int descriptor;
} files[FILES_LIMIT];
static int file_count;

int emb_worker_open_files(const char *readable) {
    while (*readable != 0) {
        const char *end = strchrnul(readable, '\n');
        if (end > readable) {
            if (file_count == FILES_LIMIT) {
                errno = E2BIG;
                return -1;
            }
            char *path = strndup(readable, (size_t)(end - readable));
            if (path == NULL) {
                return -1;
            }
            // A library that needs a missing file reports it later.
            int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
            if (descriptor < 0 && (errno == EMFILE || errno == ENFILE)) {
                free(path);
                return -1;
            }
            if (descriptor >= 0) {
                files[file_count].path = path;
                files[file_count++].descriptor = descriptor;
            } else {
                free(path);
            }
        }
        readable = *end == 0 ? end : end + 1;
    }
    return 0;
}

int emb_worker_file(int index) {
    return index >= 0 && index < file_count ? files[index].descriptor : -1;
}

// Returns a copy of the descriptor of a listed file, or a negative errno.
static long open_listed_file(const char *path) {
    for (int index = 0; path != NULL && index < file_count; index++) {
        if (strcmp(files[index].path, path) != 0) {
            continue;
        }
        long copy = syscall(SYS_dup, files[index].descriptor);
        if (copy < 0) {
            return -errno;
        }
        // Copies share their file offset; libraries map fonts instead of reading them.
        syscall(SYS_lseek, copy, 0, SEEK_SET);
        return copy;
    }
    return -EACCES;
}

// Handles SIGSYS: emulates the system call that the filter stopped.
static void emulate_open(int number, siginfo_t *info, void *context) {
    (void)number;
    ucontext_t *state = context;
    int code = errno;
#if defined(__x86_64__)
    greg_t *registers = state->uc_mcontext.gregs;
    int path_register = info->si_syscall == SYS_openat ? REG_RSI : REG_RDI;
    registers[REG_RAX] = open_listed_file((const char *)registers[path_register]);
#else
    // 64-bit ARM has openat only.
    (void)info;
    unsigned long long *registers = state->uc_mcontext.regs;
    registers[0] = (unsigned long long)open_listed_file((const char *)registers[1]);
#endif
    errno = code;
}

int emb_worker_install_open_handler(void) {
    struct sigaction action = {.sa_sigaction = emulate_open, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL);
}
