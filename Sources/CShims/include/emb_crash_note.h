#pragma once

// From now on a signal that ends the process because of a fault has the line written to the
// descriptor that the thread at fault has set. The process ends as it would otherwise.
void emb_crash_notes_begin(int descriptor);
// The descriptor may be closed.
void emb_crash_notes_end(void);

// Sets the line of the calling thread, which must live until it is set to NULL.
void emb_crash_note_set(const char *line);
