/* open: root user */
#include <sched.h>
#include <sys/wait.h>

static int makes_a_namespace(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(unshare(CLONE_NEWUSER) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}
