#include "cli/book/serve.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "sandbox/interrupt.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NANOSECONDS 50000000
#define WAIT_LOOKS       100 /* for the server to answer */

static struct sockaddr_in address_of(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* A port that nobody uses; 0 if there is none. */
static int free_port(void)
{
    struct sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    int port = 0, end = socket(AF_INET, SOCK_STREAM, 0);
    if (end >= 0 && bind(end, (struct sockaddr *)&address, size) == 0 &&
        getsockname(end, (struct sockaddr *)&address, &size) == 0)
        port = ntohs(address.sin_port);
    if (end >= 0)
        close(end);
    return port;
}

static bool answers(int port)
{
    struct sockaddr_in address = address_of(port);
    int end = socket(AF_INET, SOCK_STREAM, 0);
    bool connected = end >= 0 && connect(end, (struct sockaddr *)&address, sizeof address) == 0;
    if (end >= 0)
        close(end);
    return connected;
}

/* Python's own server. It ends with us, whatever ends us. */
static pid_t start_server(const char *python, const char *folder, int port)
{
    char number[16];
    snprintf(number, sizeof number, "%d", port);
    fflush(NULL);
    const pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO); /* a line for each page that is read */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
        execl(python, python, "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder,
              number, (char *)NULL);
    _exit(127);
}

static bool has_ended(pid_t server)
{
    return waitpid(server, NULL, WNOHANG) != 0;
}

static void look_again(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOSECONDS}, NULL);
}

/* True once it answers; it is gone if it does not. */
static bool await_server(pid_t server, int port)
{
    for (int look = 0; look < WAIT_LOOKS && !vl_interrupt_seen(); look++) {
        if (has_ended(server))
            return false;
        if (answers(port))
            return true;
        look_again();
    }
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return false;
}

static enum vl_exit show(pid_t server, int port, const char *below)
{
    if (server < 0 || !await_server(server, port))
        return vl_interrupt_seen()
                   ? VL_EXIT_OK
                   : vl_say(VL_EXIT_LACK, _("The book could not be shown at an address of this "
                                            "computer: open the file that `vialata book` names."));
    printf("http://127.0.0.1:%d%s\n", port, below);
    fflush(stdout);
    fprintf(stderr, "%s\n", _("The book is there until you press Ctrl-C."));
    while (!vl_interrupt_seen() && !has_ended(server))
        look_again();
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return VL_EXIT_OK;
}

enum vl_exit vl_book_serve(const char *page)
{
    char *python = vl_path_program("python3"), *folder = strdup(page);
    const char *below = page;
    enum vl_exit result = VL_EXIT_OK;
    for (int up = 0; folder != NULL && up < 2; up++) { /* from sk/index.html to the folder of sk */
        char *slash = strrchr(folder, '/');
        *slash = '\0';
        below = page + (slash - folder);
    }
    const int port = free_port();
    if (folder == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (python == NULL)
        result = vl_say(VL_EXIT_LACK,
                        _("`--serve` needs %1$s: install the Debian package %2$s, "
                          "then run the command again."),
                        "Python", "python3");
    else {
        vl_interrupt_begin();
        result = show(start_server(python, folder, port), port, below);
        vl_interrupt_end();
    }
    free(folder);
    free(python);
    return result;
}
