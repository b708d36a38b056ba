#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CSandbox.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The filter has been checked for the system calls of x86-64 and 64-bit ARM only."
#endif

// A BPF program under construction. Instructions that do not fit set a flag, and the whole filter
// is refused.
typedef struct program {
    struct sock_filter code[512];
    unsigned short length;
    int overflow;
} program;

// Adds an instruction. A jump skips `if_true` instructions if its condition holds, else `if_false`.
static void emit(
    program *filter, unsigned short code, unsigned char if_true, unsigned char if_false,
    unsigned value) {
    if (filter->length == sizeof(filter->code) / sizeof(filter->code[0])) {
        filter->overflow = 1;
        return;
    }
    filter->code[filter->length++] = (struct sock_filter){code, if_true, if_false, value};
}

// Loads a word of struct seccomp_data.
static void load(program *filter, size_t offset) {
    emit(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)offset);
}

static void load_argument(program *filter, int index) {
    // The lower half of the argument; both supported architectures are little-endian.
    load(filter, offsetof(struct seccomp_data, args) + (size_t)index * 8);
}

// Adds the instruction that ends the filter with `value`.
static void ret(program *filter, unsigned value) {
    emit(filter, BPF_RET | BPF_K, 0, 0, value);
}

static const unsigned ALLOW = SECCOMP_RET_ALLOW;
static const unsigned KILL = SECCOMP_RET_KILL_PROCESS;

// Returns the filter result that makes a system call fail with this errno.
static unsigned refuse(int code) {
    return SECCOMP_RET_ERRNO | ((unsigned)code & SECCOMP_RET_DATA);
}

// Adds the rule that the filter returns `value` for the system call `call`.
static void rule(program *filter, long call, unsigned value) {
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (unsigned)call);
    ret(filter, value);
}

static void rules(program *filter, const int *calls, size_t count, unsigned value) {
    for (size_t index = 0; index < count; index++) {
        rule(filter, calls[index], value);
    }
}

// Adds the rule that the filter returns `if_true` for `call` if the argument has any of the bits,
// else `if_false`.
static void rule_bits(
    program *filter, long call, int argument, unsigned bits, unsigned if_true, unsigned if_false) {
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)call);
    load_argument(filter, argument);
    emit(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
    ret(filter, if_true);
    ret(filter, if_false);
}

// Adds the rule that the filter returns `if_true` for `call` if the argument has this value, else
// `if_false`.
static void rule_value(
    program *filter, long call, int argument, unsigned value, unsigned if_true, unsigned if_false) {
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (unsigned)call);
    load_argument(filter, argument);
    emit(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
    ret(filter, if_true);
    ret(filter, if_false);
}

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

// The system calls that decoding needs, with any arguments.
static const int allowed_calls[] = {
    SYS_read,
    SYS_write,
    SYS_futex,
    SYS_munmap,
    SYS_madvise,
    SYS_brk,
    SYS_mremap,
    SYS_close,
    SYS_dup,
    SYS_lseek,
    SYS_pread64,
    SYS_readv,
    SYS_writev,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_getdents64,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getrandom,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_getcpu,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrlimit,
    SYS_setrlimit,
    SYS_ppoll,
    SYS_exit,
    SYS_exit_group,
    SYS_restart_syscall,
    SYS_set_tid_address,
#ifdef __x86_64__
    SYS_poll,
    SYS_time,
    SYS_stat,
    SYS_lstat,
    SYS_access,
#endif
};

// The system calls that no decoder uses, which kill the process.
static const int killed_calls[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_unlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_ftruncate,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_setuid,
    SYS_setgid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_capset,
    SYS_userfaultfd,
    SYS_open_by_handle_at,
    SYS_kcmp,
    SYS_personality,
    SYS_io_uring_setup,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_pidfd_getfd,
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_unlink,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
};

enum {
    WRITE_FLAGS = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)
};

// Adds rules for the system calls that are allowed only with certain arguments.
static void add_argument_rules(program *filter) {
    // All libraries are loaded, so new executable memory is not needed.
    rule_bits(filter, SYS_mmap, 2, PROT_EXEC, KILL, ALLOW);
    rule_bits(filter, SYS_mprotect, 2, PROT_EXEC, KILL, ALLOW);
    // Threads are allowed, processes are not. The flags of clone3 are in memory that a filter
    // cannot read; after ENOSYS the C library falls back to clone.
    rule_bits(filter, SYS_clone, 0, CLONE_THREAD, ALLOW, KILL);
    rule(filter, SYS_clone3, refuse(ENOSYS));
    // The kernel opens no file. The call raises SIGSYS, whose handler supplies the result
    // (files.c).
    rule_bits(filter, SYS_openat, 2, WRITE_FLAGS, KILL, SECCOMP_RET_TRAP);
#ifdef __x86_64__
    rule_bits(filter, SYS_open, 1, WRITE_FLAGS, KILL, SECCOMP_RET_TRAP);
#endif
    // abort() sends a signal to the process itself.
    rule_value(filter, SYS_tgkill, 0, (unsigned)getpid(), ALLOW, KILL);
    rule_value(filter, SYS_prlimit64, 0, 0, ALLOW, KILL);
    rule_value(filter, SYS_prctl, 0, PR_SET_NAME, ALLOW, refuse(EPERM));
    rule_value(filter, SYS_fcntl, 1, F_GETFL, ALLOW, refuse(EPERM));
    rule(filter, SYS_ioctl, refuse(ENOTTY));
    rule(filter, SYS_readlinkat, refuse(EACCES));
#ifdef __x86_64__
    rule(filter, SYS_readlink, refuse(EACCES));
#endif
}

int emb_seccomp_refusal(void) {
    // A null filter: EFAULT means that the kernel would accept a valid one.
    long outcome = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
    return outcome == 0 || errno == EFAULT ? 0 : errno;
}

int emb_seccomp_confine(void) {
    program filter = {.length = 0};
    load(&filter, offsetof(struct seccomp_data, arch));
    emit(&filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
    ret(&filter, KILL);
    load(&filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The x32 ABI uses other numbers for its calls.
    emit(&filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
    ret(&filter, KILL);
#endif
    rules(&filter, allowed_calls, COUNT(allowed_calls), ALLOW);
    add_argument_rules(&filter);
    rules(&filter, killed_calls, COUNT(killed_calls), KILL);
    // Libraries make other calls only to find out whether the kernel has a feature.
    ret(&filter, refuse(ENOSYS));
    if (filter.overflow) {
        errno = E2BIG;
        return -1;
    }
    if (emb_worker_install_open_handler() != 0) {
        return -1;
    }
    struct sock_fprog fprog = {filter.length, filter.code};
    long outcome = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &fprog);
    // With TSYNC, a positive result is the id of a thread with a different filter; errno is not
    // set.
    errno = outcome > 0 ? ESRCH : errno;
    return outcome == 0 ? 0 : -1;
}
