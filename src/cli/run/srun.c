#include "cli/run/srun.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/shared/say.h"

#include <stdlib.h>

enum vl_exit vl_srun_begin(struct vl_words *words, int ranks)
{
    char *srun = vl_path_program("srun");
    if (srun == NULL)
        return vl_say(VL_EXIT_LACK,
                      _("There is no program `%s` here, and `--launcher srun` needs it: install "
                        "Slurm's commands, or drop `--launcher`."),
                      "srun");
    vl_words_add(words, "%s", srun);
    vl_words_add(words, "--ntasks=%d", ranks);
    vl_words_add(words, "--mpi=pmix");
    vl_words_add(words, "--kill-on-bad-exit=1"); /* the others would wait for a lost rank */
    free(srun);
    return VL_EXIT_OK;
}
