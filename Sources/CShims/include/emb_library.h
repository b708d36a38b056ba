#pragma once

// A library that is opened at the first call into it. A file that includes this says which, and
// what for, by EMB_LIBRARY and then defines functions under the names of the library's own: each
// passes its call on, or answers by itself where the library, or the function in it, is missing.

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

// The real function behind one of ours, looked up once; two threads that do so find the same.
#define REAL(name)                                                                                 \
    static __typeof__(name) *kept;                                                                 \
    __typeof__(name) *real = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);                             \
    if (real == NULL) {                                                                            \
        real = (__typeof__(name) *)find(#name);                                                    \
        __atomic_store_n(&kept, real, __ATOMIC_RELEASE);                                           \
    }

#define PASS(type, missing, name, parameters, arguments)                                           \
    type name parameters {                                                                         \
        REAL(name)                                                                                 \
        return real == NULL ? (missing) : real arguments;                                          \
    }

#define PASS_NOTHING(name, parameters, arguments)                                                  \
    void name parameters {                                                                         \
        REAL(name)                                                                                 \
        if (real != NULL) {                                                                        \
            real arguments;                                                                        \
        }                                                                                          \
    }
