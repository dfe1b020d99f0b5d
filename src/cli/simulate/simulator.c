#include "cli/simulate/simulator.h"

#include "base/number.h"
#include "base/place.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/shared/job.h"
#include "cli/shared/say.h"
#include "sandbox/scratch.h"
#include "simulate/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Measured on dense layouts of 64 to 2,048 ranks: what the simulator takes at its peak is less. */
#define BYTES_ALONE    (128.0 * 1024 * 1024)
#define BYTES_PER_RANK (1024.0 * 1024)

/* The network as alpha + beta n and fair sharing, nothing else; time passes only where we say so. A
 * message waits for its receive, as large ones do on real machines. */
static const char *const settings[] = {"--cfg=network/model:CM02",
                                       "--cfg=network/bandwidth-factor:1",
                                       "--cfg=network/latency-factor:1",
                                       "--cfg=network/weight-S:0",
                                       "--cfg=network/TCP-gamma:0",
                                       "--cfg=network/crosstraffic:0",
                                       "--cfg=smpi/simulate-computation:no",
                                       "--cfg=smpi/test:0",
                                       "--cfg=smpi/wtime:0",
                                       "--cfg=smpi/iprobe:0",
                                       "--cfg=smpi/send-is-detached-thresh:0",
                                       "--cfg=contexts/stack-size:256",
                                       "--log=root.thres:critical",
                                       NULL};

enum vl_exit vl_simulator_find(void)
{
    const char *program = vl_place_text("smpimain");
    if (program[0] != '\0' && access(program, X_OK) == 0)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_LACK,
                  _("`vialata simulate` needs SimGrid, and this program was built without it. "
                    "Install it with `apt-get install libsimgrid-dev` and run `./vialata simulate` "
                    "again, which builds what is missing. Nothing else needs SimGrid."));
}

enum vl_exit vl_simulator_check_memory(size_t chips)
{
    char wanted[VL_NUMBER_TEXT], there[VL_NUMBER_TEXT];
    double needed = BYTES_ALONE + BYTES_PER_RANK * (double)chips;
    double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (needed <= available)
        return VL_EXIT_OK;
    vl_number_text(wanted, needed / (1024 * 1024), 0);
    vl_number_text(there, available / (1024 * 1024), 0);
    return vl_say(VL_EXIT_LACK,
                  _("%1$zu simulated chips need about %2$s MiB of memory, and %3$s MiB are free: "
                    "take fewer chips, or end other programs."),
                  chips, wanted, there);
}

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
                    "simulated: take at most so many of the %2$zu."),
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

/* smpimain PROGRAM settings PLATFORM word ...; the job's command is the first of the settings. */
static void make_words(struct vl_words *words, const struct vl_simulator *simulator,
                       const char *folder)
{
    vl_words_add_all(words, settings);
    vl_words_add(words, "--cfg=smpi/np:%zu", simulator->chips);
    vl_words_add(words, "--cfg=smpi/hostfile:%s/hosts", folder);
    vl_words_add(words, "%s/platform.xml", folder);
    for (int i = 0; i < simulator->count; i++)
        vl_words_add(words, "%s", simulator->words[i]);
}

/* ---- runs ---- */

/* What a job needs as long as it runs. */
struct stage {
    char *folder, *program;
    struct vl_words words;
};

static enum vl_exit prepare(struct vl_job *job, struct stage *stage,
                            const struct vl_simulator *simulator, const char *const *launcher)
{
    enum vl_status status = vl_scratch_create(&stage->folder);
    if (status == VL_OK)
        status = write_files(simulator, stage->folder);
    if (status != VL_OK)
        return refuse(status, simulator);
    stage->program = vl_place_path("bin", simulator->program);
    make_words(&stage->words, simulator, stage->folder);
    if (stage->words.failed || stage->program == NULL)
        return vl_say_status(VL_ENOMEM);
    *job = (struct vl_job){.command = simulator->private_globals ? "--cfg=smpi/privatization:dlopen"
                                                                 : "--cfg=smpi/privatization:no",
                           .program = stage->program,
                           .words = (const char *const *)stage->words.list,
                           .count = (int)stage->words.count,
                           .ranks = (int)simulator->chips,
                           .launcher = launcher,
                           .plain = 1,
                           .event = simulator->event,
                           .context = simulator->context};
    return VL_EXIT_OK;
}

static void clear(struct stage *stage)
{
    if (stage->folder != NULL)
        vl_scratch_remove(stage->folder);
    free(stage->folder);
    free(stage->program);
    vl_words_free(&stage->words);
}

enum vl_exit vl_simulators_run(const struct vl_simulator *simulators, size_t count, size_t most)
{
    const char *const launcher[] = {vl_place_text("smpimain"), NULL};
    struct vl_job *jobs = calloc(count, sizeof *jobs);
    struct stage *stages = calloc(count, sizeof *stages);
    enum vl_exit result = jobs != NULL && stages != NULL ? VL_EXIT_OK : vl_say_status(VL_ENOMEM);
    for (size_t i = 0; i < count && result == VL_EXIT_OK; i++)
        result = prepare(&jobs[i], &stages[i], &simulators[i], launcher);
    if (result == VL_EXIT_OK)
        result = vl_jobs_run(jobs, count, most);
    for (size_t i = 0; i < count && stages != NULL; i++)
        clear(&stages[i]);
    free(stages);
    free(jobs);
    return result;
}

enum vl_exit vl_simulator_run(const struct vl_simulator *simulator)
{
    return vl_simulators_run(simulator, 1, 1);
}
