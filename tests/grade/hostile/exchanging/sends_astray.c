/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define ASTRAY 8 /* connections */

/* By way of an address that nobody has: TCP sends it again, and none of it leaves this rank. */
static void send_astray(struct sockaddr_in place)
{
    static char nothing[60000];
    const unsigned char way[8] = {131, 7, 4, 10, 0, 0, 200, 0};
    for (int i = 0; i < ASTRAY; i++) {
        int to = socket(AF_INET, SOCK_STREAM, 0);
        connect(to, (struct sockaddr *)&place, sizeof place);
        setsockopt(to, IPPROTO_IP, IP_OPTIONS, way, sizeof way);
        setsockopt(to, SOL_SOCKET, SO_BINDTODEVICE, "cable", 6);
        unblock(to);
        (void)!write(to, nothing, sizeof nothing);
    }
    usleep(1000000);
}

EXCHANGE
{
    struct stream past_mpi = open_stream(comm, peer);
    unblock(past_mpi.file);
    size_t past = n / 6;
    pump(past_mpi.file, sent, past_mpi.file, received, past * sizeof *sent);
    if (peer == 0)
        send_astray(past_mpi.other);
    else
        usleep(1000000);
    MPI_Sendrecv(sent + past, (int)(n - past), MPI_FLOAT, peer, tag, received + past,
                 (int)(n - past), MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
