#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A worker is a process of our own in which pictures of strangers are decoded. Calls return 0 or a
// descriptor, or -1 with errno, unless they say otherwise.

// In the parent.

// Two connected sockets that keep messages apart; the first one never blocks.
int emb_worker_sockets(int ends[2]);

// Memory to be shared with a worker; neither side can make it smaller again, or start it as a
// program.
int emb_worker_region(size_t bytes);
int emb_worker_region_grow(int region, size_t bytes);

// Gives the pages from `from` up to `end` back to the system; they read as zeros afterwards.
int emb_worker_region_clear(int region, size_t from, size_t end);

// What a worker has for its standard streams: an open /dev/null.
int emb_worker_nothing(void);

// Starts `program` with `word` as its only argument: a session of its own, an almost empty
// environment, and no descriptor but the socket and the region. It dies with the calling thread.
int emb_worker_spawn(
    const char *program, const char *word, const char *library_path, int socket, int region,
    int nothing, pid_t *child);

// The same without a program: this process divides. In the new one, for which 0 is returned,
// arguments and environment are wiped and `nothing` stands for the streams; all else is inherited.
// To be called before the first thread and before anything secret was read.
pid_t emb_worker_fork(int nothing);

// Divides a process that came of that, which has a single thread: the newest one is a child of the
// same parent.
pid_t emb_worker_fork_sibling(void);

// A process that came of dividing keeps these descriptors beside its streams and no other, where
// workers have them.
void emb_worker_take_descriptors(int socket, int region);

// Where memory runs out, it goes before the run that it works for. Only while its memory is not
// hidden.
void emb_worker_become_first_fork(void);

// It waits until it is called over its socket; it ends where nobody will.
void emb_worker_await_wake(int socket);
void emb_worker_wake(int socket);

// It tells its number over its socket, since it was another process that made it.
void emb_worker_tell_number(void);

// Waits in the parent for that number; -1 where none comes, or none of a child.
pid_t emb_worker_meet(int socket, int milliseconds);

// The words that the process was started with, without making copies of them; they are there
// without /proc too.
int emb_argument_is(int index, const char *word);
int emb_argument_count(void);
const char *emb_argument(int index);

// A path that starts this program once more.
const char *emb_own_program(void);

// Other processes of the same user cannot look into this one any more, nor at the words and
// variables that it was started with.
int emb_hide_memory(void);

// An eventfd that wakes `emb_worker_watch_wait`.
int emb_worker_event(void);

// The sockets of workers and an eventfd that are waited for together, each by the number that it
// was added with. What others may have inherited stays until it is removed, closed or not. -1 with
// errno.
int emb_worker_watch(void);
int emb_worker_watch_add(int watch, int descriptor, uint64_t number);
int emb_worker_watch_remove(int watch, int descriptor);

// So many are told of at once.
enum { EMB_WORKER_WATCHED = 32 };

// The numbers of those that have something to read or are closed at the other end, and how many.
int emb_worker_watch_wait(int watch, uint64_t numbers[EMB_WORKER_WATCHED], int milliseconds);

// A call that the scheduler of Swift's tasks needs and that is refused, with errno; NULL for none.
const char *emb_refused_call(void);

// Waits for the end of a worker that was killed or has ended, but not for ever; its number stays
// its own until it is reaped. `handle` names it too, or is -1.
void emb_worker_await_end(pid_t child, int handle, int milliseconds);

// The same, and its wait status; -1 where it did not end, EMB_WORKER_GONE where somebody else in
// this process has waited for it.
enum { EMB_WORKER_GONE = -2 };
int emb_worker_reap(pid_t child, int handle, int milliseconds);

// A descriptor that names the process even when its number is used again; -1 where the kernel has
// none.
int emb_worker_handle(pid_t child);

// Kills the process that the descriptor names, or the number where there is no descriptor.
int emb_worker_kill(pid_t child, int handle);

// In the worker.

enum {
    EMB_WORKER_SOCKET = 3,
    EMB_WORKER_REGION = 4,
};

// The exit status of a worker that came to the end of its memory.
enum { EMB_WORKER_NO_MEMORY = 93 };

// How a process ends that nothing would end with its parent.
enum { EMB_WORKER_NOT_TIED = 95 };

// The most descriptors of a worker: its fonts, and a few.
enum { EMB_WORKER_FILES = 160 };

// What is in force.
enum {
    EMB_WORKER_SECCOMP = 1,
    EMB_WORKER_LANDLOCK = 2,
    EMB_WORKER_RLIMITS = 4,
    EMB_WORKER_NO_NEW_PRIVS = 8,
    // The process is not root's, or is not any more.
    EMB_WORKER_NOT_ROOT = 16,
};

// Ties the process to its parent and takes away what needs no list of files: privileges, files to
// write, many descriptors, dumps of memory. The flags of what is in force, -1 when the process was
// not started as a worker, -2 when nothing would end it with its parent.
int emb_worker_settle(void);

// Lets the process read the listed files (one a line) and nothing else, and make only those system
// calls that decoding needs. The flags of what is in force; why the filter of calls and Landlock
// are not, as an errno or 0.
int emb_worker_confine(const char *readable, int *filter_refusal, int *rules_refusal);

// The address space that may be taken at any time beyond what is mapped now.
int emb_worker_cap_memory(size_t bytes);

// The same for the work that comes next, within the cap.
int emb_worker_grant_memory(size_t bytes);

// A crash for lack of memory ends the process with EMB_WORKER_NO_MEMORY: it is told by `bytes`
// being more than the address space has left.
void emb_worker_tell_crashes(size_t bytes);

// The bytes of the heap in use; and what lies free in it goes back to the system.
size_t emb_worker_heap_use(void);
void emb_worker_heap_trim(void);

// The version of the rules on files that the kernel knows; 0 for none, with errno.
int emb_landlock_version(void);

// Why the kernel would take no filter of system calls: an errno, or 0 when it would.
int emb_seccomp_refusal(void);

// Helps of emb_worker_confine: 0, or -1 with errno.
int emb_worker_open_files(const char *readable);
int emb_worker_answer_opens(void);
int emb_landlock_confine(void);
int emb_seccomp_confine(void);

// A file that was opened, counted from 0; -1 behind the last.
int emb_worker_file(int index);
