#pragma once

// Whether libheif, which is opened at the first call into it, is there. Any thread may ask.
int emb_heif_is_found(void);
