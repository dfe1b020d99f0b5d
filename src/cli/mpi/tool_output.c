#include "cli/mpi/tool_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Its standard output becomes 'out'. 0 if it could not be started. */
static pid_t start(char *const words[], int out)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, words[0], &actions, NULL, words, environ) != 0)
        pid = 0;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

char *vl_tool_output(char *const words[])
{
    int ends[2];
    char *text = NULL;
    size_t size = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    pid_t pid = start(words, ends[1]);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    ssize_t length = pid > 0 && stream != NULL ? getdelim(&text, &size, '\0', stream) : 0;
    if (stream != NULL)
        fclose(stream);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    if (pid > 0 && length < 0 && text != NULL)
        text[0] = '\0';
    return text;
}
