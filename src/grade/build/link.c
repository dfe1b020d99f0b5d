#include "grade/build/link.h"

#include "base/path.h"
#include "grade/sandbox/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_BYTES (256u << 20)

static enum vl_status keep(const char *kept, const char *made)
{
    enum vl_status status = vl_scratch_copy(kept, made, PROGRAM_BYTES);
    return status == VL_OK && chmod(kept, 0755) != 0 ? VL_EIO : status;
}

enum vl_status vl_link(char **program, char **words, const struct vl_toolchain *toolchain,
                       const struct vl_sandbox *sandbox, const char *scratch, const char *name,
                       char *const *objects)
{
    char *made = vl_path_join(sandbox->folder, name);
    char *kept = vl_path_join(scratch, name);
    struct vl_process linker = {.pipe = -1};
    enum vl_status status = VL_ENOMEM;
    *program = *words = NULL;
    if (made != NULL && kept != NULL)
        status = vl_toolchain_link(&linker, toolchain, sandbox, made, objects);
    if (status == VL_OK) {
        vl_toolchain_wait(&linker);
        if (linker.exit != 0)
            *words = strdup(linker.words);
        else if ((status = keep(kept, made)) == VL_OK) {
            *program = kept;
            kept = NULL;
        }
        unlink(made);
    }
    vl_process_free(&linker);
    free(made);
    free(kept);
    return status;
}
