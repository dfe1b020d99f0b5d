#include "grade/build/names_apart.h"

#include "base/path.h"
#include "grade/sandbox/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct vl_limits limits = {.seconds = VL_TOOLCHAIN_SECONDS,
                                        .memory = (size_t)1 << 30,
                                        .file_size = (size_t)64 << 20,
                                        .processes = 16};

/* One line a name, "old new", as objcopy reads it. Returns how many, or -1. */
static int write_list(const char *path, const char *symbols, const char *suffix)
{
    FILE *file = fopen(path, "wxe");
    int count = 0;
    if (file == NULL)
        return -1;
    for (const char *line = symbols; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        int name = (int)strcspn(line, " \n");
        /* Not the compiler's own ("_..."), nor nm's headings ("/path/file.o:"). */
        if (name > 0 && line[0] != '_' && line[0] != '/' && strncmp(line, "vl_", 3) != 0) {
            fprintf(file, "%.*s %.*s.%s\n", name, line, name, line, suffix);
            count++;
        }
        line += length + (line[length] == '\n');
    }
    int written = fchmod(fileno(file), 0644) == 0 && !ferror(file);
    return fclose(file) == 0 && written ? count : -1;
}

/* "objcopy --redefine-syms=LIST" on each object in turn; it changes them in place. */
static enum vl_status rename_all(char *const *objects, const char *list,
                                 const struct vl_sandbox *sandbox)
{
    enum vl_status status = VL_OK;
    char *option = NULL;
    if (asprintf(&option, "--redefine-syms=%s", list) < 0)
        return VL_ENOMEM;
    for (; status == VL_OK && *objects != NULL; objects++) {
        char *argv[] = {(char *)"objcopy", option, *objects, NULL};
        struct vl_process objcopy = {.pipe = -1};
        status = vl_process_run(&objcopy, sandbox, NULL, argv, &limits);
        if (status == VL_OK && objcopy.exit != 0)
            status = VL_EIO;
        vl_process_free(&objcopy);
    }
    free(option);
    return status;
}

enum vl_status vl_names_apart(const struct vl_build *build, const char *scratch,
                              const struct vl_sandbox *sandbox)
{
    char *argv[VL_SOURCES + 6] = {(char *)"nm", (char *)"-g", (char *)"--defined-only",
                                  (char *)"-P"};
    struct vl_process nm = {.pipe = -1};
    char *list = vl_path_join(scratch, "names");
    vl_build_objects(build, argv + 4);
    enum vl_status status =
        list != NULL ? vl_process_run(&nm, sandbox, NULL, argv, &limits) : VL_ENOMEM;
    if (status == VL_OK) {
        int names = nm.exit == 0 ? write_list(list, nm.words, build->toolchain.lab->folder) : -1;
        status = names < 0 ? VL_EIO : names > 0 ? rename_all(argv + 4, list, sandbox) : VL_OK;
        vl_process_free(&nm);
    }
    free(list);
    return status;
}
