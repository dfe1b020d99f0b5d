#include "ranks/answers.h"

#include "base/text.h"
#include "wire/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder belongs to the sandbox's user, who can put another file in a name's place: nothing is given
 * away or cut by its name. */

/* A new file of that size for the sandbox's user. -1 if that failed. */
static int make_file(const struct vl_sandbox *sandbox, const char *path, off_t bytes)
{
    unlink(path);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 &&
        (ftruncate(file, bytes) != 0 || vl_sandbox_give_open(sandbox, file) != VL_OK)) {
        close(file);
        file = -1;
    }
    return file;
}

void vl_answers_paths(struct vl_words *paths, const struct vl_sandbox *sandbox, int rank)
{
    vl_words_add(paths, "%s/" VL_BOARD_NAME, sandbox->folder, rank);
    vl_words_add(paths, "%s/" VL_RESULTS_NAME, sandbox->folder, rank);
}

static bool make_files(struct vl_answers *answers, const struct vl_sandbox *sandbox, int rank)
{
    char **made = NULL;
    vl_answers_paths(&answers->paths, sandbox, rank);
    if (answers->paths.failed)
        return false;
    made = answers->paths.list + answers->paths.count - 2;
    answers->board[rank] = make_file(sandbox, made[0], sizeof(struct vl_board_rank));
    if (answers->board[rank] < 0)
        return false;
    answers->ranks = rank + 1;
    int results = make_file(sandbox, made[1], 0);
    return results >= 0 && close(results) == 0;
}

enum vl_status vl_answers_open(struct vl_answers *answers, const struct vl_sandbox *sandbox,
                               int ranks)
{
    *answers = (struct vl_answers){0};
    bool made = ranks <= VL_BOARD_RANKS;
    for (int rank = 0; rank < ranks && made; rank++)
        made = make_files(answers, sandbox, rank);
    if (made)
        return VL_OK;
    int why = errno;
    vl_answers_close(answers);
    errno = why;
    return VL_EIO;
}

/* Boards are read, never mapped: a mapped file that its owner cuts short kills its reader. */
void vl_answers_look(struct vl_board *copy, const struct vl_answers *answers)
{
    const ssize_t whole = sizeof *copy->rank;
    for (int rank = 0; rank < answers->ranks; rank++)
        if (pread(answers->board[rank], &copy->rank[rank], (size_t)whole, 0) != whole)
            memset(&copy->rank[rank], 0, (size_t)whole);
}

void vl_answers_allow(const struct vl_answers *answers, uint32_t cases)
{
    for (int rank = 0; rank < answers->ranks; rank++)
        (void)!pwrite(answers->board[rank], &cases, sizeof cases,
                      offsetof(struct vl_board_rank, allowed));
}

int vl_answers_pipe(struct vl_answers *answers, const struct vl_sandbox *sandbox, const char *name,
                    int rank)
{
    char *path = vl_text_format("%s/%s.%d", sandbox->folder, name, rank);
    struct stat info;
    int end = -1;
    if (path != NULL) {
        unlink(path);
        if (mkfifo(path, 0600) == 0)
            end = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
        if (end >= 0 && (fstat(end, &info) != 0 || !S_ISFIFO(info.st_mode) ||
                         vl_sandbox_give_open(sandbox, end) != VL_OK)) {
            close(end);
            end = -1;
        }
        vl_words_add(&answers->paths, "%s", path);
    }
    free(path);
    return end;
}

/* Somebody's file, linked under a second name, would be cut with it. */
static bool has_one_name(int file)
{
    struct stat info;
    return fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1;
}

enum vl_status vl_answers_clear(const struct vl_sandbox *sandbox, int ranks)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        char *path = vl_text_format("%s/" VL_RESULTS_NAME, sandbox->folder, rank);
        int file = path != NULL ? open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
        status = file >= 0 && has_one_name(file) && ftruncate(file, 0) == 0 ? VL_OK : VL_EIO;
        if (file >= 0)
            close(file);
        free(path);
    }
    return status;
}

void vl_answers_close(struct vl_answers *answers)
{
    for (int rank = 0; rank < answers->ranks; rank++)
        close(answers->board[rank]);
    vl_words_free(&answers->paths);
    *answers = (struct vl_answers){0};
}
