/* code: bytes_unmetered */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define MESSAGES 256 /* on their way at once */

/* A message without data makes no room for data that goes another way. */
EXCHANGE
{
    struct sockaddr_in place = own_place();
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM, 0), stream = listener;
    if (peer == 1) {
        bind(listener, (struct sockaddr *)&place, size);
        listen(listener, 1);
        getsockname(listener, (struct sockaddr *)&place, &size);
    }
    struct sockaddr_in other = swap_places(comm, place, peer);
    if (peer == 0) {
        connect(stream, (struct sockaddr *)&other, size);
    } else {
        stream = accept(listener, NULL, NULL);
    }
    MPI_Request going[2 * MESSAGES];
    unblock(stream);
    pump(stream, sent, stream, received, n * sizeof *sent);
    for (size_t bytes = 0; bytes < n * sizeof *sent; bytes += 64 * MESSAGES) {
        for (int i = 0; i < MESSAGES; i++) {
            MPI_Isend(NULL, 0, MPI_FLOAT, peer, tag, comm, &going[2 * i]);
            MPI_Irecv(NULL, 0, MPI_FLOAT, peer, tag, comm, &going[2 * i + 1]);
        }
        MPI_Waitall(2 * MESSAGES, going, MPI_STATUSES_IGNORE);
    }
    close(stream);
    close(listener);
    return VL_OK;
}
