#include <sys/epoll.h>

#include "CSandbox.h"

int emb_cell_watch(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int emb_cell_watch_add(int watch, int descriptor, uint64_t number) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = number};
    return epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event);
}

int emb_cell_watch_remove(int watch, int descriptor) {
    return epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL);
}

int emb_cell_watch_wait(int watch, uint64_t numbers[EMB_CELL_WATCHED], int milliseconds) {
    struct epoll_event events[EMB_CELL_WATCHED];
    int count = epoll_wait(watch, events, EMB_CELL_WATCHED, milliseconds);
    for (int index = 0; index < count; index++) {
        numbers[index] = events[index].data.u64;
    }
    return count;
}
