#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CSandbox.h"

// Descriptors of the parent are kept above those of a worker, so that they never collide.
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

int emb_worker_sockets(int ends[2]) {
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

// Defined here, since the C library of the build machine may lack it.
enum { NOEXEC_SEAL = 8 };

// Grows like ftruncate, which raises SIGXFSZ beyond the file size limit. That signal could end a
// host program that does not ignore it.
int emb_worker_region_grow(int region, size_t bytes) {
    // A region that was grown before, but could not be mapped, is large enough; it never shrinks.
    struct stat facts;
    if (fstat(region, &facts) == 0 && (size_t)facts.st_size >= bytes) {
        return 0;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur) {
        errno = EFBIG;
        return -1;
    }
    return ftruncate(region, (off_t)bytes);
}

int emb_worker_region(size_t bytes) {
    // Permanently prevents execution of the memory. Kernels before 6.3 lack this flag.
    int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int region = memfd_create("worker", flags | NOEXEC_SEAL);
    if (region < 0 && errno == EINVAL) {
        region = memfd_create("worker", flags);
    }
    region = raised(region);
    if (region < 0) {
        return -1;
    }
    if (emb_worker_region_grow(region, bytes) == 0 &&
        fcntl(region, F_ADD_SEALS, F_SEAL_SHRINK) == 0) {
        return region;
    }
    int code = errno;
    close(region);
    errno = code;
    return -1;
}

int emb_worker_region_clear(int region, size_t from, size_t end) {
    if (end <= from) {
        return 0;
    }
    return fallocate(
        region, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(end - from));
}

int emb_worker_event(void) {
    return raised(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

// A process whose waits are refused would spin; without random bytes, every item would fail.
static const char *refused_wait(int event, int watch) {
    if (emb_worker_watch_add(watch, event, 0) != 0) {
        return "epoll_ctl";
    }
    uint64_t numbers[EMB_WORKER_WATCHED];
    if (emb_worker_watch_wait(watch, numbers, 0) < 0) {
        return "epoll_wait";
    }
    struct pollfd end = {.fd = event, .events = POLLIN};
    return poll(&end, 1, 0) < 0 ? "poll" : NULL;
}

const char *emb_refused_call(void) {
    char random;
    if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0 && errno != EAGAIN) {
        return "getrandom";
    }
    int event = eventfd(0, EFD_CLOEXEC);
    if (event < 0) {
        return "eventfd";
    }
    int watch = emb_worker_watch();
    const char *name = watch < 0 ? "epoll_create1" : refused_wait(event, watch);
    int code = errno;
    close(event);
    if (watch >= 0) {
        close(watch);
    }
    errno = code;
    return name;
}

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    int code = posix_spawnattr_setflags(attributes, (short)flags);
    code = code ? code : posix_spawnattr_setsigmask(attributes, &none);
    return code ? code : posix_spawnattr_setsigdefault(attributes, &all);
}

int emb_worker_nothing(void) {
    return raised(open("/dev/null", O_RDWR | O_CLOEXEC));
}

static int arrange(posix_spawn_file_actions_t *files, int socket, int region, int nothing) {
    int code = 0;
    for (int stream = 0; stream < 3 && code == 0; stream++) {
        code = posix_spawn_file_actions_adddup2(files, nothing, stream);
    }
    code = code ? code : posix_spawn_file_actions_adddup2(files, socket, EMB_WORKER_SOCKET);
    code = code ? code : posix_spawn_file_actions_adddup2(files, region, EMB_WORKER_REGION);
    return code ? code : posix_spawn_file_actions_addclosefrom_np(files, EMB_WORKER_REGION + 1);
}

int emb_worker_spawn(
    const char *program, const char *word, const char *library_path, int socket, int region,
    int nothing, pid_t *child) {
    // A toolchain in a private folder finds its libraries only through this variable.
    char libraries[4096] = "";
    if (library_path != NULL) {
        snprintf(libraries, sizeof(libraries), "LD_LIBRARY_PATH=%s", library_path);
    }
    char *arguments[] = {(char *)"emblem", (char *)word, NULL};
    char *environment[] = {
        (char *)"LC_ALL=C.UTF-8", (char *)"LANGUAGE=en", (char *)"ASAN_OPTIONS=detect_leaks=0",
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
        code = set_attributes(&attributes);
        code = code ? code : arrange(&files, socket, region, nothing);
        code = code ? code
                    : posix_spawn(child, program, &files, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    errno = code;
    return code == 0 ? 0 : -1;
}

const char *emb_own_program(void) {
    static const char self[] = "/proc/self/exe";
    if (access(self, X_OK) == 0) {
        return self;
    }
    // Without /proc, use the path that the kernel passed at the start.
    const char *path = (const char *)getauxval(AT_EXECFN);
    return path == NULL ? self : path;
}

int emb_hide_memory(void) {
    return prctl(PR_SET_DUMPABLE, 0);
}

int emb_worker_handle(pid_t child) {
    // The kernel sets close-on-exec on a pidfd.
    return raised((int)syscall(SYS_pidfd_open, child, 0));
}

int emb_worker_kill(pid_t child, int handle) {
    return handle < 0 ? kill(child, SIGKILL)
                      : (int)syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0);
}

typedef struct end_wait {
    // Becomes readable when the process ends; -1 without a pidfd, or after that.
    int handle;
    int milliseconds;
    struct timespec pause;
    long waited;
} end_wait;

static end_wait wait_of(int handle, int milliseconds) {
    return (end_wait){handle, milliseconds, {.tv_nsec = 100000}, 0};
}

// Waits until the pidfd reports the end, or without one a little longer each time. A killed process
// is gone within a moment unless the kernel is stuck. Returns 0 once the time is over.
static int may_go_on(end_wait *wait) {
    if (wait->waited / 1000000 >= wait->milliseconds) {
        return 0;
    }
    if (wait->handle >= 0) {
        struct pollfd end = {.fd = wait->handle, .events = POLLIN};
        int said = poll(&end, 1, wait->milliseconds);
        if (said < 0 && errno == EINTR) {
            return 1;
        }
        wait->handle = -1;
        return said != 0;
    }
    nanosleep(&wait->pause, NULL);
    wait->waited += wait->pause.tv_nsec;
    if (wait->pause.tv_nsec < 10000000) {
        wait->pause.tv_nsec *= 2;
    }
    return 1;
}

void emb_worker_await_end(pid_t child, int handle, int milliseconds) {
    end_wait wait = wait_of(handle, milliseconds);
    siginfo_t ended = {0};
    do {
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR) {
            return;
        }
    } while (ended.si_pid != child && may_go_on(&wait));
}

int emb_worker_reap(pid_t child, int handle, int milliseconds) {
    end_wait wait = wait_of(handle, milliseconds);
    int status = 0;
    do {
        pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child) {
            return status;
        }
        if (found < 0 && errno != EINTR) {
            return EMB_WORKER_GONE;
        }
    } while (may_go_on(&wait));
    return -1;
}
