#include "grade/job/launch.h"

#include "base/place.h"
#include "base/words.h"
#include "grade/job/answers.h"
#include "grade/job/rank_folders.h"
#include "grade/sandbox/wall.h"

#include <stdlib.h>
#include <unistd.h>

static void put_ranks(struct vl_words *words, int ranks)
{
    vl_words_add(words, "-n");
    vl_words_add(words, "%d", ranks);
}

static void put_program(struct vl_words *words, const struct vl_launch *launch)
{
    vl_words_add(words, "%s", launch->program);
    for (const char *const *argument = launch->arguments; *argument != NULL; argument++)
        vl_words_add(words, "%s", *argument);
}

/* mpirun takes the programs of a job one after the other, and numbers their ranks in this order. */
static void put_rank(struct vl_words *words, const struct vl_launch *launch, int rank)
{
    struct vl_words writes = {0};
    char *folder = vl_rank_folder(launch->apart, rank);
    const char *const sees[] = {launch->program, folder, NULL};
    vl_answers_paths(&writes, launch->sandbox, rank);
    words->failed |= writes.failed || folder == NULL;
    if (rank > 0)
        vl_words_add(words, ":");
    put_ranks(words, 1);
    if (!words->failed)
        vl_wall_put(words, &(struct vl_wall){.kind = VL_WALL_WITHIN,
                                             .share = launch->ranks,
                                             .folder = launch->sandbox->folder,
                                             .where = launch->sandbox->folder,
                                             .sees = sees,
                                             .writes = (const char *const *)writes.list});
    put_program(words, launch);
    vl_words_free(&writes);
    free(folder);
}

static void put_mpirun(struct vl_words *words, const struct vl_launch *launch)
{
    static const char *const options[] = {"--oversubscribe", "--bind-to", "none", "-q"};
    vl_words_add(words, "%s", vl_place_text("mpiexec"));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        vl_words_add(words, "%s", options[i]);
    if (!launch->sandbox->apart && geteuid() == 0)
        vl_words_add(words, "--allow-run-as-root");
}

enum vl_status vl_launch(struct vl_process *process, const struct vl_launch *launch)
{
    struct vl_words words = {0};
    struct vl_limits limits = *launch->limits;
    limits.walls = launch->apart != NULL;
    put_mpirun(&words, launch);
    for (int rank = 0; rank < launch->ranks && limits.walls; rank++)
        put_rank(&words, launch, rank);
    if (!limits.walls) {
        put_ranks(&words, launch->ranks);
        put_program(&words, launch);
    }
    enum vl_status status =
        words.failed ? VL_ENOMEM
                     : vl_process_start(process, launch->sandbox, NULL, words.list, &limits);
    vl_words_free(&words);
    return status;
}
