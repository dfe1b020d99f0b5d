#include "cli/class/slurm/slurm_program.h"

#include "base/path.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *vl_slurm_lacks(void)
{
    static const char *const programs[] = {"sbatch", "squeue", "scancel"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char *path = vl_path_program(programs[i]);
        free(path);
        if (path == NULL)
            return programs[i];
    }
    return NULL;
}

/* In the child. Its own group keeps the terminal's Ctrl-C from it. */
static void become(char *const *words, int out)
{
    int nothing = open("/dev/null", O_RDONLY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execvp(words[0], words);
    _exit(127);
}

/* Also what follows the first line is read, so that the program can end. */
static void read_line(char *line, size_t n, int from)
{
    char rest[256];
    line[0] = '\0';
    FILE *stream = fdopen(from, "r");
    if (stream == NULL) {
        close(from);
        return;
    }
    if (fgets(line, (int)n, stream) != NULL)
        line[strcspn(line, "\r\n")] = '\0';
    while (fgets(rest, sizeof rest, stream) != NULL)
        ;
    fclose(stream);
}

int vl_slurm_program(char *line, size_t n, const struct vl_words *words)
{
    int ends[2], how = 0;
    line[0] = '\0';
    if (words->failed || words->count == 0 || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(words->list, ends[1]);
    close(ends[1]);
    read_line(line, n, ends[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return -1;
    return child > 0 && WIFEXITED(how) && WEXITSTATUS(how) != 127 ? WEXITSTATUS(how) : -1;
}
