#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// At most so many bytes are held while a plane of this size is unpacked, the plane itself left out.
size_t emb_alpha_room(int width, int height);

// Unpacks what an `ALPH` chunk holds (RFC 9649, section 2.7.1.2) into a plane of `width` times
// `height` bytes. Both are at most 16,384.
//
// Returns 1, or 0 where something is not in order or not as writers of alpha do it: there is more
// in the format than alpha has use for. Then the plane holds anything.
int emb_alpha_unpack(const uint8_t *chunk, size_t count, int width, int height, uint8_t *plane);

#pragma clang assume_nonnull end
