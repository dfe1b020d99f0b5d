#include "grade/sandbox/isolation.h"

#include "base/place.h"
#include "base/words.h"
#include "grade/sandbox/process.h"
#include "grade/sandbox/wall.h"

static const char *const nothing_more[] = {NULL};

/* Do compiler and mpirun start behind a wall, or behind one inside another? */
static enum vl_status try(bool *works, const struct vl_sandbox *sandbox, bool nested)
{
    const struct vl_limits limits = {.seconds = 10,
                                     .memory = (size_t)4 << 30,
                                     .file_size = 1u << 20,
                                     .processes = 160,
                                     .sees = nothing_more,
                                     .walls = nested};
    const char *const command[] = {"sh", "-c", "\"$0\" --version && \"$1\" --version",
                                   vl_place_text("compiler"), vl_place_text("mpiexec")};
    struct vl_words words = {0};
    struct vl_process process = {.pipe = -1};
    if (nested)
        vl_wall_put(&words, &(struct vl_wall){.kind = VL_WALL_WITHIN,
                                              .folder = sandbox->folder,
                                              .where = sandbox->folder,
                                              .sees = nothing_more,
                                              .writes = nothing_more});
    for (size_t i = 0; i < sizeof command / sizeof *command; i++)
        vl_words_add(&words, "%s", command[i]);
    enum vl_status status = words.failed ? VL_ENOMEM : VL_OK;
    if (status == VL_OK)
        status = vl_process_run(&process, sandbox, NULL, words.list, &limits);
    *works = status == VL_OK && process.exit == 0;
    if (status == VL_OK)
        vl_process_free(&process);
    vl_words_free(&words);
    vl_sandbox_sweep(sandbox);
    return status == VL_ELACK ? VL_OK : status;
}

enum vl_status vl_isolation_choose(struct vl_sandbox *sandbox)
{
    sandbox->walled = true; /* what is tried */
    enum vl_status status = try(&sandbox->nests, sandbox, true);
    if (status == VL_OK && !sandbox->nests)
        status = try(&sandbox->walled, sandbox, false);
    return status;
}
