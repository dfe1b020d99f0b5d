/* The submission with which check_wall.py looks at ranks behind walls of their own: vl_exchange says
 * what this rank learns of the other one without a message, if that is anything, and crashes. */
#include "vialata/collectives.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 5123

static int lines_of(const char *table)
{
    char line[512];
    int lines = 0;
    FILE *file = fopen(table, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        lines++;
    if (file != NULL)
        fclose(file);
    return lines;
}

static int line_begins(const char *table, const char *begin)
{
    char line[512];
    int found = 0;
    FILE *file = fopen(table, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        found |= strncmp(line, begin, strlen(begin)) == 0;
    if (file != NULL)
        fclose(file);
    return found;
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
    int sees = lines_of("/proc/net/udp") > 2; /* the first has the table's names */
    call_everybody(end, "10.0.0.255", 1 - peer);
    call_everybody(end, "127.255.255.255", 1 - peer);
    MPI_Barrier(comm);
    int heard = hears(end, peer);
    int rights = !line_begins("/proc/self/status", "CapEff:\t0000000000000000");
    close(end);
    MPI_Sendrecv(sent, (int)n, MPI_FLOAT, peer, tag, received, (int)n, MPI_FLOAT, peer, tag, comm,
                 MPI_STATUS_IGNORE);
    if (sees || heard || rights || netlink >= 0) { /* what a crash printed is in the verdict */
        printf("\n%s%s%s%s\n", sees ? " sees" : "", heard ? " hears" : "", rights ? " rights" : "",
               netlink >= 0 ? " netlink" : "");
        fflush(stdout);
        abort();
    }
    return VL_OK;
}
