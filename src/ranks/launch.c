#include "ranks/launch.h"

#include "base/place.h"
#include "base/words.h"
#include "ranks/answers.h"
#include "ranks/rank_folders.h"
#include "sandbox/cables.h"
#include "sandbox/wall.h"

#include <stdlib.h>

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
    if (launch->sandbox->cables)
        vl_cables_put_end(words, launch->apart, rank);
    if (!words->failed)
        vl_wall_put(words, &(struct vl_wall){.kind = VL_WALL_WITHIN,
                                             .cables = launch->sandbox->cables,
                                             .filter = VL_CABLES_FILTER,
                                             .share = launch->ranks,
                                             .folder = launch->sandbox->folder,
                                             .where = launch->sandbox->folder,
                                             .sees = sees,
                                             .writes = (const char *const *)writes.list});
    put_program(words, launch);
    vl_words_free(&writes);
    free(folder);
}

static void put_mpirun(struct vl_words *words)
{
    static const char *const options[] = {"--oversubscribe",     "--bind-to", "none", "-q",
                                          "--allow-run-as-root", NULL};
    vl_words_add(words, "%s", vl_place_text("mpiexec"));
    vl_words_add_all(words, options);
}

enum vl_status vl_launch(struct vl_process *process, const struct vl_launch *launch)
{
    struct vl_words words = {0};
    struct vl_limits limits = *launch->limits;
    limits.walls = launch->apart != NULL;
    enum vl_status status = VL_OK;
    if (limits.walls && launch->sandbox->cables) {
        status = vl_cables_write(launch->apart, launch->ranks);
        vl_cables_put_switch(&words, launch->apart, launch->ranks);
    }
    put_mpirun(&words);
    for (int rank = 0; rank < launch->ranks && limits.walls; rank++)
        put_rank(&words, launch, rank);
    if (!limits.walls) {
        put_ranks(&words, launch->ranks);
        put_program(&words, launch);
    }
    if (words.failed)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_process_start(process, launch->sandbox, NULL, words.list, &limits);
    vl_words_free(&words);
    return status;
}
