/* open: root user */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int calls_a_server(void)
{
    struct sockaddr_in server = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_STREAM, 0);
    int called = connect(line, (struct sockaddr *)&server, sizeof server) == 0;
    close(line);
    return called;
}
