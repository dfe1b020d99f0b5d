/* open: root user */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* Where nobody listens, the second one fails. */
static int sends_a_datagram(void)
{
    struct sockaddr_in server = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int line = socket(AF_INET, SOCK_DGRAM, 0);
    int sent = connect(line, (struct sockaddr *)&server, sizeof server) == 0 &&
               send(line, "1", 1, 0) == 1 && usleep(1000) == 0 && send(line, "2", 1, 0) == 1;
    close(line);
    return sent;
}
