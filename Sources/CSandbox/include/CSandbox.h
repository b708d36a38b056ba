#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A worker is a process of this program that decodes untrusted images. Functions return 0 or a
// descriptor, or -1 with errno, unless their comment says otherwise.

// ---- The parent

// Creates two connected sockets that preserve message boundaries; the first one never blocks.
int emb_worker_socketpair(int ends[2]);

// Creates memory to share with a worker (a memfd). Neither side can shrink it or execute it as a
// program.
int emb_worker_memfd(size_t bytes);
int emb_worker_memfd_grow(int memfd, size_t bytes);

// Returns the pages from `from` up to `end` to the system; they read as zeros afterwards.
int emb_worker_memfd_punch(int memfd, size_t from, size_t end);

// Opens /dev/null for the standard streams of a worker.
int emb_open_dev_null(void);

// Starts `program` with a single argument, in a new session, with an almost empty environment and
// no descriptors but the socket and the memfd. The process dies with the calling thread.
int emb_worker_spawn(
    const char *program, const char *argument, const char *library_path, int socket, int memfd,
    int dev_null, pid_t *child);

// ---- The fork server
//
// Forking is cheaper than starting a program, but safe only at startup. The parent therefore forks
// once; this first fork, the fork server, loads the libraries and forks the other workers:
//
//     parent                       fork server                    other worker
//
//     emb_worker_fork
//     emb_fork_server_wake ------> emb_fork_server_wait (optional)
//                                  loads the libraries
//                                  emb_worker_fork_sibling -----> emb_worker_place_descriptors
//     emb_worker_receive_pid <----------------------------------- emb_worker_send_pid
//                                  emb_worker_place_descriptors
//
// The parent creates a socket pair and a memfd for each worker before the fork.

// Forks this process. Returns 0 in the new process, which has wiped its arguments and environment
// and uses `dev_null` for the standard streams; it inherits everything else. Must be called before
// the first thread and before the process has read any secret.
pid_t emb_worker_fork(int dev_null);

// Forks another worker from the fork server, which has a single thread. The new process is a child
// of the same parent as the fork server.
pid_t emb_worker_fork_sibling(void);

// Moves these descriptors to the numbers that workers use and closes all others except the standard
// streams. For a forked process.
void emb_worker_place_descriptors(int socket, int memfd);

// Waits for a wake-up message on the socket; ends the process if the other end is closed.
void emb_fork_server_wait(int socket);
void emb_fork_server_wake(int socket);

// Sends the process id to the parent, since the fork server made this process.
void emb_worker_send_pid(void);

// Waits in the parent for the process id from emb_worker_send_pid. Returns -1 if none arrives, or
// if it is not that of a child.
pid_t emb_worker_receive_pid(int socket, int milliseconds);

// ---- This program

// Compares an argument of the program without a copy; works without /proc too.
int emb_argument_is(int index, const char *argument);
int emb_argument_count(void);
const char *emb_argument(int index);

// Returns a path that starts this program again.
const char *emb_own_program(void);

// Prevents other processes of the same user from reading the memory, arguments and environment of
// this process.
int emb_hide_memory(void);

// Returns the name of a refused system call that the Swift runtime needs, with errno; NULL if none
// is.
const char *emb_refused_system_call(void);

// ---- Waiting for workers

// Creates an eventfd that wakes `emb_worker_epoll_wait`.
int emb_worker_eventfd(void);

// Watches the sockets of workers and an eventfd together, each by the number that it was added
// with. A descriptor must be removed explicitly, because a forked process may still hold a closed
// one. Returns -1 with errno on failure.
int emb_worker_epoll(void);
int emb_worker_epoll_add(int epoll, int descriptor, uint64_t number);
int emb_worker_epoll_remove(int epoll, int descriptor);

enum { EMB_WORKER_EPOLL_EVENTS = 32 };

// Stores the numbers of the descriptors that are readable or closed at the other end; returns their
// count.
int emb_worker_epoll_wait(int epoll, uint64_t numbers[EMB_WORKER_EPOLL_EVENTS], int milliseconds);

// Returns a pidfd, which stays valid when the process id is reused; -1 if the kernel has none.
int emb_worker_pidfd(pid_t child);

// Kills the process by its pidfd, or by its process id without one.
int emb_worker_kill(pid_t child, int pidfd);

// Waits, up to the limit, until a worker that was killed or has ended is gone. Its process id stays
// valid until it is reaped. `pidfd` may be -1.
void emb_worker_wait_for_end(pid_t child, int pidfd, int milliseconds);

// Waits like emb_worker_wait_for_end, reaps the worker and returns its wait status. Returns -1 if
// it did not end, EMB_WORKER_GONE if other code in this process has reaped it.
enum { EMB_WORKER_GONE = -2 };
int emb_worker_reap(pid_t child, int pidfd, int milliseconds);

// ---- The worker

// The descriptors that a worker has besides the standard streams.
enum {
    EMB_WORKER_SOCKET = 3,
    EMB_WORKER_MEMFD = 4,
};

// The exit status of a worker whose address space was exhausted.
enum { EMB_WORKER_NO_MEMORY = 93 };

// The exit status of a process that cannot be made to die with its parent (PR_SET_PDEATHSIG).
enum { EMB_WORKER_NO_PDEATHSIG = 95 };

enum { EMB_WORKER_DESCRIPTORS_LIMIT = 160 };

// The flags of the active confinement.
enum {
    EMB_WORKER_SECCOMP = 1,
    EMB_WORKER_LANDLOCK = 2,
    EMB_WORKER_RLIMITS = 4,
    EMB_WORKER_NO_NEW_PRIVS = 8,
    // The process does not run as root, or does not any more.
    EMB_WORKER_NOT_ROOT = 16,
};

// Makes the process die with its parent and applies the restrictions that need no list of files:
// privileges, written files, descriptors and memory dumps. Returns flags of the active confinement,
// -1 if the process was not started as a worker, or -2 if it cannot be made to die with its parent.
int emb_worker_drop_privileges(void);

// Restricts the process to reading the listed files (one a line) and to the system calls that
// decoding needs. Returns flags of the active confinement. Stores the reasons why the seccomp
// filter and Landlock are not active, each as an errno or 0.
int emb_worker_confine(const char *readable, int *seccomp_errno, int *landlock_errno);

// Makes the kernel kill this process before the parent if memory is exhausted (oom_score_adj).
// Works only while the memory of the process is not hidden.
void emb_worker_raise_oom_score(void);

// Caps the address space of the process permanently at the current use plus `bytes` (hard
// RLIMIT_AS).
int emb_worker_cap_memory(size_t bytes);

// Limits the address space for the next request to the current use plus `bytes`, within the cap
// (soft RLIMIT_AS).
int emb_worker_grant_memory(size_t bytes);

// Makes a crash end the process with EMB_WORKER_NO_MEMORY if less than `bytes` of address space are
// left, so that the parent can distinguish it from other crashes.
void emb_worker_install_crash_handler(size_t bytes);

// Returns the bytes of the heap in use.
size_t emb_worker_heap_use(void);
// Returns free heap memory to the system.
void emb_worker_heap_trim(void);

// Returns the version of Landlock that the kernel supports; 0 for none, with errno.
int emb_landlock_version(void);

// Returns the errno with which the kernel would refuse a seccomp filter; 0 if it would not.
int emb_seccomp_refusal(void);

// ---- The steps of emb_worker_confine; they return 0, or -1 with errno.

int emb_worker_open_files(const char *readable);
int emb_worker_install_open_handler(void);
int emb_landlock_confine(void);
int emb_seccomp_confine(void);

// Returns the descriptor of an opened file by its index from 0; -1 after the last one.
int emb_worker_file(int index);
