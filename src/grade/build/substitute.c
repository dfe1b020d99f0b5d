#include "grade/build/substitute.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "grade/build/lab_files.h"
#include "sandbox/interrupt.h"
#include "sandbox/objects/symbols.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool vl_replacement_has(const struct vl_replacement *what, const struct vl_lab_function *function)
{
    return what->function != NULL
               ? what->function == function
               : function->file != NULL && strcmp(function->file, what->file) == 0;
}

const char *vl_replacement_name(const struct vl_replacement *what)
{
    return what->function != NULL ? what->function->name : what->file;
}

/* ---- objects with other names in them ---- */

/* In place, behind the wall: one of the objects is the submission's. False if objcopy refuses. Takes the
 * words. */
static enum vl_status change(bool *changed, struct vl_words *words, const char *object,
                             const struct vl_sandbox *sandbox)
{
    static const char *const nothing[] = {NULL};
    struct vl_limits limits = vl_toolchain_limits;
    struct vl_process objcopy = {.pipe = -1};
    limits.sees = nothing;
    vl_words_add(words, "%s", object);
    enum vl_status status = VL_ENOMEM;
    if (!words->failed)
        status = vl_process_run(&objcopy, sandbox, NULL, words->list, &limits);
    *changed = status == VL_OK && objcopy.exit == 0;
    vl_process_free(&objcopy);
    vl_words_free(words);
    return status;
}

/* Does this source of the submission have the function? */
static bool has(const struct vl_source *source, const char *function)
{
    return source->state == VL_SOURCE_COMPILED && source->symbols != NULL &&
           vl_symbols_have_function(source->symbols, function);
}

/* A source of the submission, in an object in which its functions give way; NULL if it has none of
 * those that are replaced. 'made' is false if objcopy refuses. */
static enum vl_status weaken(char **object, bool *made, const struct vl_substitutes *s,
                             size_t source, const struct vl_replacement *what)
{
    const struct vl_build *build = s->submission.build;
    const struct vl_lab *lab = build->toolchain.lab;
    struct vl_words words = {0};
    size_t count = 0;
    char name[32];
    vl_words_add(&words, "objcopy");
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *one = &lab->functions[i];
        if (!vl_replacement_has(what, one) || !has(&build->sources[source], one->name))
            continue;
        vl_words_add(&words, "--weaken-symbol=%s", one->name);
        count++;
    }
    if (count == 0) {
        vl_words_free(&words);
        return VL_OK;
    }
    snprintf(name, sizeof name, "weak%zu.o", source);
    *object = vl_path_join(s->other->folder, name);
    enum vl_status status = *object != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_scratch_copy(*object, s->submission.objects[source], VL_OBJECT_BYTES);
    if (status == VL_OK)
        status = vl_sandbox_give(s->other, *object);
    if (status == VL_OK)
        return change(made, &words, *object, s->other);
    vl_words_free(&words);
    return status;
}

/* Compile what lies in a folder of its own, which is removed: the submission runs again. */
static enum vl_status compile(bool *made, const char *object, const struct vl_substitutes *s,
                              const char *folder, const char *file)
{
    static char *const more[] = {(char *)"-fPIC", (char *)"-fsemantic-interposition",
                                 (char *)"-ffunction-sections", (char *)"-w", NULL};
    struct vl_process compiler = {.pipe = -1};
    enum vl_status status = vl_toolchain_compile(&compiler, &s->submission.build->toolchain,
                                                 s->other, folder, file, object, more);
    if (status == VL_OK)
        vl_toolchain_wait(&compiler);
    *made = status == VL_OK && compiler.exit == 0;
    vl_process_free(&compiler);
    vl_scratch_remove(folder);
    return status;
}

/* A file of the reference, with the lab's headers next to it. */
static enum vl_status compile_reference(bool *made, const char *object,
                                        const struct vl_substitutes *s, const char *file)
{
    const struct vl_lab *lab = s->submission.build->toolchain.lab;
    int given;
    char *folder;
    enum vl_status status = vl_scratch_folder(&folder, s->submission.folder, "reference");
    char *from = vl_reference_path(lab, file, &given), *to = NULL;
    if (status == VL_OK && (from == NULL || (to = vl_path_join(folder, file)) == NULL))
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_lab_headers_copy(folder, lab);
    if (status == VL_OK)
        status = vl_scratch_copy(to, from, VL_SOURCE_BYTES);
    if (status == VL_OK)
        status = compile(made, object, s, folder, file);
    free(from);
    free(to);
    free(folder);
    return status;
}

/* A function that does nothing, whatever it is given: each function of a lab returns a status. */
static enum vl_status compile_nothing(bool *made, const char *object,
                                      const struct vl_substitutes *s, const char *function)
{
    static const char file[] = "nothing.c";
    char *folder, *path = NULL, *text = NULL;
    enum vl_status status = vl_scratch_folder(&folder, s->submission.folder, "nothing");
    if (asprintf(&text, "int %s(void) { return %d; }\n", function, VL_OK) < 0)
        text = NULL;
    if (status == VL_OK && (text == NULL || (path = vl_path_join(folder, file)) == NULL))
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_file_write(path, text, strlen(text));
    if (status == VL_OK)
        status = compile(made, object, s, folder, file);
    free(text);
    free(path);
    free(folder);
    return status;
}

/* A handout has it compiled. */
static enum vl_status take_compiled(bool *made, const char *object, const struct vl_substitutes *s,
                                    const char *file)
{
    char *folder = vl_place_path("precompiled", s->submission.build->toolchain.lab->folder),
         *from = NULL;
    if (folder == NULL || asprintf(&from, "%s/%s.o", folder, file) < 0)
        from = NULL;
    enum vl_status status = from != NULL ? VL_OK : VL_ENOMEM;
    *made = status == VL_OK && vl_scratch_copy(object, from, VL_OBJECT_BYTES) == VL_OK;
    if (*made)
        status = vl_sandbox_give(s->other, object);
    free(from);
    free(folder);
    return status;
}

/* Of the reference's object, leave one function and what it uses. If ld cannot do that, it stays as it is. */
static enum vl_status cut_out(char **object, const struct vl_substitutes *s, const char *function)
{
    struct vl_words words = {0};
    bool cut = false;
    char *only = vl_path_join(s->other->folder, "only.o");
    if (only == NULL)
        return VL_ENOMEM;
    vl_words_add_all(&words, (const char *const[]){"ld", "-r", "--gc-sections", "-u", NULL});
    vl_words_add(&words, "%s", function);
    vl_words_add(&words, "-o");
    vl_words_add(&words, "%s", only);
    enum vl_status status = change(&cut, &words, *object, s->other);
    unlink(cut ? *object : only);
    free(cut ? *object : only);
    if (cut)
        *object = only;
    return status == VL_ELACK ? VL_OK : status;
}

/* Does an object define this function, and no other one? */
static enum vl_status find_alone(bool *alone, const struct vl_substitutes *s, const char *object,
                                 const char *function)
{
    char *symbols = NULL;
    enum vl_status status = vl_symbols_read(&symbols, object, s->other);
    struct vl_symbol symbol;
    *alone = symbols != NULL;
    for (const char *line = symbols; line != NULL && *alone;) {
        line = vl_symbols_next(&symbol, line);
        if (symbol.kind != 0 && strchr("TtWwiu", symbol.kind) != NULL && !symbol.wanted)
            *alone = (size_t)symbol.length == strlen(function) &&
                     strncmp(symbol.name, function, strlen(function)) == 0;
    }
    free(symbols);
    return status;
}

/* The reference's object, of which only what is replaced counts. */
static enum vl_status single_out(char **object, bool *made, bool *alone,
                                 const struct vl_substitutes *s, const struct vl_replacement *what)
{
    const struct vl_lab *lab = s->submission.build->toolchain.lab;
    const char *function = what->function != NULL ? what->function->name : NULL;
    struct vl_words words = {0};
    enum vl_status status = vl_reference_is_compiled()
                                ? take_compiled(made, *object, s, what->file)
                                : compile_reference(made, *object, s, what->file);
    if (status == VL_OK && *made && function != NULL)
        status = cut_out(object, s, function);
    if (status == VL_OK && *made && function != NULL)
        status = find_alone(alone, s, *object, function);
    if (status != VL_OK || !*made)
        return status;
    vl_words_add(&words, "objcopy");
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *one = &lab->functions[i];
        if (one->file == NULL)
            continue;
        vl_words_add(&words, "--keep-global-symbol=%s", one->name);
        if (!vl_replacement_has(what, one))
            vl_words_add(&words, "--weaken-symbol=%s", one->name);
    }
    return change(made, &words, *object, s->other);
}

/* ---- the program ---- */

/* Of several weak ones the first counts: the reference's other functions come after the fallback. */
static enum vl_status link_all(char **program, const struct vl_substitutes *s, char **weak,
                               char *single)
{
    char *objects[VL_SOURCES + 4], name[32], *words = NULL;
    size_t n = 0;
    for (size_t i = 0; i < s->submission.build->source_count; i++)
        if (s->submission.objects[i] != NULL)
            objects[n++] = weak[i] != NULL ? weak[i] : s->submission.objects[i];
    objects[n++] = s->submission.fallback;
    objects[n++] = single;
    objects[n++] = (char *)"-Wl,--gc-sections";
    objects[n] = NULL;
    snprintf(name, sizeof name, "substitute%zu", s->count);
    enum vl_status status = vl_toolchain_link(program, &words, &s->submission.build->toolchain,
                                              s->other, s->submission.scratch, name, objects);
    free(words);
    return status;
}

static void discard(char *object)
{
    if (object != NULL)
        unlink(object);
    free(object);
}

static enum vl_status make(struct vl_substitute *substitute, const struct vl_substitutes *s)
{
    const struct vl_replacement *what = &substitute->what;
    const size_t sources = s->submission.build->source_count;
    char *weak[VL_SOURCES] = {0};
    bool made = true, found = false;
    char *single = vl_path_join(s->other->folder, "single.o");
    enum vl_status status = single != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < sources && status == VL_OK && made; i++) {
        if (s->submission.objects[i] != NULL)
            status = weaken(&weak[i], &made, s, i, what);
        found |= weak[i] != NULL;
    }
    made &= found;
    if (status == VL_OK && made)
        status = what->by_nothing ? compile_nothing(&made, single, s, what->function->name)
                                  : single_out(&single, &made, &substitute->alone, s, what);
    if (status == VL_OK && made && !vl_interrupt_seen())
        status = link_all(&substitute->program, s, weak, single);
    for (size_t i = 0; i < sources; i++)
        discard(weak[i]);
    discard(single);
    return status;
}

static bool is_same(const struct vl_replacement *one, const struct vl_replacement *other)
{
    return one->function == other->function && one->by_nothing == other->by_nothing &&
           strcmp(one->file, other->file) == 0;
}

enum vl_status vl_substitute_make(const char **program, struct vl_substitutes *s,
                                  const struct vl_replacement *what)
{
    *program = NULL;
    if (what->file == NULL)
        return VL_OK;
    for (size_t i = 0; i < s->count; i++)
        if (is_same(&s->list[i].what, what)) {
            *program = s->list[i].program;
            return VL_OK;
        }
    if (s->count == VL_SUBSTITUTES)
        return VL_OK;
    struct vl_substitute *made = &s->list[s->count];
    *made = (struct vl_substitute){.what = *what};
    enum vl_status status = vl_recompile(&s->submission);
    if (status == VL_OK && s->submission.usable)
        status = make(made, s);
    s->count++;
    *program = made->program;
    return status;
}

bool vl_substitute_is_alone(const struct vl_substitutes *s, const struct vl_replacement *what)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_same(&s->list[i].what, what))
            return s->list[i].alone;
    return false;
}

void vl_substitutes_free(struct vl_substitutes *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->list[i].program);
    vl_recompiled_free(&s->submission);
    *s = (struct vl_substitutes){0};
}
