#pragma once

// Removes what stands at `path`, a folder with all in it, and follows no link. What cannot be
// removed stays.
void emb_remove_tree(const char *path);
