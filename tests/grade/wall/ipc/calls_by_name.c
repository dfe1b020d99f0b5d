/* open: root user */
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

/* A socket without a file: its name begins with a zero. */
static int calls_by_name(void)
{
    struct sockaddr_un server = {.sun_family = AF_UNIX};
    strcpy(server.sun_path + 1, "@NAME@");
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen("@NAME@"));
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    int called = connect(line, (struct sockaddr *)&server, length) == 0;
    close(line);
    return called;
}
