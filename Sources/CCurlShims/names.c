// Names of hosts beyond ASCII, as the names that are looked up: a name with an umlaut begins with
// xn--.
//
// By the library that libcurl brings with it, and as browsers do: mapped, and with none of the
// letters that older rules had turned into others.
#include <stddef.h>
#include <string.h>

#include "emb_library.h"
#include "include/emb_curl.h"

// Two functions and three bits of its interface, which is fixed; its headers need not be installed.
int idn2_to_ascii_8z(const char *name, char **ascii, int flags);
void idn2_free(void *memory);
enum { NFC_INPUT = 1, NONTRANSITIONAL = 8, DONE = 0, MISSING = -1 };

EMB_LIBRARY("libidn2.so.0", "idn", "URLs whose hosts have letters beyond ASCII")

PASS(
    int, MISSING, idn2_to_ascii_8z, (const char *name, char **ascii, int flags),
    (name, ascii, flags))
PASS_NOTHING(idn2_free, (void *memory), (memory))

int emb_knows_names(void) {
    return find("idn2_to_ascii_8z") != NULL;
}

int emb_ascii_name(const char *name, char *ascii, size_t size) {
    char *found = NULL;
    if (idn2_to_ascii_8z(name, &found, NFC_INPUT | NONTRANSITIONAL) != DONE || found == NULL) {
        return -1;
    }
    size_t length = strlen(found);
    int fits = length > 0 && length < size;
    if (fits) {
        memcpy(ascii, found, length + 1);
    }
    idn2_free(found);
    return fits ? 0 : -1;
}
