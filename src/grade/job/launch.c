#include "grade/job/launch.h"

#include "base/path.h"
#include "base/place.h"
#include "grade/sandbox/scratch.h"
#include "wire/board.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum vl_status vl_launch(struct vl_process *process, const struct vl_sandbox *sandbox,
                         const char *program, int ranks, const char *const *arguments,
                         const struct vl_limits *limits)
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
    return vl_process_start(process, sandbox, NULL, (char *const *)argv, limits);
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
