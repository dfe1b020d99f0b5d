/* code: bytes_unmetered unwritten no_output */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

#define PIECE 32768

EXCHANGE
{
    struct sockaddr_in place = own_place();
    socklen_t size = sizeof place;
    int end = socket(AF_INET, SOCK_DGRAM, 0);
    bind(end, (struct sockaddr *)&place, size);
    getsockname(end, (struct sockaddr *)&place, &size);
    place = swap_places(comm, place, peer);
    for (size_t at = 0, bytes = n * sizeof *sent; at < bytes; at += PIECE) {
        size_t piece = bytes - at < PIECE ? bytes - at : PIECE;
        sendto(end, (const char *)sent + at, piece, 0, (struct sockaddr *)&place, size);
        meet(comm);
        (void)!recv(end, (char *)received + at, piece, MSG_DONTWAIT);
    }
    meet(comm);
    return VL_OK;
}
