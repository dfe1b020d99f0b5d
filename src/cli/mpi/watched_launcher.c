#include "cli/mpi/watched_launcher.h"

#include "base/text.h"
#include "cli/mpi/tool_output.h"
#include "cli/run/job.h"
#include "cli/run/srun.h"
#include "cli/shared/say.h"
#include "train/options/options_launch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum vl_exit set_mpirun(struct vl_words *words, int ranks)
{
    char *mpirun = vl_job_mpirun();
    if (mpirun == NULL)
        return vl_job_refuse_mpirun();
    vl_words_add(words, "%s", mpirun);
    /* Which rank runs on which processor stays with mpirun, so that the program is as fast as without us. */
    vl_words_add(words, "--oversubscribe");
    if (geteuid() == 0)
        vl_words_add(words, "--allow-run-as-root");
    vl_words_add(words, "-n");
    vl_words_add(words, "%d", ranks);
    free(mpirun);
    return VL_EXIT_OK;
}

/* What Slurm calls this computer: it says so inside a job, else the name of the computer may be known to it. */
static bool is_node(char name[HOST_NAME_MAX + 1])
{
    const char *told = getenv("SLURMD_NODENAME");
    if (told != NULL && strlen(told) <= HOST_NAME_MAX) {
        strcpy(name, told);
        return true;
    }
    if (gethostname(name, HOST_NAME_MAX + 1) != 0)
        return false;
    name[HOST_NAME_MAX] = '\0';
    name[strcspn(name, ".")] = '\0';
    char *const words[] = {
        (char *)"sinfo", (char *)"--noheader", (char *)"--Node", (char *)"--nodes", name, NULL};
    char *found = vl_tool_output(words);
    bool known = found != NULL && found[0] != '\0';
    free(found);
    return known;
}

static enum vl_exit set_srun(struct vl_words *words, int ranks)
{
    char node[HOST_NAME_MAX + 1];
    enum vl_exit result = vl_srun_begin(words, ranks);
    if (result != VL_EXIT_OK)
        return result;
    if (!is_node(node))
        return vl_say(VL_EXIT_LACK,
                      _("This computer is not one of Slurm's nodes, and ranks on another computer "
                        "cannot be watched: start `vialata mpi --launcher srun` on a node, for "
                        "example from a script for `sbatch`."));
    vl_words_add(words, "--nodes=1");
    vl_words_add(words, "--nodelist=%s", node);
    /* As mpirun has it: more ranks than processors, and next to the step that we are in; rank 0 reads what there is
     * to read; one Ctrl-C is enough. */
    vl_words_add_all(words, (const char *const[]){"--overcommit", "--overlap", "--input=0",
                                                  "--quit-on-interrupt", "env", NULL});
    return VL_EXIT_OK;
}

enum vl_exit vl_watched_launcher_set(struct vl_watched_launcher *launcher, const char *name,
                                     int ranks)
{
    *launcher = (struct vl_watched_launcher){0};
    const char *refused = vl_launcher_refused(&launcher->is_srun, name);
    if (refused != NULL)
        return vl_say(VL_EXIT_USAGE, "%s", refused);
    enum vl_exit result =
        launcher->is_srun ? set_srun(&launcher->words, ranks) : set_mpirun(&launcher->words, ranks);
    return launcher->words.failed ? vl_say_status(VL_ENOMEM) : result;
}

void vl_watched_launcher_export(const struct vl_watched_launcher *launcher, struct vl_words *words,
                                const char *name, const char *value)
{
    if (!launcher->is_srun)
        vl_words_add(words, "-x");
    vl_words_add(words, "%s=%s", name, value);
}

void vl_watched_launcher_free(struct vl_watched_launcher *launcher)
{
    vl_words_free(&launcher->words);
}
