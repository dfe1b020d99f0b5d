#include "wire/board.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int open_board(const char *folder, int rank, int flags)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" VL_BOARD_NAME, folder, rank);
    return open(path, O_RDWR | O_CLOEXEC | flags, 0600);
}

bool vl_board_make(const char *folder, int rank)
{
    int file = open_board(folder, rank, O_CREAT | O_EXCL);
    bool made = file >= 0 && ftruncate(file, sizeof(struct vl_board_rank)) == 0;
    if (file >= 0)
        close(file);
    return made;
}

struct vl_board_rank *vl_board_map(const char *folder, int rank)
{
    int file = open_board(folder, rank, 0);
    void *board = MAP_FAILED;
    if (file >= 0) {
        board =
            mmap(NULL, sizeof(struct vl_board_rank), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    return board != MAP_FAILED ? board : NULL;
}
