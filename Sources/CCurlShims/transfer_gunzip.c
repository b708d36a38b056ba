#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The number of bytes decoded at once.
enum { PIECE = 16384 };

// curl decodes one gzip member and rejects a second one, which the format (RFC 1952) allows.
struct emb_gunzip {
    z_stream stream;
    int has_started;
    int between_members;
};

emb_gunzip *emb_gunzip_create(void) {
    emb_gunzip *gunzip = calloc(1, sizeof(*gunzip));
    // A window of 2^15 bytes; adding 16 selects the gzip format.
    if (gunzip && inflateInit2(&gunzip->stream, 15 + 16) != Z_OK) {
        free(gunzip);
        gunzip = NULL;
    }
    return gunzip;
}

void emb_gunzip_destroy(emb_gunzip *gunzip) {
    inflateEnd(&gunzip->stream);
    free(gunzip);
}

int emb_gunzip_is_whole(const emb_gunzip *gunzip) {
    return gunzip->between_members || !gunzip->has_started;
}

// Skips zeros, which are padding after the last member, and starts the next member. Returns 0 on
// failure.
static int start_member(emb_gunzip *gunzip) {
    z_stream *stream = &gunzip->stream;
    while (stream->avail_in > 0 && *stream->next_in == 0) {
        stream->next_in++;
        stream->avail_in--;
    }
    if (stream->avail_in > 0) {
        gunzip->between_members = 0;
        return inflateReset(stream) == Z_OK;
    }
    return 1;
}

int emb_gunzip_decode(
    emb_gunzip *gunzip, const void *bytes, size_t count, emb_gunzip_sink sink,
    emb_transfer *transfer) {
    unsigned char piece[PIECE];
    z_stream *stream = &gunzip->stream;
    // zlib does not write through next_in.
    stream->next_in = (unsigned char *)(uintptr_t)bytes;
    stream->avail_in = (unsigned)count;
    gunzip->has_started |= count > 0;
    int is_full = 0;
    while (stream->avail_in > 0 || is_full) {
        if (gunzip->between_members && !start_member(gunzip)) {
            return 0;
        }
        if (gunzip->between_members) {
            return 1;
        }
        stream->next_out = piece;
        stream->avail_out = PIECE;
        int result = inflate(stream, Z_NO_FLUSH);
        size_t made = PIECE - stream->avail_out;
        if (made > 0 && sink(transfer, piece, made) == 0) {
            return 0;
        }
        is_full = stream->avail_out == 0;
        gunzip->between_members = result == Z_STREAM_END;
        if (result == Z_BUF_ERROR && stream->avail_in == 0) {
            return 1;
        }
        if (result != Z_OK && result != Z_STREAM_END) {
            return 0;
        }
        is_full &= result != Z_STREAM_END;
    }
    return 1;
}
