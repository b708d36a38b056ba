#pragma once

#include <sys/types.h>

// How a program ended and what it took, those of its children included that it waited for.
typedef struct emb_program_end {
    // As a shell tells it: 128 and the number of the signal for one that was killed.
    int code;
    double user_seconds;
    double system_seconds;
    // Of the largest of its processes.
    long peak_kilobytes;
} emb_program_end;

// Starts a program with this process's environment, in a process group of its own, with signals as
// the system gives them and nothing on standard input; what it prints goes to `output`. `words` are
// its arguments, the program's own name first, each ended by a zero byte. Returns 0 or an errno.
int emb_program_start(const char *program, const char *words, int count, int output, pid_t *child);

// Waits until the child has ended, and leaves it to be collected. Returns 0 or an errno.
int emb_program_await(pid_t child);

// Collects a child that has ended. Returns 0 or an errno.
int emb_program_collect(pid_t child, emb_program_end *end);
