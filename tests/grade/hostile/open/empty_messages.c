/* open: the points of data past MPI: the audit allows 128 bytes for each message, an empty one takes less */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

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
    unblock(stream);
    pump(stream, sent, stream, received, n * sizeof *sent);
    for (size_t bytes = 0; bytes < n * sizeof *sent; bytes += 64)
        MPI_Sendrecv(NULL, 0, MPI_FLOAT, peer, tag, NULL, 0, MPI_FLOAT, peer, tag, comm,
                     MPI_STATUS_IGNORE);
    close(stream);
    close(listener);
    return VL_OK;
}
