#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"
#include "emb_system.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

// The descriptor of /proc/self/statm, opened while the filter still permits opening.
static int statm = -1;

static int set_limit(int resource, rlim_t most) {
    struct rlimit value = {most, most};
    return setrlimit(resource, &value);
}

// Drops all capabilities. If the system call fails, the process keeps them.
static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    syscall(SYS_capset, &header, none);
}

// Root can read the files that it owns without any capability, so the worker changes to the user
// with this id. In a namespace without that user it stays root without capabilities.
enum { NOBODY_ID = 65534 };

// Returns whether the process does not run as root, or does not any more.
static int leave_root_user(void) {
    if (geteuid() != 0 && getuid() != 0) {
        return 1;
    }
    return setgroups(0, NULL) == 0 && setresgid(NOBODY_ID, NOBODY_ID, NOBODY_ID) == 0 &&
        setresuid(NOBODY_ID, NOBODY_ID, NOBODY_ID) == 0;
}

// Raising the score needs no privilege.
void emb_worker_raise_oom_score(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t count = write(file, "1000", 4);
        (void)count;
        close(file);
    }
}

int emb_worker_drop_privileges(void) {
    struct ucred peer;
    socklen_t length = sizeof(peer);
    if (getsockopt(EMB_WORKER_SOCKET, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
        return -1;
    }
    int flags = 0;
    // The limit must be set before the user changes, because only root may raise it.
    int files = set_limit(RLIMIT_NOFILE, EMB_WORKER_DESCRIPTORS_LIMIT);
    emb_worker_raise_oom_score();
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (leave_root_user()) {
        flags |= EMB_WORKER_NOT_ROOT;
    }
    drop_capabilities();
    // A change of user clears this setting. The parent may have ended before the call, so its
    // process id is checked next.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
        return -2;
    }
    if (getppid() != peer.pid) {
        return -1;
    }
    // Signals for the whole process group are handled by the parent.
    int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ};
    for (size_t index = 0; index < sizeof(signals) / sizeof(signals[0]); index++) {
        signal(signals[index], SIG_IGN);
    }
    if (chdir("/") != 0) {
        return -1;
    }
    mallopt(M_ARENA_MAX, 1);
    emb_keep_memory();
    if (set_limit(RLIMIT_CORE, 0) == 0 && set_limit(RLIMIT_FSIZE, 0) == 0 && files == 0) {
        flags |= EMB_WORKER_RLIMITS;
    }
    prctl(PR_SET_DUMPABLE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        flags |= EMB_WORKER_NO_NEW_PRIVS;
    }
    return flags;
}

int emb_worker_confine(const char *readable, int *seccomp_errno, int *landlock_errno) {
    int flags = 0;
    *seccomp_errno = 0;
    *landlock_errno = 0;
    if (emb_worker_open_files(readable) != 0) {
        *seccomp_errno = errno;
        return 0;
    }
    if (emb_landlock_confine() == 0) {
        flags |= EMB_WORKER_LANDLOCK;
    } else {
        *landlock_errno = errno;
    }
    if (emb_seccomp_confine() == 0) {
        flags |= EMB_WORKER_SECCOMP;
    } else {
        *seccomp_errno = errno;
    }
    return flags;
}

// An upper bound for the program and its libraries, if the kernel does not report the use.
static const size_t assumed_bytes = 512 << 20;

// Returns the address space in use.
static size_t mapped_bytes(void) {
    char text[64];
    ssize_t count = statm < 0 ? -1 : pread(statm, text, sizeof(text) - 1, 0);
    if (count <= 0) {
        return assumed_bytes;
    }
    text[count] = 0;
    return (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

// Limits the address space to the current use plus `bytes`.
static int limit_memory(size_t bytes, int is_hard) {
#ifdef SANITIZED
    // A sanitizer maps terabytes of shadow memory.
    (void)bytes;
    (void)is_hard;
    (void)mapped_bytes;
    return 0;
#else
    size_t now = mapped_bytes();
    struct rlimit value;
    if (getrlimit(RLIMIT_AS, &value) != 0) {
        return -1;
    }
    rlim_t most = bytes > SIZE_MAX / 2 - now ? RLIM_INFINITY : (rlim_t)(now + bytes);
    value.rlim_cur = most < value.rlim_max ? most : value.rlim_max;
    if (is_hard) {
        value.rlim_max = value.rlim_cur;
    }
    return setrlimit(RLIMIT_AS, &value);
#endif
}

int emb_worker_cap_memory(size_t bytes) {
    return limit_memory(bytes, 1);
}

int emb_worker_grant_memory(size_t bytes) {
    return limit_memory(bytes, 0);
}

static size_t probe_bytes;

// Exits with EMB_WORKER_NO_MEMORY if the crash was for lack of address space: `probe_bytes` cannot
// be mapped then.
static void handle_crash(int number) {
    void *probe = mmap(NULL, probe_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) {
        _exit(EMB_WORKER_NO_MEMORY);
    }
    // The signal is delivered after this function returns, with its default action.
    signal(number, SIG_DFL);
    raise(number);
}

void emb_worker_install_crash_handler(size_t bytes) {
#ifdef SANITIZED
    (void)bytes;
    (void)handle_crash;
#else
    // After a stack overflow the handler needs a separate stack.
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
    sigaltstack(&other, NULL);
    probe_bytes = bytes;
    struct sigaction action = {.sa_handler = handle_crash, .sa_flags = SA_ONSTACK};
    int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    for (size_t index = 0; index < sizeof(signals) / sizeof(signals[0]); index++) {
        sigaction(signals[index], &action, NULL);
    }
#endif
}

size_t emb_worker_heap_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

void emb_worker_heap_trim(void) {
    malloc_trim(0);
}
