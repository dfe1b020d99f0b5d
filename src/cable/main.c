/*
 * Enters a network, sets it up, and becomes the program that works there (src/sandbox/cables.h).
 *
 *   vialata-cable switch ORDERS RANKS PROGRAM...   a new network, mpirun's, and those of all ranks
 *   vialata-cable end NETWORK FILTER PROGRAM...    a rank's: without rights over it from then on
 *
 * ORDERS is a file of commands for ip (iproute2): what is to be set up at the switch. The program finds
 * FILTER open as descriptor 3. mpirun and each rank are started through this, some forty times in a
 * grading. It replaces a shell, nsenter and setpriv, of which each start costs more than a millisecond.
 * Errors go where mpirun prints its own.
 */
#include "base/path.h"
#include "cable/end.h"
#include "sandbox/cables_address.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_SET_UP 125 /* the exit status, as env and nohup have it */

static bool is_well(const char *what, bool well)
{
    if (!well)
        perror(what);
    return well;
}

/* ip is not on everybody's path. */
static void become_ip(const char *orders)
{
    if (vl_path_add_system())
        execlp("ip", "ip", "-batch", orders, (char *)NULL);
    perror("ip");
    _exit(NOT_SET_UP);
}

static bool tell_ip(const char *orders)
{
    int status = 0;
    pid_t ip = fork();
    if (ip == 0)
        become_ip(orders);
    return is_well("ip", ip > 0 && waitpid(ip, &status, 0) == ip) && status == 0;
}

/* Mounts of its own, too: networks have their names there. */
static bool make_network(void)
{
    return is_well("unshare", unshare(CLONE_NEWNET | CLONE_NEWNS) == 0) &&
           is_well("mount", mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
}

static bool enter_network(const char *path)
{
    int network = open(path, O_RDONLY | O_CLOEXEC);
    bool well = is_well(path, network >= 0 && setns(network, CLONE_NEWNET) == 0);
    if (network >= 0)
        close(network);
    return well;
}

/* All ends, before a rank starts: what is sent to it arrives from the beginning. */
static bool set_up_ends(int ranks)
{
    int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    bool well = is_well("/proc/self/ns/net", own >= 0);
    for (int rank = 0; rank < ranks && well; rank++) {
        char path[32];
        snprintf(path, sizeof path, VL_CABLES_NETWORK, rank);
        well = enter_network(path) && vl_end_set_up(rank, ranks);
    }
    return well && is_well("setns", setns(own, CLONE_NEWNET) == 0);
}

static bool open_filter(const char *path)
{
    int file =
        open(path, O_RDONLY | O_CLOEXEC); /* no rank has another way to a file of all ranks */
    return is_well(path, file >= 0 && (file == VL_CABLES_FILTER
                                           ? fcntl(file, F_SETFD, 0) == 0
                                           : dup2(file, VL_CABLES_FILTER) == VL_CABLES_FILTER));
}

/* What a program that is started now has no more: bubblewrap wants none. */
static bool give_up_rights(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (!is_well("prctl", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0) ||
        !is_well("capget", syscall(SYS_capget, &head, sets) == 0))
        return false;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        sets[i].inheritable = 0;
    return is_well("capset", syscall(SYS_capset, &head, sets) == 0);
}

/* Where the program's words begin, or NULL. */
static char **set_up(int count, char *words[])
{
    if (count > 4 && strcmp(words[1], "switch") == 0)
        return make_network() && tell_ip(words[2]) && set_up_ends(atoi(words[3])) ? words + 4
                                                                                  : NULL;
    if (count > 4 && strcmp(words[1], "end") == 0)
        return enter_network(words[2]) && open_filter(words[3]) && give_up_rights() ? words + 4
                                                                                    : NULL;
    fprintf(stderr, "%s: switch ORDERS RANKS PROGRAM... | end NETWORK FILTER PROGRAM...\n",
            words[0]);
    return NULL;
}

int main(int count, char *words[])
{
    char **program = set_up(count, words);
    if (program == NULL)
        return NOT_SET_UP;
    execvp(program[0], program);
    perror(program[0]);
    return NOT_SET_UP;
}
