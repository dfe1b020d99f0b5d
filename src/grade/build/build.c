#include "grade/build/build.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/build/link.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORDS_A_FILE    4096
#define COMPILE_AT_ONCE 2

/* ---- what the compiler says ---- */

static void add_words(struct vl_build *build, const struct vl_sandbox *sandbox, const char *words)
{
    char *copy = strndup(words, WORDS_A_FILE);
    if (copy != NULL && copy[0] != '\0') {
        vl_scratch_shorten(copy, build->folder);
        vl_scratch_shorten(copy, build->toolchain.folder);
        vl_scratch_shorten(copy, sandbox->folder);
        char *all = NULL;
        size_t length = strlen(copy);
        const char *end = copy[length - 1] == '\n' ? "" : "\n";
        if (asprintf(&all, "%s%s%s", build->words != NULL ? build->words : "", copy, end) >= 0) {
            free(build->words);
            build->words = all;
        }
    }
    free(copy);
}

static void add_sentence(struct vl_build *build, const struct vl_sandbox *sandbox,
                         const char *format, const char *name)
{
    char *sentence = NULL;
    if (asprintf(&sentence, format, name) >= 0)
        add_words(build, sandbox, sentence);
    free(sentence);
}

/* ---- compiling ---- */

static void settle(struct vl_build *build, const struct vl_sandbox *sandbox,
                   struct vl_source *source, struct vl_process *process, int overtime)
{
    vl_process_end(process);
    if (overtime || process->exit != 0)
        source->state = VL_SOURCE_BROKEN;
    add_words(build, sandbox, process->words);
    if (overtime)
        add_sentence(build, sandbox,
                     _("%s: the compiler did not come to an end in time and was stopped."),
                     source->name);
    vl_process_free(process);
}

/* Two at a time: a laptop has two cores at least. */
static enum vl_status compile_all(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    struct vl_process processes[COMPILE_AT_ONCE] = {{.pipe = -1}, {.pipe = -1}};
    struct vl_source *sources[COMPILE_AT_ONCE] = {0};
    double until[COMPILE_AT_ONCE] = {0};
    enum vl_status status = VL_OK;
    size_t next = 0;
    for (int busy = 1; busy;) {
        busy = 0;
        for (int i = 0; i < COMPILE_AT_ONCE; i++) {
            while (sources[i] == NULL && next < build->source_count && status == VL_OK) {
                struct vl_source *source = &build->sources[next++];
                if (source->state == VL_SOURCE_REFUSED)
                    add_sentence(build, sandbox,
                                 _("%s was not taken: it must be a regular file of at most 1 MiB, "
                                   "not a link, and readable."),
                                 source->name);
                if (source->state != VL_SOURCE_COMPILED)
                    continue;
                status = vl_toolchain_compile(&processes[i], &build->toolchain, sandbox,
                                              build->folder, source->name, source->object, NULL);
                sources[i] = status == VL_OK ? source : NULL;
                until[i] = vl_clock() + VL_TOOLCHAIN_SECONDS;
            }
            if (sources[i] == NULL)
                continue;
            int ended = vl_process_poll(&processes[i], 2);
            int overtime = vl_clock() > until[i] || vl_interrupt_seen();
            if (ended || overtime) {
                settle(build, sandbox, sources[i], &processes[i], !ended);
                sources[i] = NULL;
            }
            busy = 1;
        }
    }
    return status;
}

/* ---- what is in the objects ---- */

static enum vl_status list_symbols(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    char *argv[VL_SOURCES + 5] = {(char *)"nm", (char *)"-g", (char *)"--defined-only",
                                  (char *)"-P"};
    size_t n = 4;
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED)
            argv[n++] = build->sources[i].object;
    static const struct vl_limits limits = {.seconds = VL_TOOLCHAIN_SECONDS,
                                            .memory = 1u << 30,
                                            .file_size = 1u << 20,
                                            .processes = 16};
    struct vl_process nm = {.pipe = -1};
    build->symbols = strdup("\n");
    if (build->symbols == NULL || n == 4)
        return build->symbols != NULL ? VL_OK : VL_ENOMEM;
    enum vl_status status = vl_process_run(&nm, sandbox, NULL, argv, &limits);
    if (status != VL_OK)
        return status;
    char *symbols = malloc(nm.kept + 2);
    size_t used = 0;
    if (symbols != NULL) {
        symbols[used++] = '\n';
        for (const char *line = nm.words; *line != '\0';) {
            size_t length = strcspn(line, "\n"), name = strcspn(line, " \n");
            char kind = name + 1 < length ? line[name + 1] : '\0';
            if (kind == 'T' || kind == 'W' || kind == 'i') {
                memcpy(symbols + used, line, name);
                used += name;
                symbols[used++] = '\n';
            }
            line += length + (line[length] == '\n');
        }
        symbols[used] = '\0';
        free(build->symbols);
        build->symbols = symbols;
    }
    vl_process_free(&nm);
    return symbols != NULL ? VL_OK : VL_ENOMEM;
}

static int is_defined(const struct vl_build *build, const char *function)
{
    char line[160];
    snprintf(line, sizeof line, "\n%s\n", function);
    return build->symbols != NULL && strstr(build->symbols, line) != NULL;
}

/* ---- linking ---- */

static enum vl_status link_runner(struct vl_build *build, const char *scratch, const char *name,
                                  const struct vl_sandbox *sandbox, char *const *objects,
                                  char **program)
{
    char *words = NULL;
    enum vl_status status =
        vl_link(program, &words, &build->toolchain, sandbox, scratch, name, objects);
    if (words != NULL)
        add_words(build, sandbox, words);
    free(words);
    return status;
}

size_t vl_build_objects(const struct vl_build *build, char **objects)
{
    size_t n = 0;
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED)
            objects[n++] = build->sources[i].object;
    objects[n++] = build->fallback;
    objects[n] = NULL;
    return n;
}

static enum vl_status compile_fallback(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    struct vl_process compiler = {.pipe = -1};
    build->fallback = vl_path_join(sandbox->folder, "fallback.o");
    if (build->fallback == NULL)
        return VL_ENOMEM;
    enum vl_status status =
        vl_toolchain_compile(&compiler, &build->toolchain, sandbox, build->toolchain.folder,
                             "fallback.c", build->fallback, NULL);
    if (status == VL_OK) {
        vl_toolchain_wait(&compiler);
        vl_process_free(&compiler);
    }
    return status;
}

/* ---- the whole ---- */

enum vl_status vl_build_compile(struct vl_build *build, const struct vl_lab *lab, const char *path,
                                const char *scratch, const struct vl_sandbox *sandbox, int asan)
{
    *build = (struct vl_build){.folder = vl_path_join(scratch, "src")};
    char *toolchain = vl_path_join(scratch, "toolchain");
    enum vl_status status = build->folder != NULL && toolchain != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && (mkdir(build->folder, 0755) != 0 || chmod(build->folder, 0755) != 0))
        status = VL_EIO;
    if (status == VL_OK)
        status = vl_toolchain_open(&build->toolchain, lab, toolchain, asan);
    free(toolchain);
    if (status == VL_OK)
        status = vl_sources_copy(build, sandbox, path);
    if (status == VL_OK)
        status = compile_all(build, sandbox);
    if (status == VL_OK)
        status = compile_fallback(build, sandbox);
    if (status == VL_OK)
        status = list_symbols(build, sandbox);
    build->defines_main = is_defined(build, "main");
    return status;
}

enum vl_status vl_build_make(struct vl_build *build, const struct vl_lab *lab, const char *path,
                             const char *scratch, const struct vl_sandbox *sandbox, int asan)
{
    char *objects[VL_SOURCES + 2];
    enum vl_status status = vl_build_compile(build, lab, path, scratch, sandbox, asan);
    if (status == VL_OK)
        status = vl_toolchain_add_runner(&build->toolchain);
    if (status == VL_OK && !build->defines_main && !vl_interrupt_seen()) {
        vl_build_objects(build, objects);
        status = link_runner(build, scratch, "runner", sandbox, objects, &build->program);
    }
    return status;
}

enum vl_status vl_build_reference(struct vl_build *build, const char *scratch,
                                  const struct vl_sandbox *sandbox)
{
    if (build->toolchain.own == NULL)
        return VL_ELACK;
    enum vl_status status =
        link_runner(build, scratch, "reference", sandbox, NULL, &build->reference);
    return status == VL_OK && build->reference == NULL ? VL_EINTERNAL : status;
}

enum vl_function_state vl_build_function(const struct vl_build *build, const char *function,
                                         const char *file)
{
    if (file == NULL || is_defined(build, function))
        return VL_FUNCTION_PRESENT;
    const struct vl_source *source = vl_sources_find(build, file);
    if (source != NULL)
        return source->state == VL_SOURCE_BROKEN ? VL_FUNCTION_BROKEN : VL_FUNCTION_MISSING;
    /* One file under a name of its own: it stands for all. */
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_BROKEN)
            return VL_FUNCTION_BROKEN;
    return VL_FUNCTION_MISSING;
}

void vl_build_free(struct vl_build *build)
{
    vl_toolchain_close(&build->toolchain);
    for (size_t i = 0; i < build->source_count; i++) {
        free(build->sources[i].name);
        free(build->sources[i].object);
    }
    free(build->folder);
    free(build->fallback);
    free(build->symbols);
    free(build->words);
    free(build->program);
    free(build->reference);
    *build = (struct vl_build){0};
}
