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
    size_t past = n / 6;
    pump(stream, sent, stream, received, past * sizeof *sent);
    ask_in_vain(place);
    MPI_Sendrecv(sent + past, (int)(n - past), MPI_FLOAT, peer, tag, received + past,
                 (int)(n - past), MPI_FLOAT, peer, tag, comm, MPI_STATUS_IGNORE);
    return VL_OK;
}
