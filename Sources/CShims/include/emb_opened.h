#pragma once

#include <stdint.h>

// An ELF note that declares a library opened by dlopen, in the UAPI group's format for dlopen
// metadata: owner "FDO" and a JSON array. Packages, archives and the SBOM are generated from these
// notes, so that no separate list is needed. A C file may have one note.
#define EMB_OPENED_JSON(file, feature, purpose)                                                    \
    "[{\"feature\":\"" feature "\",\"description\":\"" purpose                                     \
    "\",\"priority\":\"recommended\",\"soname\":[\"" file "\"]}]"

#define EMB_OPENED(file, feature, purpose)                                                         \
    static const struct {                                                                          \
        uint32_t owner_size;                                                                       \
        uint32_t text_size;                                                                        \
        uint32_t type;                                                                             \
        char owner[4];                                                                             \
        char text[sizeof(EMB_OPENED_JSON(file, feature, purpose))];                                \
    } opened_library __attribute__((used, aligned(4), section(".note.dlopen"))) = {                \
        4, sizeof(EMB_OPENED_JSON(file, feature, purpose)), 0x407c0c0a, "FDO",                     \
        EMB_OPENED_JSON(file, feature, purpose)};
