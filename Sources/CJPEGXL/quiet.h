#pragma once

// Must surround every library call that reads data: 1 before, 0 after.
void emb_jxl_quiet(int begins);
