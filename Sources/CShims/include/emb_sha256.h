#pragma once

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for SHA-256 that this build knows.
int emb_sha256_is_available(void);

/// Takes `blocks` blocks of 64 bytes into the eight words of `state`, with those instructions.
/// `constants` are the 64 round constants. To be called only where they are available.
void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants);
