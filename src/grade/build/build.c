#include "grade/build/build.h"

#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "grade/build/names.h"
#include "sandbox/interrupt.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/scratch/scratch.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WORDS_A_FILE    4096
#define COMPILE_AT_ONCE 2

/* ---- what the compiler says ---- */

void vl_build_add_words(struct vl_build *build, const struct vl_sandbox *sandbox, const char *words)
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

void vl_build_add_sentence(struct vl_build *build, const struct vl_sandbox *sandbox,
                           const char *format, const char *name)
{
    char *sentence = NULL;
    if (asprintf(&sentence, format, name) >= 0)
        vl_build_add_words(build, sandbox, sentence);
    free(sentence);
}

/* ---- compiling ---- */

/* One compiler at work. */
struct compilation {
    struct vl_source *source; /* NULL: none */
    struct vl_process process;
    double began, until; /* the latter of the sandbox */
};

static enum vl_status begin(struct compilation *c, struct vl_build *build,
                            const struct vl_sandbox *sandbox, struct vl_source *source)
{
    if (source->state == VL_SOURCE_REFUSED)
        vl_build_add_sentence(build, sandbox,
                              _("%s was not taken: it must be a regular file of at most 1 MiB, "
                                "not a link, and readable."),
                              source->name);
    if (source->state != VL_SOURCE_COMPILED || source->came_compiled)
        return VL_OK;
    enum vl_status status = vl_toolchain_compile(&c->process, &build->toolchain, sandbox,
                                                 build->folder, source->name, source->object, NULL);
    c->source = status == VL_OK ? source : NULL;
    c->began = vl_clock();
    c->until = vl_process_deadline(&c->process, INFINITY);
    return status;
}

static void settle(struct compilation *c, struct vl_build *build, const struct vl_sandbox *sandbox,
                   int overtime)
{
    vl_process_end(&c->process);
    if (overtime || c->process.exit != 0)
        c->source->state = VL_SOURCE_BROKEN;
    vl_build_add_words(build, sandbox, c->process.words);
    if (overtime)
        vl_build_add_sentence(build, sandbox,
                              _("%s: the compiler did not finish in time and was stopped."),
                              c->source->name);
    vl_process_free(&c->process);
    c->source = NULL;
}

/* Two at a time: even a laptop has two cores. */
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
            bool over = vl_toolchain_is_over(c->began) || vl_clock() > c->until;
            if (ended || over || vl_interrupt_seen())
                settle(c, build, sandbox, !ended);
            busy = 1;
        }
    }
    vl_sandbox_sweep(sandbox); /* a compiler that was stopped leaves its helpers running */
    return status;
}

/* ---- what is in the objects ---- */

/* Takes the sentence. If there is no memory for it, the grading ends without a verdict. */
static enum vl_status leave_out(struct vl_build *build, const struct vl_sandbox *sandbox,
                                struct vl_source *source, const char *code, char *sentence)
{
    source->state = VL_SOURCE_LEFT_OUT;
    source->code = code;
    source->sentence = sentence;
    if (sentence != NULL)
        vl_build_add_words(build, sandbox, sentence);
    return sentence != NULL ? VL_OK : VL_ENOMEM;
}

/* One that cannot be linked or run costs its own functions only. */
static enum vl_status look_inside(struct vl_build *build, const struct vl_sandbox *sandbox,
                                  struct vl_source *source, const struct vl_names *names,
                                  uint64_t *variables)
{
    char most[VL_NUMBER_TEXT], has[VL_NUMBER_TEXT];
    if (source->symbols == NULL)
        return leave_out(
            build, sandbox, source, "symbols_unreadable",
            vl_text_format(
                _("%1$s was left out: nm could not list what it defines, or the list is longer "
                  "than %2$s. Define fewer names."),
                source->name, vl_number_bytes(most, VL_SYMBOLS_BYTES)));
    if (vl_symbols_have(source->symbols, "main"))
        return leave_out(
            build, sandbox, source, "defines_main",
            vl_text_format(
                _("%s was left out: it defines main, and the program that calls its functions "
                  "has its own. Remove main, or rename it."),
                source->name));
    struct vl_refusal refusal = vl_names_look(names, source->name, source->symbols);
    if (refusal.code != NULL)
        return leave_out(build, sandbox, source, refusal.code, refusal.sentence);
    uint64_t bytes = vl_symbols_variable_bytes(source->symbols);
    if (bytes > VL_BUILD_VARIABLES - *variables)
        return leave_out(
            build, sandbox, source, "too_large",
            vl_text_format(
                _("%1$s was left out: its variables outside functions take %2$s, and a "
                  "submission may have at most %3$s. Make them smaller, or remove them: each "
                  "function is given the memory it needs."),
                source->name, vl_number_bytes(has, bytes),
                vl_number_bytes(most, VL_BUILD_VARIABLES)));
    *variables += bytes;
    return VL_OK;
}

static enum vl_status read_symbols(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    struct vl_source *compiled[VL_SOURCES];
    const char *objects[VL_SOURCES] = {NULL};
    char *symbols[VL_SOURCES];
    size_t count = 0;
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED) {
            objects[count] = build->sources[i].object;
            compiled[count++] = &build->sources[i];
        }
    enum vl_status status = vl_symbols_read_all(symbols, objects, count, sandbox);
    for (size_t i = 0; i < count; i++)
        compiled[i]->symbols = symbols[i];
    return status;
}

static enum vl_status look_inside_all(struct vl_build *build, const struct vl_sandbox *sandbox)
{
    struct vl_names *names;
    enum vl_status status = vl_names_read(&names, build->toolchain.lab);
    uint64_t variables = 0;
    if (status == VL_OK)
        status = read_symbols(build, sandbox);
    for (size_t i = 0; i < build->source_count && status == VL_OK && !vl_interrupt_seen(); i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED)
            status = look_inside(build, sandbox, &build->sources[i], names, &variables);
    vl_names_free(names);
    return status;
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
        vl_build_add_words(build, sandbox, words);
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
        bool is_over = sandbox->until > 0 && vl_clock() > sandbox->until;
        if (compiler.exit != 0 && !is_over && !vl_interrupt_seen())
            status = VL_ELACK; /* this machine's fault, and not the submission's */
        vl_process_free(&compiler);
    }
    return status;
}

/* ---- the whole ---- */

enum vl_status vl_build_compile(struct vl_build *build, const struct vl_target *target,
                                const struct vl_lab *lab, const char *path, const char *scratch,
                                const struct vl_sandbox *sandbox, int asan)
{
    *build = (struct vl_build){0};
    enum vl_status status = vl_scratch_folder(&build->folder, scratch, "src");
    if (status == VL_OK)
        status = vl_toolchain_open(&build->toolchain, target, lab, scratch, asan);
    if (status == VL_OK)
        status = path != NULL ? vl_sources_copy(build, sandbox, path)
                              : vl_sources_take_compiled(build, sandbox);
    if (status == VL_OK)
        status = compile_all(build, sandbox);
    if (status == VL_OK)
        status = compile_fallback(build, sandbox);
    if (status == VL_OK)
        status = look_inside_all(build, sandbox);
    return status;
}

enum vl_status vl_build_make(struct vl_build *build, const struct vl_lab *lab, const char *path,
                             const char *scratch, const struct vl_sandbox *sandbox, int asan)
{
    char *objects[VL_SOURCES + 2];
    enum vl_status status =
        vl_build_compile(build, &vl_target_runner, lab, path, scratch, sandbox, asan);
    if (status == VL_OK)
        status = vl_toolchain_add_runner(&build->toolchain);
    if (status == VL_OK && !vl_interrupt_seen()) {
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
    enum vl_status status = vl_toolchain_lend_own(&build->toolchain, sandbox);
    if (status == VL_OK)
        status = link_runner(build, scratch, "reference", sandbox, NULL, &build->reference);
    if (status == VL_OK && build->reference == NULL)
        return VL_EINTERNAL;
    if (status == VL_OK && chmod(build->reference, 0500) != 0) /* the submission still runs */
        return VL_EIO;
    return status == VL_OK ? vl_sandbox_give(sandbox, build->reference) : status;
}

static bool is_defined(const struct vl_build *build, const char *function)
{
    for (size_t i = 0; i < build->source_count; i++)
        if (build->sources[i].state == VL_SOURCE_COMPILED &&
            vl_symbols_have_function(build->sources[i].symbols, function))
            return true;
    return false;
}

/* What is in a file that could not be listed is not known, so its name must do; one file of another
 * name counts as every file. */
static bool may_have(const struct vl_build *build, const struct vl_source *source,
                     const char *function, const char *file)
{
    if (source->symbols != NULL)
        return vl_symbols_have_function(source->symbols, function);
    return strcmp(source->name, file) == 0 || vl_sources_find(build, file) == NULL;
}

const struct vl_source *vl_build_left_out(const struct vl_build *build, const char *function,
                                          const char *file)
{
    for (size_t i = 0; i < build->source_count; i++) {
        const struct vl_source *source = &build->sources[i];
        if (source->state == VL_SOURCE_LEFT_OUT && may_have(build, source, function, file))
            return source;
    }
    return NULL;
}

const char *vl_build_broken(const struct vl_build *build, const char *file)
{
    const struct vl_source *own = vl_sources_find(build, file);
    for (size_t i = 0; i < build->source_count; i++) {
        const struct vl_source *source = &build->sources[i];
        if (source->state == VL_SOURCE_BROKEN && (own == NULL || source == own))
            return source->name;
    }
    return NULL;
}

enum vl_function_state vl_build_function(const struct vl_build *build, const char *function,
                                         const char *file)
{
    if (file == NULL || is_defined(build, function))
        return VL_FUNCTION_PRESENT;
    if (vl_build_left_out(build, function, file) != NULL)
        return VL_FUNCTION_LEFT_OUT;
    return vl_build_broken(build, file) != NULL ? VL_FUNCTION_BROKEN : VL_FUNCTION_MISSING;
}

void vl_build_free(struct vl_build *build)
{
    vl_toolchain_close(&build->toolchain);
    for (size_t i = 0; i < build->source_count; i++) {
        free(build->sources[i].name);
        free(build->sources[i].object);
        free(build->sources[i].symbols);
        free(build->sources[i].sentence);
    }
    free(build->folder);
    free(build->fallback);
    free(build->words);
    free(build->program);
    free(build->reference);
    *build = (struct vl_build){0};
}
