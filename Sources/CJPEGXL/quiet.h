#pragma once

// Around every call into the library that looks at data: 1 before, 0 after.
void emb_jxl_quiet(int begins);
