/* code: bytes_unmetered */
/* says: counted */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* By TCP, past MPI. It works, and is seen. */
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
    meet(comm);
    return VL_OK;
}
