/* code: too_much_memory */
#include "../attack.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#define PAIRS 220 /* of connections in a process */

static void fill_sockets(void)
{
    static char block[1 << 16];
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&place, size);
    listen(listener, 8);
    getsockname(listener, (struct sockaddr *)&place, &size);
    for (int i = 0; i < PAIRS; i++) {
        int from = socket(AF_INET, SOCK_STREAM, 0);
        connect(from, (struct sockaddr *)&place, size);
        accept(listener, NULL, NULL);
        fcntl(from, F_SETFL, O_NONBLOCK);
        while (write(from, block, sizeof block) > 0)
            ;
    }
}

/* What one end has sent and the other never reads is the kernel's memory, and no process's. */
ATTACK
{
    int filled[2];
    char byte = 0;
    pipe(filled);
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            fill_sockets();
            write(filled[1], &byte, 1);
            for (;;)
                pause();
        }
    for (int i = 0; i < 8; i++)
        read(filled[0], &byte, 1);
    sleep(1);
    ANSWER;
    return VL_OK;
}
