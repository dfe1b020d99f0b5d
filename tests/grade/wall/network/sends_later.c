/* open: root user */
#include <sys/socket.h>

/* Packets that the kernel sends by and by take time from whoever runs then: in a timing, the reference. */
static int sends_later(void)
{
    const unsigned rate = 1000000; /* bytes per second */
    int end = socket(AF_INET, SOCK_STREAM, 0);
    int got = setsockopt(end, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof rate);
    close(end);
    return end >= 0 && got == 0;
}
