#include "grade/sandbox/isolation.h"

#include "base/place.h"
#include "grade/sandbox/process.h"

enum vl_status vl_isolation_choose(struct vl_sandbox *sandbox)
{
    static const char *const nothing_more[] = {NULL};
    static const struct vl_limits limits = {.seconds = 10,
                                            .memory = (size_t)4 << 30,
                                            .file_size = 1u << 20,
                                            .processes = 160,
                                            .sees = nothing_more};
    char *const argv[] = {(char *)"sh",
                          (char *)"-c",
                          (char *)"\"$0\" --version && \"$1\" --version",
                          (char *)vl_place_text("compiler"),
                          (char *)vl_place_text("mpiexec"),
                          NULL};
    struct vl_process process = {.pipe = -1};
    sandbox->walled = true;
    enum vl_status status = vl_process_run(&process, sandbox, NULL, argv, &limits);
    sandbox->walled = status == VL_OK && process.exit == 0;
    if (status == VL_OK)
        vl_process_free(&process);
    vl_sandbox_sweep(sandbox);
    return status == VL_ELACK ? VL_OK : status;
}
