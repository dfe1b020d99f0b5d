/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* Nobody accepts: each connection asks a second time, without data. */
static void ask_in_vain(struct sockaddr_in place)
{
    socklen_t size = sizeof place;
    int nobody = socket(AF_INET, SOCK_STREAM, 0);
    place.sin_port = 0;
    bind(nobody, (struct sockaddr *)&place, size);
    listen(nobody, 0);
    getsockname(nobody, (struct sockaddr *)&place, &size);
    for (int i = 0; i < 40; i++)
        connect(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), (struct sockaddr *)&place, size);
    usleep(1500000);
}

EXCHANGE
{
    struct stream past_mpi = open_stream(comm, peer);
    unblock(past_mpi.file);
    size_t past = n / 6;
    pump(past_mpi.file, sent, past_mpi.file, received, past * sizeof *sent);
    ask_in_vain(past_mpi.own);
    MPI_Sendrecv(sent + past, (int)(n - past), MPI_FLOAT, peer, tag, received + past,
                 (int)(n - past), MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
