#include "grade/job/launch.h"

#include "base/path.h"
#include "base/place.h"
#include "grade/sandbox/scratch.h"
#include "wire/board.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum vl_status vl_launch(struct vl_process *process, const struct vl_sandbox *sandbox,
                         const char *program, int ranks, const char *const *arguments,
                         const struct vl_limits *bounds)
{
    char number[16];
    snprintf(number, sizeof number, "%d", ranks);
    const char *argv[24] = {
        vl_place_text("mpiexec"), "-n", number, "--oversubscribe", "--bind-to", "none", "-q"};
    size_t n = 7;
    if (!sandbox->apart && geteuid() == 0)
        argv[n++] = "--allow-run-as-root";
    argv[n++] = program;
    while (*arguments != NULL && n < 22)
        argv[n++] = *arguments++;
    return vl_process_start(process, sandbox, NULL, (char *const *)argv, bounds);
}

int vl_launch_board(const struct vl_sandbox *sandbox)
{
    char *path = vl_path_join(sandbox->folder, "board");
    if (path == NULL)
        return -1;
    unlink(path);
    int board = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (board >= 0 && (ftruncate(board, sizeof(struct vl_board)) != 0 ||
                       vl_sandbox_give(sandbox, path) != VL_OK)) {
        close(board);
        board = -1;
    }
    free(path);
    return board;
}

/* ---- under gdb ---- */

static void become_gdb(char *const *argv)
{
    signal(SIGINT, SIG_DFL);
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execvp(argv[0], argv);
    _exit(127);
}

enum vl_status vl_launch_gdb(const char *program, const char *folder, const char *out,
                             const char *function, int ranks)
{
    char stop[128], others[16];
    snprintf(stop, sizeof stop, "break %s", function);
    snprintf(others, sizeof others, "%d", ranks - 1);
    /* Of several ranks gdb is on rank 0 only: one terminal, one conversation. */
    const char *const mpiexec = vl_place_text("mpiexec"), *const rest = ranks > 1 ? ":" : NULL;
    const char *const argv[] = {
        mpiexec, "--oversubscribe", "-n",    "1",     "gdb",  "-q", "-ex", stop, "-ex",
        "run",   "--args",          program, "cases", folder, out,  rest,  "-n", others,
        program, "cases",           folder,  out,     NULL};
    /* Ctrl-C is for gdb then. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before);
    pid_t child = fork();
    if (child == 0)
        become_gdb((char *const *)(ranks > 1 ? argv : argv + 4));
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &before, NULL);
    if (child < 0)
        return VL_EIO;
    return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? VL_ELACK : VL_OK;
}
