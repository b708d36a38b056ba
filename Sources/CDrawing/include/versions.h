#pragma once

// The versions that the program was built for.
const char *emb_rsvg_version(void);
const char *emb_cairo_version(void);
const char *emb_pango_version(void);
const char *emb_fontconfig_version(void);
