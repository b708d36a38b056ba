#pragma once

// Returns whether libheif is available; loads it if necessary. Thread-safe.
int emb_heif_is_found(void);
