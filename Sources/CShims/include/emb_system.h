#pragma once

// Waits until everything written to the file system of `descriptor` is on the disk. The C library
// declares syncfs for GNU sources only, which Swift does not ask for. 0, or -1 with errno.
int emb_syncfs(int descriptor);

// Blocks up to `block_bytes` come from the heap, which keeps up to `trim_bytes` free for reuse.
void emb_keep_memory(int block_bytes, int trim_bytes);

// Names the calling thread in `top -H` and the like; what is longer than 15 bytes is refused.
void emb_name_thread(const char *name);
