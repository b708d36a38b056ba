#include <sys/epoll.h>

#include "CSandbox.h"

int emb_worker_watch(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int emb_worker_watch_add(int watch, int descriptor, uint64_t number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};
    return epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event);
}

int emb_worker_watch_remove(int watch, int descriptor) {
    return epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL);
}

int emb_worker_watch_wait(int watch, uint64_t numbers[EMB_WORKER_WATCHED], int milliseconds) {
    struct epoll_event events[EMB_WORKER_WATCHED];
    int count = epoll_wait(watch, events, EMB_WORKER_WATCHED, milliseconds);
    for (int index = 0; index < count; index++) {
        numbers[index] = events[index].data.u64;
    }
    return count;
}
