#pragma once

#include <sys/types.h>

// The exit code of a program and the resources that it and the children it waited for have used.
typedef struct emb_program_end {
    // The exit code in the form of a shell: 128 plus the signal number for a killed process.
    int code;
    double user_seconds;
    double system_seconds;
    // The peak memory of the largest of these processes.
    long peak_kilobytes;
} emb_program_end;

// Starts a program in its own process group with this process's environment, default signal actions
// and empty standard input; its output goes to `output`. `words` are the arguments, the program's
// name first, each terminated by a zero byte. Returns 0 or an errno.
int emb_program_start(const char *program, const char *words, int count, int output, pid_t *child);

// Waits until the child has terminated, without reaping it. Returns 0 or an errno.
int emb_program_await(pid_t child);

// Reaps a terminated child. Returns 0 or an errno.
int emb_program_collect(pid_t child, emb_program_end *end);
