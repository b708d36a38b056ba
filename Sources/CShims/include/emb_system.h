#pragma once

#include <semaphore.h>

// Calls syncfs, which waits until the file system of `descriptor` is on disk. The C library
// declares it for GNU sources only, which Swift does not define. Returns 0, or -1 with errno.
int emb_syncfs(int descriptor);

// Makes the heap keep released memory for the next picture.
void emb_keep_memory(void);

// Starts (1) or stops (0) filling memory from malloc with zeros, because some libraries draw with
// uninitialised memory. Nested calls are counted.
void emb_zero_new_memory(int begins);

// Sets English as the language of the process, as workers do. Otherwise librsvg and Pango would
// choose parts of a drawing and forms of letters by the language of the user. Call while the
// process has one thread.
void emb_settle_language(void);

// Returns whether a signal is ignored, for example because the parent requested it.
int emb_signal_is_ignored(int number);
// Makes a signal end the process at once with exit code 128 plus its number.
void emb_exit_on_signal(int number);

// Names the calling thread for tools such as `top -H`; a name longer than 15 bytes is rejected.
void emb_name_thread(const char *name);

// Returns the processor of the calling thread, or -1 if it is unknown.
int emb_processor(void);

// Moves the calling thread away from the processor `busy`; it may come back later. The scheduler
// often makes a new thread or process wait some milliseconds for its parent's processor while
// another one is idle.
void emb_leave_processor(int busy);
// Waits for the semaphore for at most this many milliseconds; returns whether it was signalled.
int emb_semaphore_wait(sem_t *semaphore, int milliseconds);

// Returns the folder of the shared libraries of the program, such as libpng, or NULL if it is
// unknown.
const char *emb_library_folder(void);
