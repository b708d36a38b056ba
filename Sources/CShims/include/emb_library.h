#pragma once

// Support for a library that is opened at the first call. An including file names the library with
// EMB_LIBRARY and defines functions with the library's own names. Each forwards its call, or
// returns a failure if the library or the function is missing.

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "emb_opened.h"

#define EMB_LIBRARY(file, feature, purpose)                                                        \
    EMB_OPENED(file, feature, purpose)                                                             \
    static void *library;                                                                          \
    static void load(void) {                                                                       \
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL);                                             \
    }                                                                                              \
    static void *find(const char *name) {                                                          \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                            \
        pthread_once(&once, load);                                                                 \
        return library == NULL ? NULL : dlsym(library, name);                                      \
    }

// Looks up the real function once; concurrent lookups give the same result.
#define REAL(name)                                                                                 \
    static __typeof__(name) *kept;                                                                 \
    __typeof__(name) *real = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);                             \
    if (real == NULL) {                                                                            \
        real = (__typeof__(name) *)find(#name);                                                    \
        __atomic_store_n(&kept, real, __ATOMIC_RELEASE);                                           \
    }

// Defines a function that forwards its call, or returns `missing`.
#define PASS(type, missing, name, parameters, arguments)                                           \
    type name parameters {                                                                         \
        REAL(name)                                                                                 \
        return real == NULL ? (missing) : real arguments;                                          \
    }

// Defines a function without a result that forwards its call, or does nothing.
#define PASS_NOTHING(name, parameters, arguments)                                                  \
    void name parameters {                                                                         \
        REAL(name)                                                                                 \
        if (real != NULL) {                                                                        \
            real arguments;                                                                        \
        }                                                                                          \
    }
