
#include <netinet/in.h>
#include <sys/socket.h>

static int listens_to_everything(void)
{
    return socket(AF_INET, SOCK_RAW, IPPROTO_TCP) >= 0 || socket(AF_PACKET, SOCK_RAW, 0) >= 0;
}
