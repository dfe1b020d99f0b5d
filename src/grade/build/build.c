#include "grade/build/build.h"

#include "base/path.h"
#include "base/text.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_A_FILE    4096
#define COMPILE_AT_ONCE 2

/* ---- what the compiler says ---- */

static void add_words(struct vl_build *build, const struct vl_sandbox *sandbox, const char *words)
{
    int length = (int)strnlen(words, WORDS_A_FILE);
    const char *before = build->words != NULL ? build->words : "";
    char *all = NULL;
    if (length == 0 || asprintf(&all, "%s%.*s%s", before, length, words,
                                words[length - 1] == '\n' ? "" : "\n") < 0)
        return;
    vl_scratch_shorten(all, build->folder);
    vl_scratch_shorten(all, build->toolchain.folder);
    vl_scratch_shorten(all, sandbox->folder);
    free(build->words);
    build->words = all;
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

/* One compiler at work. */
struct compilation {
    struct vl_source *source; /* NULL: none */
    struct vl_process process;
    double until;
};

static enum vl_status begin(struct compilation *c, struct vl_build *build,
                            const struct vl_sandbox *sandbox, struct vl_source *source)
{
    if (source->state == VL_SOURCE_REFUSED)
        add_sentence(build, sandbox,
                     _("%s was not taken: it must be a regular file of at most 1 MiB, "
                       "not a link, and readable."),
                     source->name);
    if (source->state != VL_SOURCE_COMPILED)
        return VL_OK;
    enum vl_status status = vl_toolchain_compile(&c->process, &build->toolchain, sandbox,
                                                 build->folder, source->name, source->object, NULL);
    c->source = status == VL_OK ? source : NULL;
    c->until = vl_clock() + VL_TOOLCHAIN_SECONDS;
    return status;
}

static void settle(struct compilation *c, struct vl_build *build, const struct vl_sandbox *sandbox,
                   int overtime)
{
    vl_process_end(&c->process);
    if (overtime || c->process.exit != 0)
        c->source->state = VL_SOURCE_BROKEN;
    add_words(build, sandbox, c->process.words);
    if (overtime)
        add_sentence(build, sandbox,
                     _("%s: the compiler did not come to an end in time and was stopped."),
                     c->source->name);
    vl_process_free(&c->process);
    c->source = NULL;
}

/* Two at a time: a laptop has two cores at least. */
static enum vl_status compile_all(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    struct compilation at_once[COMPILE_AT_ONCE] = {0};
    enum vl_status status = VL_OK;
    size_t next = 0;
    for (int busy = 1; busy;) {
        busy = 0;
        for (struct compilation *c = at_once; c < at_once + COMPILE_AT_ONCE; c++) {
            while (c->source == NULL && next < build->source_count && status == VL_OK)
                status = begin(c, build, sandbox, &build->sources[next++]);
            if (c->source == NULL)
                continue;
            int ended = vl_process_poll(&c->process, 2);
            if (ended || vl_clock() > c->until || vl_interrupt_seen())
                settle(c, build, sandbox, !ended);
            busy = 1;
        }
    }
    vl_sandbox_sweep(sandbox); /* whoever was stopped has left its helpers behind */
    return status;
}

/* ---- what is in the objects ---- */

static enum vl_status list_symbols(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    char *argv[VL_SOURCES + 6] = {(char *)"nm", (char *)"-g", (char *)"--defined-only",
                                  (char *)"-P"};
    struct vl_process nm = {.pipe = -1};
    argv[4 + vl_build_objects(build, argv + 4) - 1] = NULL; /* not the fallback */
    if (argv[4] == NULL)
        return VL_OK;
    enum vl_status status = vl_process_run(&nm, sandbox, NULL, argv, &vl_toolchain_limits);
    if (status == VL_OK && asprintf(&build->symbols, "\n%s", nm.words) < 0) {
        build->symbols = NULL;
        status = VL_ENOMEM;
    }
    vl_process_free(&nm);
    return status;
}

static bool is_defined(const struct vl_build *build, const char *function)
{
    char line[160];
    size_t length = (size_t)snprintf(line, sizeof line, "\n%s ", function);
    const char *at = build->symbols;
    while (at != NULL && (at = strstr(at, line)) != NULL) {
        at += length;
        if (*at == 'T' || *at == 'W' || *at == 'i') /* functions, weak ones, those chosen at load */
            return true;
    }
    return false;
}

/* ---- linking ---- */

static enum vl_status link_runner(struct vl_build *build, const char *scratch, const char *name,
                                  const struct vl_sandbox *sandbox, char *const *objects,
                                  char **program)
{
    char *words = NULL;
    enum vl_status status =
        vl_toolchain_link(program, &words, &build->toolchain, sandbox, scratch, name, objects);
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
    *build = (struct vl_build){0};
    enum vl_status status = vl_scratch_folder(&build->folder, scratch, "src");
    if (status == VL_OK)
        status = vl_toolchain_open(&build->toolchain, lab, scratch, asan);
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
