#include "train/run/keep.h"

#include "base/file.h"
#include "base/text.h"
#include "engine/mesh/whole_state.h"
#include "engine/schedule/schedule_make.h"
#include "train/log/log.h"
#include "train/run/setup.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>

static enum vl_status refuse(struct vl_problem *problem, enum vl_status status, const char *path)
{
    return status == VL_EIO ? vl_problem_writing(problem, path)
                            : vl_problem_status(problem, status);
}

static enum vl_status try_place(const char *path, struct vl_problem *problem)
{
    enum vl_status status = path != NULL ? vl_file_try(path) : VL_OK;
    return status == VL_OK ? VL_OK : refuse(problem, status, path);
}

/* A file that one option writes must not be read or written by another: what is in it would be
 * lost, and only after the run. The exception: --save may write to the file of --resume. */
static enum vl_status refuse_twice_used(const struct vl_options *o, struct vl_problem *problem)
{
    int own_schedule = o->schedule != NULL && vl_schedule_find(o->schedule) == VL_NAMED;
    enum { SAVE, LOG, TRACE, PAGE, WRITTEN, RESUME = WRITTEN, DATA, SCHEDULE, FILES };
    const struct {
        const char *option, *path;
    } files[FILES] = {[SAVE] = {"--save", o->save},
                      [LOG] = {"--log", o->log},
                      [TRACE] = {"--trace", o->trace},
                      [PAGE] = {"--page", o->page},
                      [RESUME] = {"--resume", o->resume},
                      [DATA] = {"--data", o->data},
                      [SCHEDULE] = {"--schedule", own_schedule ? o->schedule : NULL}};
    for (size_t i = 0; i < WRITTEN; i++)
        for (size_t k = i + 1; k < FILES; k++) {
            if (files[i].path == NULL || files[k].path == NULL || (i == SAVE && k == RESUME) ||
                !vl_file_is_same(files[i].path, files[k].path))
                continue;
            return vl_problem_set(problem, VL_EINVAL, "file_used_twice",
                                  _("`%1$s` and `%2$s` lead to the same file, %3$s, and what is in "
                                    "it would be lost: give `%1$s` another name."),
                                  files[i].option, files[k].option, files[i].path);
        }
    return VL_OK;
}

/* A model that took a night is worth a question, and so is anything else that --save would replace.
 * Nothing is lost with an empty file. */
static enum vl_status refuse_foreign(const char *path, struct vl_problem *problem)
{
    struct vl_checkpoint *old = NULL;
    struct stat info;
    const char *reason;
    if (stat(path, &info) != 0 || info.st_size == 0)
        return VL_OK;
    enum vl_status status = vl_checkpoint_open(&old, path, &reason);
    vl_checkpoint_close(old);
    if (status == VL_EFORMAT) {
        vl_problem_set(
            problem, VL_EINVAL, "save_foreign",
            _("%s already exists and is not a checkpoint of vialata, or it is damaged. It was "
              "not overwritten: choose another name after `--save`, or remove that file first."),
            path);
        problem->detail = reason;
        return VL_EINVAL;
    }
    if (status == VL_EIO)
        return vl_problem_reading(problem, path);
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}

static enum vl_status lock(struct vl_file_lock *lock, const char *path, const char *option,
                           struct vl_problem *problem)
{
    enum vl_status status = path != NULL ? vl_file_lock(lock, path) : VL_OK;
    if (status == VL_EIO && errno == EWOULDBLOCK)
        return vl_problem_set(problem, VL_EINVAL, "file_in_use",
                              _("Another run is writing to %1$s: wait until it ends, or choose "
                                "another name after `%2$s`."),
                              path, option);
    return status == VL_OK ? VL_OK : refuse(problem, status, path);
}

static enum vl_status check_places(struct vl_keep_locks *locks, const struct vl_options *options,
                                   struct vl_problem *problem)
{
    enum vl_status status = refuse_twice_used(options, problem);
    if (status == VL_OK)
        status = try_place(options->save, problem);
    if (status == VL_OK)
        status = lock(&locks->save, options->save, "--save", problem);
    if (status == VL_OK && options->save != NULL)
        status = refuse_foreign(options->save, problem);
    if (status == VL_OK)
        status = lock(&locks->log, options->log, "--log", problem);
    if (status == VL_OK)
        status = try_place(options->trace, problem);
    return status == VL_OK ? try_place(options->page, problem) : status;
}

void vl_keep_release(struct vl_keep_locks *locks)
{
    vl_file_unlock(&locks->save);
    vl_file_unlock(&locks->log);
}

enum vl_status vl_keep_prepare(struct vl_keep_locks *locks, const struct vl_options *options,
                               FILE *events, struct vl_problem *problem)
{
    const char *path = options->save;
    int foreign = 0;
    enum vl_status status = check_places(locks, options, problem);
    if (status != VL_OK || path == NULL)
        return status;
    status = vl_checkpoint_describe(path, &options->shape, &options->experts, &foreign);
    if (status != VL_OK)
        return refuse(problem, status, path);
    if (foreign) {
        struct vl_problem warning;
        vl_problem_set(&warning, VL_OK, "config_foreign",
                       _("The config.json next to %s is not from vialata and stays as it is: other "
                         "tools will not know this model by it."),
                       path);
        if (events != NULL)
            vl_log_print_problem(events, "warning", &warning);
        else
            fprintf(stderr, "%s\n", warning.message);
    }
    return VL_OK;
}

/* Does this rank hold the whole state by itself? */
static bool is_whole(const struct vl_replicated *part)
{
    const struct vl_mesh *mesh = part->how.mesh;
    return part->how.zero == 0 &&
           (mesh == NULL || (mesh->tp == 1 && mesh->pp == 1 && mesh->ep == 1));
}

enum vl_status vl_keep_save(const struct vl_options *options, const struct vl_replicated *part,
                            const struct vl_training_state *state, struct vl_problem *problem)
{
    const char *path = options->save;
    const struct vl_mesh *mesh = part->how.mesh;
    int writes = mesh == NULL || mesh->rank == 0, whole_here = is_whole(part);
    struct vl_whole_state gathered = {.whole = {.bias = NULL}};
    enum vl_status status = whole_here ? VL_OK : vl_whole_state_gather(&gathered, part);
    if (status == VL_OK && writes)
        status = whole_here ? vl_checkpoint_save(path, part->model, state)
                            : vl_checkpoint_save_arrays(path, &gathered.whole, state);
    vl_whole_state_free(&gathered);
    return status == VL_OK ? VL_OK : refuse(problem, status, path);
}

enum vl_status vl_keep_load(struct vl_replicated *part, const struct vl_checkpoint *checkpoint,
                            const char *path, struct vl_problem *problem)
{
    enum vl_status status = vl_whole_state_load(part, checkpoint);
    if (status == VL_EFORMAT)
        return vl_setup_refuse(problem, path, "a tensor is missing or misshapen");
    return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
}
