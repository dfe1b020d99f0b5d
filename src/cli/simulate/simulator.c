#include "cli/simulate/simulator.h"

#include "base/number.h"
#include "base/place.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/run/job.h"
#include "cli/shared/say.h"
#include "sandbox/interrupt.h"
#include "sandbox/machine.h"
#include "sandbox/scratch/scratch.h"
#include "simulate/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Measured on dense layouts of 64 to 2048 ranks: what the simulator takes at its peak is less. */
#define BYTES_ALONE    (128.0 * 1024 * 1024)
#define BYTES_PER_RANK (1024.0 * 1024)

/* KiB for the stack of a rank. A student's code may expect what a process has. */
#define STACK             256
#define STACK_OF_STUDENTS 8192

/* The network as alpha + beta n and fair sharing, nothing else; time passes only where we say so. A
 * message waits for its receive, as large ones do on real machines. */
static const char *const settings[] = {
    "--cfg=network/model:CM02", "--cfg=network/bandwidth-factor:1",
    "--cfg=network/latency-factor:1", "--cfg=network/weight-S:0", "--cfg=network/TCP-gamma:0",
    "--cfg=network/crosstraffic:0", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/test:0",
    "--cfg=smpi/wtime:0", "--cfg=smpi/iprobe:0", "--cfg=smpi/send-is-detached-thresh:0",
    "--log=root.thres:critical",
    /* of ranks that wait for ever we say more (outcome.h) */
    "--log=ker_engine.app:file:/dev/null", NULL};

/* ---- is all there that it needs? ---- */

static bool is_program(const char *path)
{
    return path != NULL && path[0] != '\0' && access(path, X_OK) == 0;
}

bool vl_simulator_is_there(void)
{
    char *program = vl_place_path("bin", "vialata-simulator");
    bool there = is_program(vl_place_text("smpimain")) && is_program(program);
    free(program);
    return there;
}

/* This tree has no simulator: it was built where there was no SimGrid. */
static enum vl_exit refuse_tree(void)
{
    if (vl_place_text("handed_out")[0] != '\0')
        return vl_say(VL_EXIT_LACK,
                      _("This handout was made without SimGrid, so it cannot simulate. Ask whoever "
                        "gave it to you for one made where `libsimgrid-dev` is installed. Nothing "
                        "else needs SimGrid."));
    if (vl_place_text("root")[0] == '\0')
        return vl_say(VL_EXIT_LACK,
                      _("This installation was built without SimGrid, so it cannot simulate. "
                        "Install `libsimgrid-dev`, then configure, build and install it again. "
                        "Nothing else needs SimGrid."));
    return vl_say(VL_EXIT_LACK,
                  _("`vialata simulate` needs SimGrid, and this program was built without it. "
                    "Install it with `apt-get install libsimgrid-dev` and run `./vialata simulate` "
                    "again, which builds what is missing. Nothing else needs SimGrid."));
}

enum vl_exit vl_simulator_find(void)
{
    if (vl_simulator_is_there())
        return VL_EXIT_OK;
    if (vl_place_text("smpimain")[0] == '\0' || is_program(vl_place_text("smpimain")))
        return refuse_tree();
    return vl_say(VL_EXIT_LACK,
                  _("`vialata simulate` needs SimGrid, which this machine lacks. Install it with "
                    "`apt-get install libsimgrid-dev`. Nothing else needs SimGrid."));
}

/* Is there enough for the largest of them, so often as run at a time? */
static enum vl_exit check_memory(const struct vl_simulator *simulators, size_t count, size_t most)
{
    char wanted[VL_NUMBER_TEXT], there[VL_NUMBER_TEXT];
    size_t lanes = count < most ? count : most, chips = 0;
    double needed = 0, available = (double)vl_machine_memory();
    for (size_t i = 0; i < count; i++) {
        double each = BYTES_PER_RANK + simulators[i].rank_bytes;
        double mine = BYTES_ALONE + each * (double)simulators[i].chips;
        needed = mine > needed ? mine : needed;
        chips = simulators[i].chips > chips ? simulators[i].chips : chips;
    }
    needed *= (double)lanes;
    if (needed <= available)
        return VL_EXIT_OK;
    vl_number_text(wanted, needed / (1024 * 1024), 0);
    vl_number_text(there, available / (1024 * 1024), 0);
    return vl_say(VL_EXIT_LACK,
                  _("%1$zu simulated chips need about %2$s MiB of memory, and %3$s MiB are free: "
                    "take fewer chips, or end other programs."),
                  lanes * chips, wanted, there);
}

/* ---- starting it ---- */

static enum vl_status write_files(const struct vl_simulator *simulator, const char *folder)
{
    FILE *platform = vl_scratch_begin(folder, "platform.xml");
    enum vl_status status = platform != NULL
                                ? vl_platform_write(platform, &simulator->machine, simulator->chips)
                                : VL_EIO;
    if (vl_scratch_end(platform) != VL_OK && status == VL_OK)
        status = VL_EIO;
    FILE *hosts = status == VL_OK ? vl_scratch_begin(folder, "hosts") : NULL;
    if (hosts != NULL)
        vl_platform_write_hosts(hosts, simulator->chips);
    return status == VL_OK ? vl_scratch_end(hosts) : status;
}

enum vl_exit vl_simulator_check_torus(const struct vl_cluster *machine, size_t chips)
{
    if (machine->torus == 0 || chips <= machine->domain)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("The torus of this machine has %1$zu chips, and links between tori are not "
                    "simulated: take at most that many, not %2$zu."),
                  machine->domain, chips);
}

static enum vl_exit refuse(enum vl_status status, const struct vl_simulator *simulator)
{
    if (status == VL_ESHAPE)
        return vl_simulator_check_torus(&simulator->machine, simulator->chips);
    if (status == VL_EINVAL)
        return vl_say(VL_EXIT_USAGE,
                      _("A simulation needs at least two chips, and links that carry "
                        "something: give a larger `--chips`, or a machine whose "
                        "bandwidths are above zero."));
    return vl_say_status(status);
}

/* A run, and what to remove as soon as it needs no files any more. */
struct run {
    const struct vl_simulator *simulator;
    char *folder, *program;
    struct vl_words words;
    int open; /* the same folder: SimGrid takes no path with a space or a comma in it */
    bool begun;
};

/* smpimain PROGRAM settings PLATFORM word ...; the job's command is the first of the settings. */
static void make_words(struct vl_words *words, const struct run *run)
{
    const struct vl_simulator *simulator = run->simulator;
    vl_words_add_all(words, settings);
    vl_words_add(words, "--cfg=contexts/stack-size:%d",
                 simulator->assembly != NULL ? STACK_OF_STUDENTS : STACK);
    vl_words_add(words, "--cfg=smpi/tmpdir:/proc/self/fd/%d",
                 run->open); /* copies of the program */
    vl_words_add(words, "--cfg=smpi/np:%zu", simulator->chips);
    vl_words_add(words, "--cfg=smpi/hostfile:/proc/self/fd/%d/hosts", run->open);
    vl_words_add(words, "%s/platform.xml", run->folder);
    for (int i = 0; i < simulator->count; i++)
        vl_words_add(words, "%s", simulator->words[i]);
}

/* Ranks tell nothing before all of them are there. */
static void follow(void *context, const json_t *event)
{
    struct run *run = context;
    if (!run->begun) {
        vl_scratch_remove(run->folder);
        if (run->simulator->assembly != NULL)
            vl_assembly_remove(run->simulator->assembly);
        run->begun = true;
    }
    run->simulator->event(run->simulator->context, event);
}

static enum vl_exit prepare(struct vl_job *job, struct run *run, const char *const *launcher)
{
    const struct vl_simulator *simulator = run->simulator;
    enum vl_status status = vl_scratch_create(&run->folder);
    if (status != VL_OK)
        return vl_say_status(status);
    status = write_files(simulator, run->folder);
    run->open = open(run->folder, O_PATH | O_DIRECTORY); /* inherited */
    if (status == VL_OK && run->open < 0)
        status = VL_EIO;
    if (status != VL_OK)
        return refuse(status, simulator);
    run->program = simulator->assembly != NULL ? strdup(simulator->assembly->program)
                                               : vl_place_path("bin", simulator->program);
    make_words(&run->words, run);
    if (run->words.failed || run->program == NULL)
        return vl_say_status(VL_ENOMEM);
    *job = (struct vl_job){.command = simulator->private_globals ? "--cfg=smpi/privatization:dlopen"
                                                                 : "--cfg=smpi/privatization:no",
                           .program = run->program,
                           .words = (const char *const *)run->words.list,
                           .count = (int)run->words.count,
                           .ranks = (int)simulator->chips,
                           .launcher = launcher,
                           .plain = 1,
                           .event = follow,
                           .context = run};
    return VL_EXIT_OK;
}

static void clear(struct run *run)
{
    if (run->open >= 0)
        close(run->open);
    if (run->folder != NULL)
        vl_scratch_remove(run->folder);
    free(run->folder);
    free(run->program);
    vl_words_free(&run->words);
}

/* A signal that has come already is raised again (sandbox/interrupt.h). */
static enum vl_exit start(struct vl_job *jobs, struct run *runs, size_t count, size_t most)
{
    const char *const launcher[] = {vl_place_text("smpimain"), NULL};
    enum vl_exit result = VL_EXIT_OK;
    for (size_t i = 0; i < count && result == VL_EXIT_OK; i++)
        result = prepare(&jobs[i], &runs[i], launcher);
    if (result == VL_EXIT_OK)
        result = vl_interrupt_seen() ? VL_EXIT_FAULT : vl_jobs_run(jobs, count, most);
    return result;
}

enum vl_exit vl_simulators_run(const struct vl_simulator *simulators, size_t count, size_t most)
{
    enum vl_exit result = check_memory(simulators, count, most);
    if (result != VL_EXIT_OK)
        return result;
    struct vl_job *jobs = calloc(count, sizeof *jobs);
    struct run *runs = calloc(count, sizeof *runs);
    for (size_t i = 0; runs != NULL && i < count; i++)
        runs[i] = (struct run){.simulator = &simulators[i], .open = -1};
    result =
        jobs != NULL && runs != NULL ? start(jobs, runs, count, most) : vl_say_status(VL_ENOMEM);
    for (size_t i = 0; runs != NULL && i < count; i++)
        clear(&runs[i]);
    free(runs);
    free(jobs);
    return result;
}

enum vl_exit vl_simulator_run(const struct vl_simulator *simulator)
{
    return vl_simulators_run(simulator, 1, 1);
}
