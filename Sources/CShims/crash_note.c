#define _GNU_SOURCE
#include "emb_crash_note.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

// The descriptor for notes, or -1.
static int note_descriptor = -1;
// The line to write if this thread crashes, or NULL.
static _Thread_local const char *thread_note;

static void write_text(int descriptor, const char *text) {
    // A failed write is ignored, because the process is ending.
    ssize_t count = write(descriptor, text, strlen(text));
    (void)count;
}

static void handle_fault(int number) {
    if (thread_note != NULL && note_descriptor >= 0) {
        write_text(note_descriptor, thread_note);
        write_text(
            STDERR_FILENO,
            "emblem: an SVG crashed this process; run the command again with --resume, which "
            "goes on without that SVG\n");
    }
    // The raised signal stays blocked until the handler returns, and then has its default action.
    signal(number, SIG_DFL);
    raise(number);
}

void emb_crash_notes_begin(int descriptor) {
    note_descriptor = descriptor;
    struct sigaction action = {.sa_handler = handle_fault, .sa_flags = SA_ONSTACK};
    int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
    for (size_t index = 0; index < sizeof(signals) / sizeof(signals[0]); index++) {
        sigaction(signals[index], &action, NULL);
    }
}

void emb_crash_notes_end(void) {
    note_descriptor = -1;
}

void emb_crash_note_set(const char *line) {
    thread_note = line;
}
