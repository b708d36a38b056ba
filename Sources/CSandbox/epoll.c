#include <sys/epoll.h>

#include "CSandbox.h"

int emb_worker_epoll(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int emb_worker_epoll_add(int epoll, int descriptor, uint64_t number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int emb_worker_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int emb_worker_epoll_wait(int epoll, uint64_t numbers[EMB_WORKER_EPOLL_EVENTS], int milliseconds) {
    struct epoll_event events[EMB_WORKER_EPOLL_EVENTS];
    int count = epoll_wait(epoll, events, EMB_WORKER_EPOLL_EVENTS, milliseconds);
    for (int index = 0; index < count; index++) {
        numbers[index] = events[index].data.u64;
    }
    return count;
}
