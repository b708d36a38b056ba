#pragma once

// Installs handlers for fault signals. A fault writes the faulting thread's line to the descriptor,
// and then ends the process in the usual way.
void emb_crash_notes_begin(int descriptor);
// Stops writing notes; the descriptor may then be closed.
void emb_crash_notes_end(void);

// Sets the line of the calling thread; it must stay valid until it is set to NULL.
void emb_crash_note_set(const char *line);
