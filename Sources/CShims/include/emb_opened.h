#pragma once

#include <stdint.h>

// A note in the program that it opens a library by dlopen, in the form of the ELF notes for dlopen
// metadata of the UAPI group: owner "FDO", a number of its own, an array of JSON. Packages,
// archives and the list of materials are made from these notes, so that no list has to be kept
// beside the code. There is one a file of C.
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
