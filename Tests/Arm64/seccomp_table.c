// Prints the results of the workers' system call filter for each system call by name: with every
// argument zero, with all bits set, and for another architecture. On ARM, where the calls have
// other numbers, the results must be those of x86-64, on which the tests of workers run the filter.
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sock_fprog installed;
static struct sock_filter code[512];

// Takes the place of the system call that installs the filter.
static long capture(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    (void)va_arg(arguments, int);
    (void)va_arg(arguments, int);
    installed = *va_arg(arguments, struct sock_fprog *);
    va_end(arguments);
    memcpy(code, installed.filter, installed.len * sizeof(code[0]));
    return number == SYS_seccomp ? 0 : -1;
}

#define syscall capture
#include "../../Sources/CSandbox/seccomp.c"
#undef syscall

int emb_worker_install_open_handler(void) {
    return 0;
}

// Runs the filter as the kernel does; it uses five instructions.
static unsigned answer(const struct seccomp_data *call) {
    unsigned value = 0;
    for (unsigned short at = 0; at < installed.len; at++) {
        struct sock_filter now = code[at];
        switch (now.code) {
        case BPF_LD | BPF_W | BPF_ABS:
            memcpy(&value, (const char *)call + now.k, sizeof value);
            break;
        case BPF_JMP | BPF_JEQ | BPF_K:
            at += value == now.k ? now.jt : now.jf;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            at += value >= now.k ? now.jt : now.jf;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            at += value & now.k ? now.jt : now.jf;
            break;
        case BPF_RET | BPF_K:
            return now.k;
        default:
            return 1;
        }
    }
    return 1;
}

static void print_answers(const char *name, int number) {
    struct seccomp_data call = {.nr = number, .arch = ARCHITECTURE};
    unsigned zeros = answer(&call);
    memset(call.args, 0xFF, sizeof call.args);
    unsigned ones = answer(&call);
    call.arch = AUDIT_ARCH_ARM;
    printf("%s %08x %08x %08x\n", name, zeros, ones, answer(&call));
}

int main(void) {
    if (emb_seccomp_confine() != 0 || installed.len == 0) {
        return 1;
    }
#define CALL(name) print_answers(#name, SYS_##name);
#include "calls.inc"
    return 0;
}
