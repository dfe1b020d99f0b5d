#include "train/options/options_launch.h"

#include "base/text.h"
#include <string.h>

const char *vl_launcher_refused(bool *is_srun, const char *launcher)
{
    *is_srun = strcmp(launcher, "srun") == 0;
    return *is_srun || strcmp(launcher, "mpirun") == 0
               ? NULL
               : _("`--launcher` takes `mpirun` or `srun`.");
}

enum vl_status vl_options_check_launch(const struct vl_options *options, struct vl_problem *problem)
{
    bool is_srun;
    const char *refused = vl_launcher_refused(&is_srun, options->launcher);
    if (refused != NULL)
        return vl_problem_set(problem, VL_EINVAL, "option_value", "%s", refused);
    if (is_srun && options->hostfile != NULL)
        return vl_problem_set(
            problem, VL_EINVAL, "launch_hosts_twice",
            _("With `--launcher srun` Slurm chooses the hosts: drop `--hostfile`, "
              "or let mpirun start the ranks."));
    if (options->with != NULL && (is_srun || options->hostfile != NULL))
        return vl_problem_set(problem, VL_EINVAL, "launch_with_labs",
                              _("With `--with labs` the program is on this machine only: drop "
                                "`--with`, or train without other hosts."));
    return VL_OK;
}
