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

// The lowest descriptor of the parent. Those below are for workers, so that posix_spawn never
// overwrites a descriptor that it still has to copy.
enum { PARENT_DESCRIPTOR_MIN = 16 };

// Moves a descriptor above those of workers.
static int above_worker_descriptors(int descriptor) {
    if (descriptor < 0 || descriptor >= PARENT_DESCRIPTOR_MIN) {
        return descriptor;
    }
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, PARENT_DESCRIPTOR_MIN);
    int code = errno;
    close(descriptor);
    errno = code;
    return higher;
}

int emb_worker_socketpair(int ends[2]) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        return -1;
    }
    ends[0] = above_worker_descriptors(pair[0]);
    ends[1] = above_worker_descriptors(pair[1]);
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

// MFD_NOEXEC_SEAL, which the C library of the build machine may lack.
enum { NOEXEC_SEAL = 8 };

// Grows like ftruncate, which raises SIGXFSZ beyond the file size limit. That signal could end a
// host program that does not ignore it.
int emb_worker_memfd_grow(int memfd, size_t bytes) {
    // A memfd that was grown before, but could not be mapped, is large enough; it never shrinks.
    struct stat status;
    if (fstat(memfd, &status) == 0 && (size_t)status.st_size >= bytes) {
        return 0;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur) {
        errno = EFBIG;
        return -1;
    }
    return ftruncate(memfd, (off_t)bytes);
}

int emb_worker_memfd(size_t bytes) {
    // The seal prevents execution of the memory for ever. Kernels before 6.3 lack this flag.
    int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int memfd = memfd_create("worker", flags | NOEXEC_SEAL);
    if (memfd < 0 && errno == EINVAL) {
        memfd = memfd_create("worker", flags);
    }
    memfd = above_worker_descriptors(memfd);
    if (memfd < 0) {
        return -1;
    }
    if (emb_worker_memfd_grow(memfd, bytes) == 0 && fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) == 0) {
        return memfd;
    }
    int code = errno;
    close(memfd);
    errno = code;
    return -1;
}

int emb_worker_memfd_punch(int memfd, size_t from, size_t end) {
    if (end <= from) {
        return 0;
    }
    return fallocate(
        memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(end - from));
}

int emb_worker_eventfd(void) {
    return above_worker_descriptors(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

// Returns the name of the first wait call that the kernel refuses, or NULL. Without it, the process
// would wait in a busy loop.
static const char *refused_wait_call(int event, int epoll) {
    if (emb_worker_epoll_add(epoll, event, 0) != 0) {
        return "epoll_ctl";
    }
    uint64_t numbers[EMB_WORKER_EPOLL_EVENTS];
    if (emb_worker_epoll_wait(epoll, numbers, 0) < 0) {
        return "epoll_wait";
    }
    struct pollfd poll_event = {.fd = event, .events = POLLIN};
    return poll(&poll_event, 1, 0) < 0 ? "poll" : NULL;
}

// Also checks getrandom, because without random bytes every item would fail.
const char *emb_refused_system_call(void) {
    char random;
    if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0 && errno != EAGAIN) {
        return "getrandom";
    }
    int event = eventfd(0, EFD_CLOEXEC);
    if (event < 0) {
        return "eventfd";
    }
    int epoll = emb_worker_epoll();
    const char *name = epoll < 0 ? "epoll_create1" : refused_wait_call(event, epoll);
    int code = errno;
    close(event);
    if (epoll >= 0) {
        close(epoll);
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

int emb_open_dev_null(void) {
    return above_worker_descriptors(open("/dev/null", O_RDWR | O_CLOEXEC));
}

// Gives the worker its standard streams, socket and memfd, and nothing else.
static int add_file_actions(
    posix_spawn_file_actions_t *files, int socket, int memfd, int dev_null) {
    int code = 0;
    for (int stream = 0; stream < 3 && code == 0; stream++) {
        code = posix_spawn_file_actions_adddup2(files, dev_null, stream);
    }
    code = code ? code : posix_spawn_file_actions_adddup2(files, socket, EMB_WORKER_SOCKET);
    code = code ? code : posix_spawn_file_actions_adddup2(files, memfd, EMB_WORKER_MEMFD);
    return code ? code : posix_spawn_file_actions_addclosefrom_np(files, EMB_WORKER_MEMFD + 1);
}

int emb_worker_spawn(
    const char *program, const char *argument, const char *library_path, int socket, int memfd,
    int dev_null, pid_t *child) {
    // A toolchain in a private folder finds its libraries only through this variable.
    char libraries[4096] = "";
    if (library_path != NULL) {
        snprintf(libraries, sizeof(libraries), "LD_LIBRARY_PATH=%s", library_path);
    }
    char *arguments[] = {(char *)"emblem", (char *)argument, NULL};
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
        code = code ? code : add_file_actions(&files, socket, memfd, dev_null);
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

int emb_worker_pidfd(pid_t child) {
    // The kernel sets close-on-exec on a pidfd.
    return above_worker_descriptors((int)syscall(SYS_pidfd_open, child, 0));
}

int emb_worker_kill(pid_t child, int pidfd) {
    return pidfd < 0 ? kill(child, SIGKILL)
                     : (int)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
}

// A wait for the end of a process.
typedef struct end_wait {
    // Becomes readable when the process ends; -1 if there is no pidfd, or once it was readable.
    int pidfd;
    int milliseconds;
    struct timespec pause;
    // The nanoseconds of all pauses.
    long waited;
} end_wait;

static end_wait start_wait(int pidfd, int milliseconds) {
    return (end_wait){pidfd, milliseconds, {.tv_nsec = 100000}, 0};
}

// Waits until the pidfd reports the end. Without a pidfd it pauses, at first for 0.1 ms and later
// up to about 10 ms, since a killed process soon ends unless the kernel is stuck. Returns 0 once
// the time is over.
static int wait_again(end_wait *wait) {
    if (wait->waited / 1000000 >= wait->milliseconds) {
        return 0;
    }
    if (wait->pidfd >= 0) {
        struct pollfd poll_end = {.fd = wait->pidfd, .events = POLLIN};
        int ready = poll(&poll_end, 1, wait->milliseconds);
        if (ready < 0 && errno == EINTR) {
            return 1;
        }
        wait->pidfd = -1;
        return ready != 0;
    }
    nanosleep(&wait->pause, NULL);
    wait->waited += wait->pause.tv_nsec;
    if (wait->pause.tv_nsec < 10000000) {
        wait->pause.tv_nsec *= 2;
    }
    return 1;
}

void emb_worker_wait_for_end(pid_t child, int pidfd, int milliseconds) {
    end_wait wait = start_wait(pidfd, milliseconds);
    siginfo_t ended = {0};
    do {
        if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR) {
            return;
        }
    } while (ended.si_pid != child && wait_again(&wait));
}

int emb_worker_reap(pid_t child, int pidfd, int milliseconds) {
    end_wait wait = start_wait(pidfd, milliseconds);
    int status = 0;
    do {
        pid_t found = waitpid(child, &status, WNOHANG);
        if (found == child) {
            return status;
        }
        if (found < 0 && errno != EINTR) {
            return EMB_WORKER_GONE;
        }
    } while (wait_again(&wait));
    return -1;
}
