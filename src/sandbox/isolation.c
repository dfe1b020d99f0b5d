#include "sandbox/isolation.h"

#include "base/place.h"
#include "base/words.h"
#include "sandbox/cables.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/process.h"
#include "sandbox/wall.h"

#include <string.h>

#define SECONDS 10.0
#define STANDS  "the wall stands" /* the outer one, if there are two */
#define WORKS   "the wall works"  /* what is tried says so, and need not end by itself then */

/* What is tried: do compiler and mpirun start behind ... */
enum kind { ONE_WALL, WALL_IN_WALL, CABLES };

static const char *const nothing_more[] = {NULL};

static void put_wall_within(struct vl_words *words, const struct vl_sandbox *sandbox, bool cables)
{
    vl_wall_put(words, &(struct vl_wall){.kind = VL_WALL_WITHIN,
                                         .cables = cables,
                                         .filter = VL_CABLES_FILTER,
                                         .folder = sandbox->folder,
                                         .where = sandbox->folder,
                                         .sees = nothing_more,
                                         .writes = nothing_more});
}

/* A rank also has to be told that mpirun listens at the switch. Older versions of PMIx, and other
 * MPIs, may not do as process.c asks. */
static void put_cables(struct vl_words *words, const struct vl_sandbox *sandbox)
{
    static const char listens[] =
        "\"$0\" --version && env | grep '^PMIX_SERVER_URI.*//" VL_CABLES_ADDRESS
        ":' && echo " WORKS;
    const char *const mpirun[] = {vl_place_text("mpiexec"),
                                  "--allow-run-as-root",
                                  "--oversubscribe",
                                  "--bind-to",
                                  "none",
                                  "-q",
                                  "-n",
                                  "1",
                                  NULL};
    const char *const rank[] = {"sh", "-c", listens, vl_place_text("compiler"), NULL};
    static const char stands[] = "\"$0\" --version && echo " STANDS " && exec \"$@\"";
    const char *const outer[] = {"sh", "-c", stands, vl_place_text("compiler"), NULL};
    vl_words_add_all(words, outer);
    vl_cables_put_switch(words, sandbox->folder, 1);
    vl_words_add_all(words, mpirun);
    vl_cables_put_end(words, sandbox->folder, 0);
    put_wall_within(words, sandbox, true);
    vl_words_add_all(words, rank);
}

static void put_versions(struct vl_words *words, const struct vl_sandbox *sandbox, bool nested)
{
    static const char start[] = "\"$0\" --version && \"$1\" --version && echo " WORKS;
    const char *const versions[] = {
        "sh", "-c", start, vl_place_text("compiler"), vl_place_text("mpiexec"), NULL};
    if (nested)
        put_wall_within(words, sandbox, false);
    vl_words_add_all(words, versions);
}

static enum vl_status put(struct vl_words *words, const struct vl_sandbox *sandbox, enum kind kind)
{
    enum vl_status status = VL_OK;
    if (kind == CABLES) {
        status = vl_cables_write(sandbox->folder, 1);
        put_cables(words, sandbox);
    } else {
        put_versions(words, sandbox, kind == WALL_IN_WALL);
    }
    return words->failed ? VL_ENOMEM : status;
}

static bool says(struct vl_process *process, const char *line)
{
    double until = vl_clock() + SECONDS * vl_load_average(); /* others may slow it on purpose */
    bool said = false, ended = false;
    while (!said && !ended && !vl_interrupt_seen() && vl_clock() < until) {
        ended = vl_process_poll(process, 5);
        said = strstr(process->words, line) != NULL;
    }
    return said;
}

static enum vl_status start(struct vl_process *process, const struct vl_sandbox *sandbox,
                            enum kind kind)
{
    const struct vl_limits limits = {.memory = (size_t)4 << 30,
                                     .file_size = 1u << 20,
                                     .processes = 160,
                                     .sees = nothing_more,
                                     .walls = kind != ONE_WALL};
    struct vl_words words = {0};
    enum vl_status status = put(&words, sandbox, kind);
    if (status == VL_OK)
        status = vl_process_start(process, sandbox, NULL, words.list, &limits);
    vl_words_free(&words);
    return status;
}

static enum vl_status try(bool *works, const struct vl_sandbox *sandbox, enum kind kind)
{
    struct vl_process process = {.pipe = -1};
    enum vl_status status = start(&process, sandbox, kind);
    *works = status == VL_OK && says(&process, "\n" WORKS "\n");
    if (status == VL_OK)
        vl_process_free(&process);
    vl_sandbox_sweep(sandbox);
    return status == VL_ELACK ? VL_OK : status;
}

enum vl_status vl_isolation_choose(struct vl_sandbox *sandbox, bool apart)
{
    enum vl_status status = VL_OK;
    sandbox->walled = sandbox->cables = true; /* what is tried */
    sandbox->nests = false;
    if (apart)
        status = try(&sandbox->cables, sandbox, CABLES);
    else
        sandbox->cables = false;
    sandbox->nests = sandbox->cables;
    if (apart && status == VL_OK && !sandbox->nests)
        status = try(&sandbox->nests, sandbox, WALL_IN_WALL);
    if (status == VL_OK && !sandbox->nests)
        status = try(&sandbox->walled, sandbox, ONE_WALL);
    return status;
}

static void stop(struct vl_isolation_trial *trial, const struct vl_sandbox *sandbox)
{
    if (!trial->runs)
        return;
    vl_process_free(&trial->process);
    trial->runs = false;
    vl_sandbox_sweep(sandbox);
}

enum vl_status vl_isolation_begin(struct vl_isolation_trial *trial, struct vl_sandbox *sandbox,
                                  bool apart)
{
    *trial = (struct vl_isolation_trial){.process.pipe = -1};
    if (!apart)
        return vl_isolation_choose(sandbox, apart);
    sandbox->walled = sandbox->cables = sandbox->nests = true; /* what is tried */
    trial->runs = start(&trial->process, sandbox, CABLES) == VL_OK;
    if (trial->runs && says(&trial->process, "\n" STANDS "\n"))
        return VL_OK;
    stop(trial, sandbox);
    return vl_isolation_choose(sandbox, apart);
}

enum vl_status vl_isolation_settle(struct vl_isolation_trial *trial, struct vl_sandbox *sandbox)
{
    if (!trial->runs)
        return VL_OK;
    bool works = says(&trial->process, "\n" WORKS "\n");
    stop(trial, sandbox);
    return works ? VL_OK : vl_isolation_choose(sandbox, true);
}
