#include "cli/train/launch.h"

#include "base/text.h"
#include "cli/run/srun.h"
#include "cli/shared/say.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* mpirun hands on only what is named, and complains about a name that has no value. */
static void add_environment(struct vl_words *words)
{
    static const char *const names[] = {"VIALATA_LANG", "VIALATA_PLACE", "VIALATA_BLAS_THREADS",
                                        "OPENBLAS_CORETYPE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (getenv(names[i]) == NULL)
            continue;
        vl_words_add(words, "-x");
        vl_words_add(words, "%s", names[i]);
    }
}

static enum vl_exit set_hostfile(struct vl_job *job, struct vl_words *words, const char *hostfile)
{
    if (access(hostfile, R_OK) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("The list of hosts %s cannot be read (%m): name a file with one host per "
                        "line after `--hostfile`."),
                      hostfile);
    vl_words_add(words, "--hostfile");
    vl_words_add(words, "%s", hostfile);
    add_environment(words);
    job->options = (const char *const *)words->list;
    job->elsewhere = 1;
    return VL_EXIT_OK;
}

static enum vl_exit set_srun(struct vl_job *job, struct vl_words *words)
{
    enum vl_exit result = vl_srun_begin(words, job->ranks);
    job->launcher = (const char *const *)words->list;
    job->elsewhere = 1;
    return result;
}

enum vl_exit vl_launch_set(struct vl_job *job, struct vl_words *words,
                           const struct vl_options *options)
{
    enum vl_exit result = VL_EXIT_OK;
    if (strcmp(options->launcher, "srun") == 0)
        result = set_srun(job, words);
    else if (options->hostfile != NULL)
        result = set_hostfile(job, words, options->hostfile);
    return words->failed ? vl_say_status(VL_ENOMEM) : result;
}
