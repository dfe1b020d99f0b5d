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

static enum vl_exit refuse(enum vl_status status, const struct vl_simulator *simulator)
{
    if (status == VL_ESHAPE)
        return vl_say(VL_EXIT_USAGE,
                      _("The torus of this machine has %1$zu chips, and links between tori are not "
                        "simulated: take at most so many of the %2$zu."),
                      simulator->machine.domain, simulator->chips);
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

static enum vl_exit start(const struct vl_simulator *simulator, const char *folder)
{
    struct vl_words words = {0};
    char *program = vl_place_path("bin", simulator->program);
    const char *const launcher[] = {vl_place_text("smpimain"), NULL};
    make_words(&words, simulator, folder);
    enum vl_exit result = VL_EXIT_OK;
    if (words.failed || program == NULL) {
        result = vl_say_status(VL_ENOMEM);
    } else {
        const struct vl_job job = {.command = simulator->private_globals
                                                  ? "--cfg=smpi/privatization:dlopen"
                                                  : "--cfg=smpi/privatization:no",
                                   .program = program,
                                   .words = (const char *const *)words.list,
                                   .count = (int)words.count,
                                   .ranks = (int)simulator->chips,
                                   .launcher = launcher,
                                   .plain = 1,
                                   .event = simulator->event,
                                   .context = simulator->context};
        result = vl_job_run(&job);
    }
    free(program);
    vl_words_free(&words);
    return result;
}

enum vl_exit vl_simulator_run(const struct vl_simulator *simulator)
{
    char *folder = NULL;
    enum vl_status status = vl_scratch_create(&folder);
    if (status != VL_OK)
        return vl_say_status(status);
    status = write_files(simulator, folder);
    enum vl_exit result = status == VL_OK ? start(simulator, folder) : refuse(status, simulator);
    vl_scratch_remove(folder);
    free(folder);
    return result;
}
