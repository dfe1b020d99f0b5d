/*
 * What attempts to exchange data past MPI share. check_hostile.py puts this text where a submission
 * includes it.
 *
 * EXCHANGE { ... } defines the function that is graded: vl_exchange, on two ranks.
 */
#include "attack.h"
#include "vialata/collectives.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>

#define EXCHANGE                                                                                   \
    enum vl_status vl_exchange(UNUSED MPI_Comm comm, UNUSED float *received,                       \
                               UNUSED const float *sent, UNUSED size_t n, UNUSED int peer,         \
                               UNUSED int tag)

/* Both ranks are here. */
UNUSED static void meet(MPI_Comm comm)
{
    MPI_Barrier(comm);
}

/* A number for the other rank's: a few bytes, which no audit minds. */
UNUSED static int64_t swap(MPI_Comm comm, int64_t mine, int peer)
{
    int64_t other = 0;
    MPI_Sendrecv(&mine, 1, MPI_INT64_T, peer, 0, &other, 1, MPI_INT64_T, peer, 0, comm,
                 MPI_STATUS_IGNORE);
    return other;
}

/* Where the other rank can reach this one: its cable, or the loopback that they share. */
UNUSED static struct sockaddr_in own_place(void)
{
    struct ifreq device = {.ifr_name = "cable"};
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int any = socket(AF_INET, SOCK_DGRAM, 0);
    if (ioctl(any, SIOCGIFADDR, &device) == 0)
        memcpy(&place, &device.ifr_addr, sizeof place);
    close(any);
    return place;
}

/* This rank's place for the other's. */
UNUSED static struct sockaddr_in swap_places(MPI_Comm comm, struct sockaddr_in mine, int peer)
{
    int64_t other = swap(comm, (int64_t)mine.sin_addr.s_addr << 16 | mine.sin_port, peer);
    mine.sin_addr.s_addr = (in_addr_t)(other >> 16);
    mine.sin_port = (in_port_t)other;
    return mine;
}

/* A connection of TCP to the other rank, past MPI. */
struct stream {
    int file, listener; /* the same on the rank that connects */
    struct sockaddr_in own, other;
};

UNUSED static struct stream open_stream(MPI_Comm comm, int peer)
{
    struct stream stream = {.listener = socket(AF_INET, SOCK_STREAM, 0), .own = own_place()};
    socklen_t size = sizeof stream.own;
    stream.file = stream.listener;
    if (peer == 1) {
        bind(stream.listener, (struct sockaddr *)&stream.own, size);
        listen(stream.listener, 8);
        getsockname(stream.listener, (struct sockaddr *)&stream.own, &size);
    }
    stream.other = swap_places(comm, stream.own, peer);
    if (peer == 0)
        connect(stream.file, (struct sockaddr *)&stream.other, size);
    else
        stream.file = accept(stream.listener, NULL, NULL);
    return stream;
}

UNUSED static void pass(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* All of it, in both directions at once, through descriptors that do not block; for two seconds. */
UNUSED static void pump(int out, const void *sent, int in, void *received, size_t bytes)
{
    size_t gone = 0, come = 0;
    for (int idle = 0; idle < 2000 && (gone < bytes || come < bytes);) {
        ssize_t w = gone < bytes ? write(out, (const char *)sent + gone, bytes - gone) : 0;
        ssize_t r = come < bytes ? read(in, (char *)received + come, bytes - come) : 0;
        gone += w > 0 ? (size_t)w : 0;
        come += r > 0 ? (size_t)r : 0;
        if (w <= 0 && r <= 0) {
            pass();
            idle++;
        }
    }
}

UNUSED static void unblock(int file)
{
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}
