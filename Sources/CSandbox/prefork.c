#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"
#include "emb_system.h"

// The arguments, which the C library passes to constructors before main.
static char **first_arguments;
static int first_count;

__attribute__((constructor)) static void save_arguments(int count, char **arguments) {
    first_count = count;
    first_arguments = arguments;
}

int emb_argument_is(int index, const char *argument) {
    return index >= 0 && index < first_count && strcmp(first_arguments[index], argument) == 0;
}

int emb_argument_count(void) {
    return first_count;
}

const char *emb_argument(int index) {
    return index >= 0 && index < first_count ? first_arguments[index] : NULL;
}

// Overwrites strings with zeros, so that workers hold no secrets of the parent.
static void wipe(char **words) {
    for (; words != NULL && *words != NULL; words++) {
        explicit_bzero(*words, strlen(*words));
    }
}

// Resets the state that posix_spawn and exec reset for a program, and wipes the arguments and the
// environment.
static void reset_like_exec(void) {
    static char *environment[] = {
        (char *)"LC_ALL=C.UTF-8", (char *)"LANGUAGE=en", (char *)"ASAN_OPTIONS=detect_leaks=0",
        NULL};
    wipe(environ);
    environ = environment;
    wipe(first_arguments);
    first_count = 0;
    setsid();
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Replaces the standard streams, so that the user's files are neither held open nor written.
static int redirect_standard_streams(int dev_null) {
    int done = 0;
    for (int stream = 0; stream < 3 && done >= 0; stream++) {
        done = dup2(dev_null, stream);
    }
    return done;
}

pid_t emb_worker_fork(int dev_null) {
    int processor = emb_processor();
    pid_t child = fork();
    if (child == 0) {
        emb_leave_processor(processor);
        reset_like_exec();
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (redirect_standard_streams(dev_null) < 0) {
            _exit(127);
        }
    }
    return child;
}

pid_t emb_worker_fork_sibling(void) {
    // fork() cannot create a sibling. Its other work concerns further threads, and there are none.
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        setsid();
    }
    return child;
}

void emb_worker_place_descriptors(int socket, int memfd) {
    if (dup2(socket, EMB_WORKER_SOCKET) < 0 || dup2(memfd, EMB_WORKER_MEMFD) < 0) {
        _exit(127);
    }
    closefrom(EMB_WORKER_MEMFD + 1);
}

void emb_fork_server_wait(int socket) {
    char message;
    ssize_t count;
    do {
        count = recv(socket, &message, sizeof(message), 0);
    } while (count < 0 && errno == EINTR);
    if (count != sizeof(message)) {
        _exit(127);
    }
}

void emb_fork_server_wake(int socket) {
    char message = 1;
    send(socket, &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void emb_worker_send_pid(void) {
    pid_t own = getpid();
    if (send(EMB_WORKER_SOCKET, &own, sizeof(own), MSG_NOSIGNAL) != sizeof(own)) {
        _exit(127);
    }
}

pid_t emb_worker_receive_pid(int socket, int milliseconds) {
    struct pollfd poll_socket = {.fd = socket, .events = POLLIN};
    pid_t child = 0;
    int ready;
    do {
        ready = poll(&poll_socket, 1, milliseconds);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0 || recv(socket, &child, sizeof(child), MSG_DONTWAIT) != sizeof(child)) {
        return -1;
    }
    // Check that the process id is that of a child: the parent would later kill it.
    siginfo_t state;
    return child > 0 && waitid(P_PID, (id_t)child, &state, WEXITED | WNOHANG | WNOWAIT) == 0 ? child
                                                                                             : -1;
}
