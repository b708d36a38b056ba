#include "emb_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    int code = posix_spawnattr_setflags(attributes, (short)flags);
    code = code ? code : posix_spawnattr_setpgroup(attributes, 0);
    code = code ? code : posix_spawnattr_setsigmask(attributes, &none);
    return code ? code : posix_spawnattr_setsigdefault(attributes, &all);
}

// Gives the program an empty standard input, and `output` for its other streams.
static int add_file_actions(posix_spawn_file_actions_t *files, int output) {
    int code = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    code = code ? code : posix_spawn_file_actions_adddup2(files, output, 1);
    return code ? code : posix_spawn_file_actions_adddup2(files, output, 2);
}

static int spawn(const char *program, char **arguments, int output, pid_t *child) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        return code;
    }
    code = posix_spawn_file_actions_init(&files);
    if (code == 0) {
        code = set_attributes(&attributes);
        code = code ? code : add_file_actions(&files, output);
        code = code ? code : posix_spawn(child, program, &files, &attributes, arguments, environ);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

int emb_program_start(const char *program, const char *words, int count, int output, pid_t *child) {
    if (count < 1) {
        return EINVAL;
    }
    char **arguments = calloc((size_t)count + 1, sizeof(char *));
    if (arguments == NULL) {
        return ENOMEM;
    }
    for (int index = 0; index < count; index++) {
        arguments[index] = (char *)words;
        words += strlen(words) + 1;
    }
    int code = spawn(program, arguments, output, child);
    free(arguments);
    return code;
}

int emb_program_await(pid_t child) {
    siginfo_t info;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) < 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

int emb_program_collect(pid_t child, emb_program_end *end) {
    int status = 0;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    end->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    end->user_seconds = seconds(usage.ru_utime);
    end->system_seconds = seconds(usage.ru_stime);
    end->peak_kilobytes = usage.ru_maxrss;
    return 0;
}
