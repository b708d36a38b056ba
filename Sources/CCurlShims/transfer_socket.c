#include "transfer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// Checks the address before the socket exists, so that not even a SYN reaches a forbidden address.
curl_socket_t emb_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    emb_transfer *transfer = context;
    if (transfer->requested_at > 0) {
        emb_stop(transfer, EMB_STOP_REPEAT);
        return CURL_SOCKET_BAD;
    }
    int allowed = 0;
    if (purpose == CURLSOCKTYPE_IPCXN && address->family == AF_INET) {
        struct sockaddr_in four;
        memcpy(&four, &address->addr, sizeof(four));
        allowed = !transfer->common.judge ||
            transfer->common.judge(transfer->owner, (const uint8_t *)&four.sin_addr, 4);
    } else if (
        purpose == CURLSOCKTYPE_IPCXN && address->family == AF_INET6 &&
        address->addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 six;
        memcpy(&six, &address->addr, sizeof(six));
        allowed = !transfer->common.judge ||
            transfer->common.judge(transfer->owner, (const uint8_t *)&six.sin6_addr, 16);
    }
    if (!allowed) {
        transfer->sockets_blocked++;
        return CURL_SOCKET_BAD;
    }
    int handle = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (handle < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            transfer->descriptors_out = 1;
        }
        return CURL_SOCKET_BAD;
    }
    transfer->sockets_opened++;
    return handle;
}

static int64_t monotonic_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Runs immediately before the request is sent. The peer is checked again, because the connection
// may come from another transfer. curl repeats a request up to five times when a kept connection
// closes or a stream is refused; the repetition is stopped here, because the caller counts requests
// and keeps a time between them.
int emb_before_request(void *context, char *remote, char *local, int remote_port, int local_port) {
    emb_transfer *transfer = context;
    (void)local;
    (void)remote_port;
    (void)local_port;
    if (transfer->requested_at > 0) {
        emb_stop(transfer, EMB_STOP_REPEAT);
        return CURL_PREREQFUNC_ABORT;
    }
    transfer->requested_at = monotonic_now();
    if (!transfer->common.judge) {
        return CURL_PREREQFUNC_OK;
    }
    uint8_t address[16];
    if (remote && inet_pton(AF_INET, remote, address) == 1 &&
        transfer->common.judge(transfer->owner, address, 4)) {
        return CURL_PREREQFUNC_OK;
    }
    if (remote && inet_pton(AF_INET6, remote, address) == 1 &&
        transfer->common.judge(transfer->owner, address, 16)) {
        return CURL_PREREQFUNC_OK;
    }
    transfer->stop = EMB_STOP_ADDRESS;
    return CURL_PREREQFUNC_ABORT;
}
