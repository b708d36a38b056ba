// Converts international host names (IDN) to the ASCII form that DNS uses, in which labels begin
// with "xn--".
//
// Uses libidn2, a dependency of libcurl. Like browsers it maps names to lower case and normal form,
// and keeps the letters that older rules replaced, such as the German sharp s.
#include <stddef.h>
#include <string.h>

#include "emb_library.h"
#include "include/emb_curl.h"

// The part of the stable interface of libidn2 that is used here, so that its headers need not be
// installed.
int idn2_to_ascii_8z(const char *name, char **ascii, int flags);
void idn2_free(void *memory);
enum { IDN2_NFC_INPUT = 1, IDN2_NONTRANSITIONAL = 8, IDN2_OK = 0, LIBRARY_MISSING = -1 };

EMB_LIBRARY("libidn2.so.0", "idn", "URLs whose hosts have letters beyond ASCII")

PASS(
    int, LIBRARY_MISSING, idn2_to_ascii_8z, (const char *name, char **ascii, int flags),
    (name, ascii, flags))
PASS_NOTHING(idn2_free, (void *memory), (memory))

int emb_idn_is_found(void) {
    return find("idn2_to_ascii_8z") != NULL;
}

int emb_idn_to_ascii(const char *name, char *ascii, size_t size) {
    char *found = NULL;
    if (idn2_to_ascii_8z(name, &found, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK ||
        found == NULL) {
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
