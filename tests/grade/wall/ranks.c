/* The submission with which check_wall.py looks at ranks behind walls of their own: vl_exchange says
 * what this rank learns of the other one without a message, if that is anything, and crashes. */
#include "vialata/collectives.h"

#include <arpa/inet.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PORT 5123

static int has_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[2];
    return syscall(SYS_capget, &header, rights) != 0 || rights[0].effective != 0 ||
           rights[1].effective != 0;
}

static int open_port(void)
{
    const int yes = 1;
    const struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int end = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(end, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    bind(end, (const struct sockaddr *)&all, sizeof all);
    return end;
}

static void call_everybody(int end, const char *network, int me)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    inet_pton(AF_INET, network, &place.sin_addr);
    sendto(end, &me, sizeof me, 0, (const struct sockaddr *)&place, sizeof place);
}

static int hears(int end, int who)
{
    int heard;
    for (int i = 0; i < 50; i++) {
        while (recv(end, &heard, sizeof heard, MSG_DONTWAIT) == sizeof heard)
            if (heard == who)
                return 1;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return 0;
}

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    int end = open_port(), netlink = socket(AF_NETLINK, SOCK_RAW, 0);
    MPI_Barrier(comm);
    int sees = access("/proc/self/pagemap", F_OK) == 0; /* which pages others have mapped too */
    call_everybody(end, "10.0.0.255", 1 - peer);
    call_everybody(end, "127.255.255.255", 1 - peer);
    MPI_Barrier(comm);
    int heard = hears(end, peer);
    int rights = has_rights();
    close(end);
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    if (sees || heard || rights || netlink >= 0) { /* what a crash printed is in the verdict */
        printf("\n%s%s%s%s\n", sees ? " sees" : "", heard ? " hears" : "", rights ? " rights" : "",
               netlink >= 0 ? " netlink" : "");
        fflush(stdout);
        usleep(300000); /* until mpirun has it */
        abort();
    }
    return VL_OK;
}
