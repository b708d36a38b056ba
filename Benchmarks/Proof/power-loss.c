// Records which changes to files a sync has covered, for power-loss.py: a library to be loaded
// before others (LD_PRELOAD).
//
// POWER_ROOT is the folder that is watched, POWER_LOG the file that gets a line per change. A file
// that a rename or unlink takes away is kept by a hard link in POWER_KEEP. Syncs of file systems
// take POWER_SYNC_MS milliseconds and do nothing else. POWER_BOOT is the file that takes the place
// of the kernel's name of the boot.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static const char *keep;
static int log_number = -1;
static long sync_milliseconds;
static const char *boot;
static long serial;

static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_renameat)(int, const char *, int, const char *);
static int (*real_unlinkat)(int, const char *, int);

__attribute__((constructor)) static void begin(void) {
    *(void **)&real_openat = dlsym(RTLD_NEXT, "openat");
    *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    *(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    *(void **)&real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    *(void **)&real_renameat = dlsym(RTLD_NEXT, "renameat");
    *(void **)&real_unlinkat = dlsym(RTLD_NEXT, "unlinkat");
    root = getenv("POWER_ROOT");
    keep = getenv("POWER_KEEP");
    const char *log = getenv("POWER_LOG");
    if (!root || !keep || !log)
        return;
    sync_milliseconds = atol(getenv("POWER_SYNC_MS") ?: "0");
    boot = getenv("POWER_BOOT");
    log_number = real_openat(AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    char line[3 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length <= 0 || real_write(log_number, line, (size_t)length) != length)
        abort();
}

// Returns the path of an open file relative to the watched folder; NULL if it is elsewhere.
static const char *path_of(int number, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", number);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    size_t above = strlen(root);
    if (length < (ssize_t)above)
        return NULL;
    path[length] = 0;
    if (strncmp(path, root, above) != 0 || (path[above] != '/' && path[above] != 0))
        return NULL;
    return path[above] ? path + above + 1 : path + above;
}

// Returns the path of a name in an open folder relative to the watched folder; NULL if it is
// elsewhere.
static const char *path_in(int folder, const char *name, char path[2 * PATH_MAX]) {
    char outer[PATH_MAX];
    if (log_number < 0 || folder == AT_FDCWD || name[0] == '/')
        return NULL;
    const char *found = path_of(folder, outer);
    if (!found)
        return NULL;
    snprintf(path, 2 * PATH_MAX, "%s%s%s", found, found[0] ? "/" : "", name);
    return path;
}

// Keeps the file of a name that will be replaced or removed; returns the copy's number, or 0.
static long keep_old(int folder, const char *name) {
    char kept[PATH_MAX];
    snprintf(kept, sizeof kept, "%s/%ld", keep, ++serial);
    return linkat(folder, name, AT_FDCWD, kept, 0) == 0 ? serial : 0;
}

static unsigned long inode_at(int folder, const char *name) {
    struct stat facts;
    return fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 ? facts.st_ino : 0;
}

static void note_size(int number) {
    char path[PATH_MAX];
    struct stat facts;
    if (log_number >= 0 && path_of(number, path) && fstat(number, &facts) == 0)
        note("size\t%lu\t%ld\n", (unsigned long)facts.st_ino, (long)facts.st_size);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (boot && strcmp(name, "/proc/sys/kernel/random/boot_id") == 0)
        name = boot;
    char path[2 * PATH_MAX];
    const char *found = flags & O_CREAT ? path_in(folder, name, path) : NULL;
    if (!found)
        return real_openat(folder, name, flags, mode);
    pthread_mutex_lock(&lock);
    unsigned long before = inode_at(folder, name);
    int number = real_openat(folder, name, flags, mode);
    if (number >= 0 && before == 0)
        note("name\t%s\t%lu\t0\t0\n", found, inode_at(folder, name));
    pthread_mutex_unlock(&lock);
    return number;
}

ssize_t write(int number, const void *bytes, size_t count) {
    if (log_number < 0)
        return real_write(number, bytes, count);
    pthread_mutex_lock(&lock);
    ssize_t written = real_write(number, bytes, count);
    if (written > 0)
        note_size(number);
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite(int number, const void *bytes, size_t count, off_t offset) {
    if (log_number < 0)
        return real_pwrite(number, bytes, count, offset);
    pthread_mutex_lock(&lock);
    ssize_t written = real_pwrite(number, bytes, count, offset);
    if (written > 0)
        note_size(number);
    pthread_mutex_unlock(&lock);
    return written;
}

int ftruncate(int number, off_t size) {
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(number, size);
    if (result == 0)
        note_size(number);
    pthread_mutex_unlock(&lock);
    return result;
}

int renameat(int old_folder, const char *old, int new_folder, const char *new) {
    char from[2 * PATH_MAX], to[2 * PATH_MAX];
    const char *source = path_in(old_folder, old, from);
    const char *target = path_in(new_folder, new, to);
    if (!source || !target)
        return real_renameat(old_folder, old, new_folder, new);
    pthread_mutex_lock(&lock);
    unsigned long inode = inode_at(old_folder, old);
    unsigned long replaced = inode_at(new_folder, new);
    long kept = replaced ? keep_old(new_folder, new) : 0;
    int result = real_renameat(old_folder, old, new_folder, new);
    if (result == 0) {
        note("name\t%s\t%lu\t%lu\t%ld\n", target, inode, replaced, kept);
        note("name\t%s\t0\t%lu\t0\n", source, inode);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int unlinkat(int folder, const char *name, int flags) {
    char path[2 * PATH_MAX];
    const char *found = flags & AT_REMOVEDIR ? NULL : path_in(folder, name, path);
    if (!found)
        return real_unlinkat(folder, name, flags);
    pthread_mutex_lock(&lock);
    unsigned long inode = inode_at(folder, name);
    long kept = inode ? keep_old(folder, name) : 0;
    int result = real_unlinkat(folder, name, flags);
    if (result == 0)
        note("name\t%s\t0\t%lu\t%ld\n", found, inode, kept);
    pthread_mutex_unlock(&lock);
    return result;
}

static void begin_sync(long number, const char *what, const char *detail) {
    pthread_mutex_lock(&lock);
    note("begin\t%ld\t%s\t%s\n", number, what, detail);
    pthread_mutex_unlock(&lock);
}

static void end_sync(long number) {
    pthread_mutex_lock(&lock);
    note("end\t%ld\n", number);
    pthread_mutex_unlock(&lock);
}

static long next_number(void) {
    static _Atomic long last;
    return ++last;
}

int fsync(int number) {
    char path[PATH_MAX];
    struct stat facts;
    const char *found = log_number >= 0 ? path_of(number, path) : NULL;
    if (!found || fstat(number, &facts) != 0)
        return 0;
    long own = next_number();
    char inode[32];
    snprintf(inode, sizeof inode, "%lu", (unsigned long)facts.st_ino);
    int is_folder = S_ISDIR(facts.st_mode);
    begin_sync(own, is_folder ? "folder" : "file", is_folder ? found : inode);
    end_sync(own);
    return 0;
}

int syncfs(int number) {
    (void)number;
    long own = next_number();
    begin_sync(own, "all", "");
    struct timespec time = {sync_milliseconds / 1000, sync_milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
    end_sync(own);
    return 0;
}
