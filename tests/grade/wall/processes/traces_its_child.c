/* open: root user */
#include <sys/ptrace.h>
#include <sys/wait.h>

/* Another rank could be one. */
static int traces_its_child(void)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0);
    waitpid(child, &status, 0);
    return status == 0;
}
