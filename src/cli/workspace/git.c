#include "cli/workspace/git.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 40

/* A repository of another user's, as in a container, is trusted if it is this folder's own. Not so one in
 * a folder above, such as /tmp, where anybody may have put it: its settings say what git starts. */
static void become_git(const char *folder, const char *const *words, int out)
{
    char own[PATH_MAX], trusted[PATH_MAX + 16] = "safe.directory=";
    if (realpath(folder, own) != NULL)
        strcat(trusted, own);

    static const char *const foreign[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
                                          "GIT_PREFIX", "GIT_COMMON_DIR"};
    const char *argv[WORDS_MOST + 8] = {"git", "-C", folder, "-c", trusted};
    size_t n = 5;
    for (size_t i = 0; words[i] != NULL && i < WORDS_MOST; i++)
        argv[n++] = words[i];
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        unsetenv(foreign[i]);
    setenv("GIT_TERMINAL_PROMPT", "0", 1);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvp(argv[0], (char *const *)argv);
    _exit(127);
}

static char *read_all(int from, size_t *n)
{
    char *text = NULL, part[4096];
    FILE *stream = open_memstream(&text, n);
    ssize_t got = 1;
    while (stream != NULL && got > 0) {
        got = read(from, part, sizeof part);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            fwrite(part, 1, (size_t)got, stream);
    }
    if (stream != NULL)
        fclose(stream);
    return text;
}

int vl_git(char **out, size_t *n, const char *folder, const char *const *words)
{
    int ends[2] = {-1, -1}, status = 0;
    size_t length = 0;
    if (out != NULL)
        *out = NULL;
    if (out != NULL && pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_git(folder, words, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    if (out != NULL && child > 0)
        *out = read_all(ends[0], n != NULL ? n : &length);
    if (ends[0] >= 0)
        close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}
