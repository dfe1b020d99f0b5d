#include "sandbox/environment.h"

#include "base/machine/blas_kernels.h"
#include "sandbox/cables.h"

#include <stdlib.h>

static void put_ranks(struct vl_words *environment, enum vl_environment_ranks ranks)
{
    static const char *const together[] = {"OMPI_MCA_btl=self,vader", NULL};
    static const char *const apart[] = {
        "OMPI_MCA_btl=self,tcp",
        "OMPI_MCA_btl_tcp_eager_limit=4096", /* as vader's: longer messages wait for their receive */
        "OMPI_MCA_btl_tcp_rndv_eager_limit=4096",
        "OMPI_MCA_btl_tcp_sndbuf=131072", /* little in flight: a rank that changes cores overtakes */
        "OMPI_MCA_btl_tcp_rcvbuf=4194304", /* its own data, which is then sent again */
        "OMPI_MCA_oob_tcp_if_include=lo",
        "PMIX_MCA_gds=hash", /* what mpirun tells its ranks, not by a shared file */
        NULL};
    static const char *const loopback[] = {"OMPI_MCA_btl_tcp_if_include=lo", NULL};
    static const char *const cables[] = {
        "OMPI_MCA_btl_tcp_if_include=" VL_CABLES_END,
        "PMIX_MCA_ptl_base_if_include=" VL_CABLES_SWITCH, /* where mpirun listens */
        "PMIX_MCA_ptl_base_remote_connections=1",
        "PMIX_MCA_ptl_tcp_if_include=" VL_CABLES_SWITCH, /* the same in PMIx 3 */
        "PMIX_MCA_ptl_tcp_remote_connections=1",
        NULL};
    vl_words_add_all(environment, ranks == VL_RANKS_TOGETHER ? together : apart);
    if (ranks != VL_RANKS_TOGETHER)
        vl_words_add_all(environment, ranks == VL_RANKS_ON_CABLES ? cables : loopback);
}

/* The search path ends in the usual places, so that what finds its helpers by name (mpirun, gcc) does,
 * and begins with ours, so that it finds the same ones as we did. */
void vl_environment_put(struct vl_words *environment, const char *folder,
                        enum vl_environment_ranks ranks)
{
    static const char *const fixed[] = {
        "LC_ALL=C",
        "OPENBLAS_NUM_THREADS=1",
        "OMP_NUM_THREADS=1",
        "OMPI_MCA_pml=ob1", /* uses a btl; others look for hardware first: 0.2 s per start */
        "OMPI_MCA_btl_vader_single_copy_mechanism=none",
        "OMPI_MCA_rmaps_base_oversubscribe=1",
        "OMPI_MCA_odls_base_sigkill_timeout=0", /* a failed job is killed at once */
        "OMPI_MCA_plm=isolated",       /* one machine: ssh is not needed, and may not be there */
        "HWLOC_COMPONENTS=linux,stop", /* graphics are not looked for: 15 % of the start of 8 ranks */
        "HWLOC_PLUGINS_PATH=/nonexistent",
        "ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99:color=never",
        "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99:color=never",
        NULL};
    const char *path = getenv("PATH"), *libraries = getenv("LD_LIBRARY_PATH");
    const char *kernels = vl_blas_kernels();
    vl_words_add(environment, "HOME=%s", folder);
    vl_words_add(environment, "TMPDIR=%s", folder);
    vl_words_add(environment, "OMPI_MCA_btl_vader_backing_directory=%s", folder);
    vl_words_add(environment, "PATH=%s:/usr/local/bin:/usr/bin:/bin",
                 path != NULL ? path : "/usr/bin");
    if (libraries != NULL)
        vl_words_add(environment, "LD_LIBRARY_PATH=%s", libraries);
    if (kernels != NULL)
        vl_words_add(environment, "OPENBLAS_CORETYPE=%s", kernels);
    vl_words_add_all(environment, fixed);
    put_ranks(environment, ranks);
}
