#pragma once

#include <semaphore.h>

// Waits until everything written to the file system of `descriptor` is on the disk. The C library
// declares syncfs for GNU sources only, which Swift does not ask for. 0, or -1 with errno.
int emb_syncfs(int descriptor);

// Has the heap keep what pictures leave behind, for the next picture.
void emb_keep_memory(void);

// From the first call until as many with 0 followed, what malloc hands out of the heap is filled
// with zeros: for libraries that show memory which they never wrote.
void emb_zero_new_memory(int begins);

// Draws for everybody as for a reader of English, as cells do: libraries look into the environment
// for the branch of a drawing and the form of a letter. For a program that has one thread yet.
void emb_settle_language(void);

// Whether a signal is ignored, as whoever started the process may have asked.
int emb_signal_is_ignored(int number);
// From now on the signal ends the process at once, with 128 and its number as exit code.
void emb_exit_on_signal(int number);

// Names the calling thread in `top -H` and the like; what is longer than 15 bytes is refused.
void emb_name_thread(const char *name);

// The processor that the calling thread is on; -1 where the system does not tell.
int emb_processor(void);

// The calling thread lets go of that processor, and may come back to it. The scheduler often lets a
// new thread or process wait some milliseconds for that of its parent while another has nothing to
// do.
void emb_leave_processor(int busy);
// Waits for a signal of the semaphore, but for at most so many milliseconds; whether it came.
int emb_semaphore_wait(sem_t *semaphore, int milliseconds);

// The folder from which the linker took the libraries of the program, libpng among them; NULL where
// it does not tell.
const char *emb_library_folder(void);
