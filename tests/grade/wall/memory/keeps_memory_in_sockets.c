/* open: root user */
#include <sys/socket.h>

/* What was sent and not read is the kernel's: as much as all descriptors of all processes allow. */
static int keeps_memory_in_sockets(void)
{
    static char block[65536];
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 0;
    ssize_t kept = send(pair[0], block, sizeof block, MSG_DONTWAIT);
    close(pair[0]);
    close(pair[1]);
    return kept > 0;
}
