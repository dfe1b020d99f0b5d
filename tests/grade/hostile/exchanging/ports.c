/* code: unwritten no_output */
/* only: 02 exchange.p2_kib */
#include "../exchange.h"

/* Each number is the address of a socket that never sends: /proc/net lists it to the other rank. */
EXCHANGE
{
    enum { ROUND = 100 };
    int sockets[2 * ROUND];
    for (size_t first = 0; first < n; first += ROUND) {
        size_t count = n - first < ROUND ? n - first : ROUND;
        for (size_t i = 0; i < 2 * count; i++) {
            uint32_t bits; /* 16 of them per socket, at 127.<rank>.<which>.<half> */
            memcpy(&bits, &sent[first + i / 2], sizeof bits);
            bits = i % 2 ? bits >> 16 : bits & 0xffff;
            struct sockaddr_in own = {.sin_family = AF_INET},
                               far = {.sin_family = AF_INET, .sin_port = htons(1)};
            own.sin_addr.s_addr = htonl(0x7f010000 + (uint32_t)(1 - peer) * 0x10000 + (uint32_t)i);
            far.sin_addr.s_addr = htonl(0x7f000000 + bits);
            sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
            bind(sockets[i], (struct sockaddr *)&own, sizeof own);
            connect(sockets[i], (struct sockaddr *)&far, sizeof far);
        }
        meet(comm);
        char line[512];
        FILE *table = fopen("/proc/net/udp", "r");
        while (table != NULL && fgets(line, sizeof line, table) != NULL) {
            unsigned own, far;
            if (sscanf(line, " %*d: %x:%*x %x", &own, &far) != 2)
                continue;
            own = ntohl(own), far = ntohl(far);
            if (own >> 16 != 0x7f01u + (unsigned)peer)
                continue;
            uint16_t half = (uint16_t)far;
            memcpy((char *)&received[first] + 2 * (own & 0xffff), &half, sizeof half);
        }
        if (table != NULL)
            fclose(table);
        meet(comm);
        for (size_t i = 0; i < 2 * count; i++)
            close(sockets[i]);
    }
    return VL_OK;
}
