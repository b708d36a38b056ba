#pragma once

#include <stddef.h>
#include <stdint.h>

/// Returns whether the processor has SHA-256 instructions that this build can use.
int emb_sha256_is_available(void);

/// Processes `blocks` blocks of 64 bytes. `constants` are the 64 round constants. Call only if the
/// instructions are available.
void emb_sha256_compress(
    uint32_t *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants);
