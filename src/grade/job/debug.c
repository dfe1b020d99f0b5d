#include "grade/job/debug.h"

#include "base/machine/blas_kernels.h"
#include "base/place.h"
#include "ranks/answers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void become_gdb(char *const *argv, const char *kernels)
{
    signal(SIGINT, SIG_DFL);
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (kernels != NULL) /* those that are graded with */
        setenv("OPENBLAS_CORETYPE", kernels, 1);
    execvp(argv[0], argv);
    _exit(127);
}

/* gdb in the terminal, until the user leaves it. */
static enum vl_status run_gdb(const struct vl_case_run *run, const char *function)
{
    const char *program = run->program, *folder = run->folder, *out = run->sandbox->folder;
    char stop[128], others[16];
    snprintf(stop, sizeof stop, "break %s", function);
    snprintf(others, sizeof others, "%d", run->ranks - 1);
    /* Of several ranks only rank 0 is under gdb: there is one terminal. */
    const char *const mpiexec = vl_place_text("mpiexec"), *const rest = run->ranks > 1 ? ":" : NULL;
    const char *const argv[] = {
        mpiexec, "--oversubscribe", "-n",    "1",     "gdb",  "-q", "-ex", stop, "-ex",
        "run",   "--args",          program, "cases", folder, out,  rest,  "-n", others,
        program, "cases",           folder,  out,     NULL};
    const char *kernels = vl_blas_kernels();
    /* Ctrl-C is for gdb then. */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGINT, &ignore, &before);
    pid_t child = fork();
    if (child == 0)
        become_gdb((char *const *)(run->ranks > 1 ? argv : argv + 4), kernels);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &before, NULL);
    if (child < 0)
        return VL_EIO;
    return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? VL_ELACK : VL_OK;
}

enum vl_status vl_debug_run(const struct vl_case_run *run, const struct vl_case_run_item *items,
                            size_t count)
{
    const struct vl_case_run_report finished = {.end = VL_RUN_FINISHED};
    struct vl_answers answers;
    enum vl_status status = vl_answers_open(&answers, run->sandbox, run->ranks);
    if (status != VL_OK)
        return status;
    vl_answers_allow(&answers, UINT32_MAX);
    status = vl_case_run_list(run, items, count);
    if (status == VL_OK)
        status = run_gdb(run, items[0].function);
    vl_answers_close(&answers);
    for (size_t i = 0; i < count && status == VL_OK; i++)
        run->report(run->context, i, &finished);
    return status;
}
