// Runs a program under a kernel that refuses calls: `Refuser CALL=ERRNO… -- PROGRAM ARGUMENT…`.
//
// CALL is the name of a system call in the table below, and ERRNO a name or a number. The call then
// fails with that error, in the program and its children. `filter` refuses to install a seccomp
// filter, and `sibling` refuses clone with CLONE_PARENT. `proc` hides /proc (root only).
// `nofile:N`, `as:MB` and `nproc:N` limit descriptors, address space and processes. `cgroup:DIR`
// joins a control group. `user:N` runs the program as another user, who need not be able to find
// its file. Exits with 125 if a request is impossible.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CANNOT = 125 };

static const struct {
    const char *name;
    int number;
} calls[] = {
    {"seccomp", SYS_seccomp},
    {"landlock_create_ruleset", 444},
    {"landlock_add_rule", 445},
    {"landlock_restrict_self", 446},
    {"memfd_create", SYS_memfd_create},
    {"socketpair", SYS_socketpair},
    {"eventfd2", SYS_eventfd2},
    {"epoll_create1", SYS_epoll_create1},
    {"epoll_ctl", SYS_epoll_ctl},
// The C library uses the older calls on architectures that have them.
#ifdef SYS_epoll_wait
    {"epoll_wait", SYS_epoll_wait},
    {"poll", SYS_poll},
#else
    {"epoll_wait", SYS_epoll_pwait},
    {"poll", SYS_ppoll},
#endif
    {"getrandom", SYS_getrandom},
    {"prctl", SYS_prctl},
    {"capset", SYS_capset},
    {"setresuid", SYS_setresuid},
    {"setgroups", SYS_setgroups},
    {"unshare", SYS_unshare},
    {"clone", SYS_clone},
    {"clone3", SYS_clone3},
#ifdef SYS_fork
    {"fork", SYS_fork},
    {"vfork", SYS_vfork},
#endif
};

static const struct {
    const char *name;
    int number;
} reasons[] = {{"EPERM", EPERM}, {"ENOSYS", ENOSYS}, {"EACCES", EACCES}, {"EINVAL", EINVAL}};

static int fail(const char *what) {
    fprintf(stderr, "Refuser: %s: %s\n", what, strerror(errno));
    return CANNOT;
}

// The filter program: loads the call number, then one comparison per refused call.
static struct sock_filter code[2 * 32 + 2];
static unsigned short length;

static void emit(unsigned short what, unsigned char yes, unsigned char no, unsigned value) {
    code[length++] = (struct sock_filter){what, yes, no, value};
}

static int refuse(const char *word) {
    const char *equal = strchr(word, '=');
    if (equal == NULL || length + 6U > sizeof(code) / sizeof(code[0])) {
        return -1;
    }
    int number = -1;
    for (size_t index = 0; index < sizeof(calls) / sizeof(calls[0]); index++) {
        size_t count = strlen(calls[index].name);
        if (count == (size_t)(equal - word) && memcmp(word, calls[index].name, count) == 0) {
            number = calls[index].number;
        }
    }
    int reason = -1;
    int is_filter = strncmp(word, "filter=", 7) == 0;
    int is_sibling = strncmp(word, "sibling=", 8) == 0;
    for (size_t index = 0; index < sizeof(reasons) / sizeof(reasons[0]); index++) {
        if (strcmp(equal + 1, reasons[index].name) == 0) {
            reason = reasons[index].number;
        }
    }
    if (reason < 0) {
        return -1;
    }
    if (is_filter) {
        // Only calls with the TSYNC flag are refused. Installing a filter sets this flag; a query
        // for support does not.
        emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_seccomp);
        emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args) + 8);
        emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SECCOMP_FILTER_FLAG_TSYNC);
        emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)reason);
        emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
        return 0;
    }
    if (is_sibling) {
        emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_clone);
        emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args));
        emit(BPF_JMP | BPF_JSET | BPF_K, 0, 1, CLONE_PARENT);
        emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)reason);
        emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
        return 0;
    }
    if (number < 0) {
        return -1;
    }
    emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)number);
    emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | (unsigned)reason);
    return 0;
}

static int limit(int what, long most) {
    struct rlimit value = {(rlim_t)most, (rlim_t)most};
    return setrlimit(what, &value);
}

// Mounts an empty folder over a path, for this process and its children.
static int hide(const char *path) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return -1;
    }
    return mount("none", path, "tmpfs", 0, "size=4k,mode=755");
}

// Mounts a file over a path that cannot be opened, even by root.
static int shut(const char *path) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return -1;
    }
    char name[] = "/tmp/refuser-XXXXXX";
    int file = mkstemp(name);
    if (file < 0) {
        return -1;
    }
    // A device node on a file system mounted with nodev cannot be opened even by root.
    close(file);
    unlink(name);
    if (mkdtemp(strcpy(name, "/tmp/refuser-XXXXXX")) == NULL ||
        mount("none", name, "tmpfs", MS_NODEV, "size=4k") != 0) {
        return -1;
    }
    char device[64];
    snprintf(device, sizeof(device), "%s/shut", name);
    if (mknod(device, S_IFCHR | 0666, 0x103) != 0 ||
        mount(device, path, NULL, MS_BIND, NULL) != 0) {
        return -1;
    }
    umount2(name, MNT_DETACH);
    rmdir(name);
    return 0;
}

static int join(const char *group) {
    char path[512];
    snprintf(path, sizeof(path), "%s/cgroup.procs", group);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return -1;
    }
    fprintf(file, "%d\n", (int)getpid());
    return fclose(file);
}

// The user of the program; 0 keeps root.
static uid_t user;

static int change_user(void) {
    return setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
        setresuid(user, user, user) != 0;
}

static int obey(const char *word) {
    if (strcmp(word, "proc") == 0) {
        return hide("/proc");
    }
    if (strcmp(word, "null") == 0) {
        return shut("/dev/null");
    }
    if (strncmp(word, "nofile:", 7) == 0) {
        return limit(RLIMIT_NOFILE, atol(word + 7));
    }
    if (strncmp(word, "as:", 3) == 0) {
        return limit(RLIMIT_AS, atol(word + 3) << 20);
    }
    if (strncmp(word, "nproc:", 6) == 0) {
        return limit(RLIMIT_NPROC, atol(word + 6));
    }
    if (strncmp(word, "cgroup:", 7) == 0) {
        return join(word + 7);
    }
    if (strncmp(word, "user:", 5) == 0) {
        user = (uid_t)atol(word + 5);
        return 0;
    }
    errno = EINVAL;
    return refuse(word);
}

int main(int count, char **words) {
    int index = 1;
    emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
    for (; index < count && strcmp(words[index], "--") != 0; index++) {
        if (obey(words[index]) != 0) {
            return fail(words[index]);
        }
    }
    if (index + 1 >= count) {
        errno = EINVAL;
        return fail("no program");
    }
    if (length > 1) {
        emit(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
        struct sock_fprog filter = {length, code};
        // Installed as root, so that the program can still change its user.
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0 &&
            (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
             syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0)) {
            return fail("seccomp");
        }
    }
    if (user == 0) {
        execv(words[index + 1], words + index + 1);
        return fail(words[index + 1]);
    }
    // Opened first, because the other user may lack access to the folders of the path.
    int program = open(words[index + 1], O_PATH | O_CLOEXEC);
    if (program < 0 || change_user() != 0) {
        return fail("user");
    }
    fexecve(program, words + index + 1, environ);
    return fail(words[index + 1]);
}
