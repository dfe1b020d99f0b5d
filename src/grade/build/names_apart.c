#include "grade/build/names_apart.h"

#include "grade/sandbox/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct vl_limits limits = {.seconds = VL_TOOLCHAIN_SECONDS,
                                        .memory = (size_t)1 << 30,
                                        .file_size = (size_t)64 << 20,
                                        .processes = 16};

/* One line a name, "old new", as objcopy reads it; *count of them. */
static enum vl_status write_list(size_t *count, const struct vl_build *build, const char *scratch)
{
    FILE *file = vl_scratch_begin(scratch, "names");
    *count = 0;
    for (const char *line = build->symbols; line != NULL && file != NULL;) {
        int name = (int)strcspn(line, " \n");
        /* Not the compiler's own ("_..."), nor nm's headings ("/path/file.o:"). */
        if (name > 0 && line[0] != '_' && line[0] != '/' && strncmp(line, "vl_", 3) != 0) {
            fprintf(file, "%.*s %.*s.%s\n", name, line, name, line, build->toolchain.lab->folder);
            ++*count;
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return vl_scratch_end(file);
}

enum vl_status vl_names_apart(const struct vl_build *build, const char *scratch,
                              const struct vl_sandbox *sandbox)
{
    char *objects[VL_SOURCES + 2], *option = NULL;
    size_t names, count = vl_build_objects(build, objects);
    enum vl_status status = write_list(&names, build, scratch);
    if (status == VL_OK && asprintf(&option, "--redefine-syms=%s/names", scratch) < 0)
        return VL_ENOMEM;
    /* objcopy changes them in place. */
    for (size_t i = 0; i < count && names > 0 && status == VL_OK; i++) {
        char *argv[] = {(char *)"objcopy", option, objects[i], NULL};
        struct vl_process objcopy = {.pipe = -1};
        status = vl_process_run(&objcopy, sandbox, NULL, argv, &limits);
        if (status == VL_OK && objcopy.exit != 0)
            status = VL_EIO;
        vl_process_free(&objcopy);
    }
    free(option);
    return status;
}
