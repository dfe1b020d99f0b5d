/* open: root user */
#include <sys/socket.h>
#include <sys/un.h>

static int calls_by_file(void)
{
    struct sockaddr_un server = {.sun_family = AF_UNIX, .sun_path = "@SOCKET@"};
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    int called = connect(line, (struct sockaddr *)&server, sizeof server) == 0;
    close(line);
    return called;
}
