#include "grade/build/altered.h"

#include "base/file.h"
#include "base/path.h"
#include "sandbox/interrupt.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/scratch/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OBJECT_NAME "altered.o"
#define PROGRAM     "altered"

const struct vl_source *vl_altered_source(const struct vl_build *build, const char *function)
{
    for (size_t i = 0; i < build->source_count; i++) {
        const struct vl_source *source = &build->sources[i];
        if (source->state == VL_SOURCE_COMPILED && !source->came_compiled &&
            source->symbols != NULL && vl_symbols_have_function(source->symbols, function))
            return source;
    }
    return NULL;
}

char *vl_altered_text(const struct vl_build *build, const struct vl_source *source)
{
    char *path = vl_path_join(build->folder, source->name), *text = NULL;
    size_t bytes = 0;
    if (path == NULL || vl_file_read(&text, &bytes, path, VL_SOURCE_BYTES) != VL_OK)
        text = NULL;
    free(path);
    if (text != NULL && strlen(text) != bytes) {
        free(text);
        return NULL;
    }
    return text;
}

/* A submission is at times one file, of any name. */
static char *free_name(const struct vl_build *build)
{
    char *name = NULL;
    for (int number = 1; name == NULL; number++) {
        if (asprintf(&name, "altered_%d.c", number) < 0)
            return NULL;
        if (vl_sources_find(build, name) != NULL) {
            free(name);
            name = NULL;
        }
    }
    return name;
}

/* Half the time of the flags of a lab, and no line is asked for. */
static enum vl_status compile(bool *made, const struct vl_build *build,
                              const struct vl_sandbox *sandbox, const char *name,
                              const char *object, double until)
{
    static char *const more[] = {(char *)"-O1", (char *)"-g0", (char *)"-w", NULL};
    struct vl_process compiler = {.pipe = -1};
    enum vl_status status = vl_toolchain_compile(&compiler, &build->toolchain, sandbox,
                                                 build->folder, name, object, more);
    while (status == VL_OK && !vl_process_poll(&compiler, 5) && vl_clock() < until &&
           !vl_interrupt_seen())
        ;
    vl_process_end(&compiler);
    *made = status == VL_OK && compiler.exit == 0;
    vl_process_free(&compiler);
    vl_sandbox_sweep(sandbox); /* of a compiler that was ended something goes on */
    return status;
}

static enum vl_status link_with_others(char **program, const struct vl_build *build,
                                       const struct vl_sandbox *sandbox, const char *scratch,
                                       const struct vl_source *source, char *object)
{
    char *objects[VL_SOURCES + 2], *words = NULL;
    vl_build_objects(build, objects);
    for (size_t i = 0; objects[i] != NULL; i++)
        if (objects[i] == source->object)
            objects[i] = object;
    enum vl_status status =
        vl_toolchain_link(program, &words, &build->toolchain, sandbox, scratch, PROGRAM, objects);
    free(words);
    return status;
}

enum vl_status vl_altered_make(char **program, const struct vl_build *build,
                               const struct vl_sandbox *sandbox, const char *scratch,
                               const struct vl_source *source, const char *text, double until)
{
    *program = NULL;
    char *name = free_name(build);
    char *object = vl_path_join(sandbox->folder, OBJECT_NAME);
    char *path = name != NULL ? vl_path_join(build->folder, name) : NULL;
    bool made = false;
    enum vl_status status = object != NULL && path != NULL ? VL_OK : VL_ENOMEM;
    FILE *out = status == VL_OK ? vl_scratch_begin(build->folder, name) : NULL;
    if (out != NULL)
        fputs(text, out);
    if (status == VL_OK)
        status = vl_scratch_end(out);
    if (status == VL_OK)
        status = compile(&made, build, sandbox, name, object, until);
    if (made)
        status = link_with_others(program, build, sandbox, scratch, source, object);
    if (path != NULL)
        unlink(path);
    if (object != NULL)
        unlink(object);
    free(name);
    free(path);
    free(object);
    return status;
}
