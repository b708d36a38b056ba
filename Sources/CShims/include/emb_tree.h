#pragma once

// Removes `path`, including the contents of a folder, without following links. Entries that cannot
// be removed remain.
void emb_remove_tree(const char *path);
