#include "grade/job/answers.h"

#include "base/text.h"
#include "wire/board.h"
#include "wire/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new file of that size for the sandbox's user. -1 if that failed. */
static int make_file(struct vl_answers *answers, const struct vl_sandbox *sandbox, char *path,
                     off_t bytes)
{
    if (path == NULL)
        return -1;
    unlink(path);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 && (ftruncate(file, bytes) != 0 || vl_sandbox_give(sandbox, path) != VL_OK)) {
        close(file);
        file = -1;
    }
    vl_words_add(&answers->paths, "%s", path);
    return file;
}

static char *results_of(const struct vl_sandbox *sandbox, int rank)
{
    return vl_text_format("%s/" VL_RESULTS_NAME, sandbox->folder, rank);
}

enum vl_status vl_answers_open(struct vl_answers *answers, const struct vl_sandbox *sandbox,
                               int ranks)
{
    *answers = (struct vl_answers){.board = -1};
    char *path = vl_text_format("%s/board", sandbox->folder);
    answers->board = make_file(answers, sandbox, path, sizeof(struct vl_board));
    free(path);
    bool made = answers->board >= 0;
    for (int rank = 0; rank < ranks && made; rank++) {
        path = results_of(sandbox, rank);
        int file = make_file(answers, sandbox, path, 0);
        made = file >= 0;
        if (made)
            close(file);
        free(path);
    }
    if (made && !answers->paths.failed)
        return VL_OK;
    int why = errno;
    vl_answers_close(answers);
    errno = why;
    return VL_EIO;
}

int vl_answers_pipe(struct vl_answers *answers, const struct vl_sandbox *sandbox, const char *name,
                    int rank)
{
    char *path = vl_text_format("%s/%s.%d", sandbox->folder, name, rank);
    int end = -1;
    if (path != NULL) {
        unlink(path);
        if (mkfifo(path, 0600) == 0)
            end = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (end >= 0 && vl_sandbox_give(sandbox, path) != VL_OK) {
            close(end);
            end = -1;
        }
        vl_words_add(&answers->paths, "%s", path);
    }
    free(path);
    return end;
}

enum vl_status vl_answers_clear(const struct vl_sandbox *sandbox, int ranks)
{
    enum vl_status status = VL_OK;
    for (int rank = 0; rank < ranks && status == VL_OK; rank++) {
        char *path = results_of(sandbox, rank);
        int file = path != NULL ? open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
        status = file >= 0 && ftruncate(file, 0) == 0 ? VL_OK : VL_EIO;
        if (file >= 0)
            close(file);
        free(path);
    }
    return status;
}

void vl_answers_close(struct vl_answers *answers)
{
    if (answers->board >= 0)
        close(answers->board);
    vl_words_free(&answers->paths);
    *answers = (struct vl_answers){.board = -1};
}
