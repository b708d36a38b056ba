#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A worker is a process of this program that decodes untrusted images. Functions return 0 or a
// descriptor, or -1 with errno, unless their comment says otherwise.

// Functions for the parent.

// Creates two connected sockets that preserve message boundaries; the first one never blocks.
int emb_worker_sockets(int ends[2]);

// Creates memory to share with a worker. Neither side can shrink it or execute it as a program.
int emb_worker_region(size_t bytes);
int emb_worker_region_grow(int region, size_t bytes);

// Returns the pages from `from` up to `end` to the system; they read as zeros afterwards.
int emb_worker_region_clear(int region, size_t from, size_t end);

int emb_worker_nothing(void);

// Starts `program` with `word` as its only argument, in a session of its own, with an almost empty
// environment and no descriptors but the socket and the region. The process dies with the calling
// thread.
int emb_worker_spawn(
    const char *program, const char *word, const char *library_path, int socket, int region,
    int nothing, pid_t *child);

// Forks this process instead of starting a program. Returns 0 in the new process, which has wiped
// its arguments and environment and uses `nothing` for the standard streams; it inherits everything
// else. Must be called before the first thread and before the process has read any secret.
pid_t emb_worker_fork(int nothing);

// Forks a single-threaded process that emb_worker_fork made. The new process is a child of the same
// parent.
pid_t emb_worker_fork_sibling(void);

// Moves these descriptors to the numbers that workers use and closes all others except the standard
// streams. For a forked process.
void emb_worker_take_descriptors(int socket, int region);

// Makes the kernel kill this process before the run if memory is exhausted. Works only while the
// memory of the process is not hidden.
void emb_worker_become_first_fork(void);

// Waits for a wake-up message on the socket; ends the process if the other end is closed.
void emb_worker_await_wake(int socket);
void emb_worker_wake(int socket);

// Sends the process id over the socket, since another process made this one.
void emb_worker_tell_number(void);

// Waits in the parent for that process id; returns -1 if none arrives, or not that of a child.
pid_t emb_worker_meet(int socket, int milliseconds);

// Compares an argument of the program without a copy; works without /proc too.
int emb_argument_is(int index, const char *word);
int emb_argument_count(void);
const char *emb_argument(int index);

// Returns a path that starts this program again.
const char *emb_own_program(void);

// Prevents other processes of the same user from reading the memory, arguments and environment of
// this process.
int emb_hide_memory(void);

// Creates an eventfd that wakes `emb_worker_watch_wait`.
int emb_worker_event(void);

// Watches the sockets of workers and an eventfd together, each by the number that it was added
// with. A descriptor must be removed explicitly, because a forked process may still hold a closed
// one. Returns -1 with errno on failure.
int emb_worker_watch(void);
int emb_worker_watch_add(int watch, int descriptor, uint64_t number);
int emb_worker_watch_remove(int watch, int descriptor);

enum { EMB_WORKER_WATCHED = 32 };

// Stores the numbers of the descriptors that are readable or closed at the other end; returns their
// count.
int emb_worker_watch_wait(int watch, uint64_t numbers[EMB_WORKER_WATCHED], int milliseconds);

// Returns the name of a refused system call that the Swift runtime needs, with errno; NULL if none
// is.
const char *emb_refused_call(void);

// Waits, up to the limit, until a worker that was killed or has ended is gone. Its process id stays
// valid until it is reaped. `handle` is its pidfd, or -1.
void emb_worker_await_end(pid_t child, int handle, int milliseconds);

// Waits in the same way, reaps the worker and returns its wait status. Returns -1 if it did not
// end, EMB_WORKER_GONE if other code in this process has reaped it.
enum { EMB_WORKER_GONE = -2 };
int emb_worker_reap(pid_t child, int handle, int milliseconds);

// Returns a pidfd, which stays valid when the process id is reused; -1 if the kernel has none.
int emb_worker_handle(pid_t child);

// Kills the process by its pidfd, or by its process id without one.
int emb_worker_kill(pid_t child, int handle);

// Functions for the worker.

enum {
    EMB_WORKER_SOCKET = 3,
    EMB_WORKER_REGION = 4,
};

enum { EMB_WORKER_NO_MEMORY = 93 };

// The exit status of a process that cannot be made to die with its parent.
enum { EMB_WORKER_NOT_TIED = 95 };

enum { EMB_WORKER_FILES = 160 };

enum {
    EMB_WORKER_SECCOMP = 1,
    EMB_WORKER_LANDLOCK = 2,
    EMB_WORKER_RLIMITS = 4,
    EMB_WORKER_NO_NEW_PRIVS = 8,
    // The process does not run as root, or does not any more.
    EMB_WORKER_NOT_ROOT = 16,
};

// Ties the process to its parent and applies the restrictions that need no list of files:
// privileges, written files, descriptors and memory dumps. Returns flags of the active confinement,
// -1 if the process was not started as a worker, or -2 if it cannot be made to die with its parent.
int emb_worker_settle(void);

// Restricts the process to reading the listed files (one a line) and to the system calls that
// decoding needs. Returns flags of the active confinement. Stores the reasons why the filter and
// Landlock are not active, each as an errno or 0.
int emb_worker_confine(const char *readable, int *filter_refusal, int *rules_refusal);

// Caps the address space that the process may ever map beyond the present use.
int emb_worker_cap_memory(size_t bytes);

// Limits the address space for the next work, within that cap.
int emb_worker_grant_memory(size_t bytes);

// Makes a crash end the process with EMB_WORKER_NO_MEMORY if less than `bytes` of address space are
// left, so that crashes for lack of memory can be told apart.
void emb_worker_tell_crashes(size_t bytes);

// The first returns the bytes of the heap in use; the second returns free heap memory to the
// system.
size_t emb_worker_heap_use(void);
void emb_worker_heap_trim(void);

// Returns the version of Landlock that the kernel supports; 0 for none, with errno.
int emb_landlock_version(void);

// Returns the errno with which the kernel would refuse a filter of system calls; 0 if it would not.
int emb_seccomp_refusal(void);

// Helpers of emb_worker_confine, which return 0, or -1 with errno.
int emb_worker_open_files(const char *readable);
int emb_worker_answer_opens(void);
int emb_landlock_confine(void);
int emb_seccomp_confine(void);

// Returns the descriptor of an opened file by its index from 0; -1 after the last one.
int emb_worker_file(int index);
