#pragma once

// The library versions at build time.
const char *emb_rsvg_version(void);
const char *emb_cairo_version(void);
const char *emb_pango_version(void);
const char *emb_fontconfig_version(void);
