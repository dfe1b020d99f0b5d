#include "grade/diagnose/variants.h"

#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "grade/diagnose/cache.h"
#include "grade/diagnose/objects.h"
#include "grade/diagnose/switch.h"
#include "sandbox/interrupt.h"
#include "sandbox/scratch/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM     "mistakes.run"
#define CACHE_BYTES ((size_t)512 << 20) /* all mistakes of all labs take a third of it */

/* What the program is made of. */
struct parts {
    const struct vl_toolchain *toolchain;
    const struct vl_sandbox *sandbox;
    const char *scratch;
    const char *student; /* whose shapes the reference has */
    struct vl_reference reference;
    struct vl_objects objects;
    struct vl_object **plain; /* one per file of the reference; NULL where no mistake is in it */
    struct vl_object **with;  /* one per mistake; NULL where it does not apply */
    const struct vl_mistake *const *mistakes;
    size_t count;
};

/* ---- the objects ---- */

/* Both objects are here, or neither: shapes.h decides about those of a prediction. */
static enum vl_status add_compiled(struct parts *parts, size_t i, const struct vl_mistake *mistake)
{
    size_t file = mistake->file;
    if (file >= parts->reference.count || parts->reference.files[file].compiled == 0)
        return VL_OK;
    const struct vl_reference_file *plain = &parts->reference.files[file];
    enum vl_status status = vl_objects_add_compiled(&parts->with[i], &parts->objects, file,
                                                    plain->text, mistake->compiled);
    if (status == VL_OK)
        status = vl_objects_add_compiled(&parts->plain[file], &parts->objects, file, plain->text,
                                         plain->compiled);
    return status;
}

static enum vl_status add_mistake(struct parts *parts, size_t i, const struct vl_mistake *mistake)
{
    if (mistake->compiled != 0)
        return add_compiled(parts, i, mistake);
    if (i > 0 && mistake->text != NULL && mistake->text == parts->mistakes[i - 1]->text) {
        parts->with[i] = parts->with[i - 1];
        return VL_OK;
    }
    char *text, *problem = NULL;
    size_t file = mistake->file;
    enum vl_status status = VL_OK;
    if (mistake->text != NULL)
        text = strdup(mistake->text);
    else
        status = vl_mistake_apply(&text, &file, mistake, &parts->reference, &problem);
    if (status == VL_OK && text == NULL)
        status = VL_ENOMEM;
    free(problem);
    if (status == VL_OK)
        status = vl_objects_add(&parts->with[i], &parts->objects, file, text);
    else if (status != VL_ENOMEM)
        return VL_OK; /* left out: the tests report those that do not apply */
    if (status == VL_OK && parts->plain[file] == NULL)
        status = vl_objects_add(&parts->plain[file], &parts->objects, file,
                                parts->reference.files[file].text);
    free(text);
    return status;
}

static bool is_usable(const struct parts *parts, size_t i)
{
    const struct vl_object *with = parts->with[i];
    return with != NULL && with->made && parts->plain[with->file]->made;
}

/* ---- the switch between them ---- */

/* Mutants of one text, one after the other, are one range; a mistake is one of its own. */
static size_t end_of_range(const struct parts *parts, size_t i)
{
    const struct vl_mistake *const *mistakes = parts->mistakes;
    size_t next = i + 1;
    while (mistakes[i]->text != NULL && next < parts->count &&
           mistakes[next]->text == mistakes[i]->text &&
           mistakes[next]->mutant == mistakes[next - 1]->mutant + 1)
        next++;
    return next;
}

static void write_switch(FILE *out, const struct parts *parts)
{
    const struct vl_reference_file *files = parts->reference.files;
    vl_switch_begin(out);
    for (size_t file = 0; file < parts->reference.count; file++)
        if (parts->plain[file] != NULL && parts->plain[file]->made)
            vl_switch_file(out, files[file].text, parts->plain[file]->hash);
    vl_switch_choose(out);
    for (size_t file = 0; file < parts->reference.count; file++)
        if (parts->plain[file] != NULL && parts->plain[file]->made)
            vl_switch_variants(out, (struct vl_switch_range){0}, files[file].text,
                               parts->plain[file]->hash);
    for (size_t i = 0, next; i < parts->count; i = next) {
        next = end_of_range(parts, i);
        const struct vl_switch_range range = {(unsigned)i + 1, (unsigned)next,
                                              parts->mistakes[i]->mutant};
        if (is_usable(parts, i))
            vl_switch_variants(out, range, files[parts->with[i]->file].text, parts->with[i]->hash);
    }
    vl_switch_end(out);
}

static enum vl_status make_switch(char **object, const struct parts *parts)
{
    static char *const more[] = {(char *)"-O1", (char *)"-g0", NULL};
    const char *folder = parts->objects.folder;
    struct vl_process compiler = {.pipe = -1};
    FILE *out = vl_scratch_begin(folder, "switch.c");
    if (out != NULL)
        write_switch(out, parts);
    enum vl_status status = vl_scratch_end(out);
    *object = vl_path_join(parts->sandbox->folder, "switch.o");
    if (status == VL_OK && *object == NULL)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_toolchain_compile(&compiler, parts->toolchain, parts->sandbox, folder,
                                      "switch.c", *object, more);
    if (status == VL_OK) {
        vl_toolchain_wait(&compiler);
        status = compiler.exit == 0 ? VL_OK : VL_EINTERNAL;
        vl_process_free(&compiler);
    }
    return status;
}

/* ---- the program ---- */

/* A hash of all that the program is made from; of the runner and the archives, dates and sizes. */
static uint64_t program_hash(const struct parts *parts)
{
    static const char *const keys[] = {"runner_objects", "runner_archives", "solution_archives"};
    uint64_t hash = parts->objects.surroundings;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        char **list = vl_place_list(keys[k]);
        for (char **item = list; item != NULL && *item != NULL; item++) {
            struct stat info = {0};
            (void)stat(*item, &info);
            hash = vl_fingerprint(hash, &info.st_mtim, sizeof info.st_mtim);
            hash = vl_fingerprint(hash, &info.st_size, sizeof info.st_size);
        }
        vl_place_list_free(list);
    }
    for (size_t i = 0; i < parts->count; i++) {
        uint64_t object = is_usable(parts, i) ? parts->with[i]->hash : 0;
        hash = vl_fingerprint(hash, &object, sizeof object);
    }
    return hash;
}

/* The runner's archives, and the reference of this lab too, for its files without mistakes. */
static enum vl_status link_objects(char **program, const struct parts *parts, char *switches)
{
    struct vl_toolchain with = *parts->toolchain;
    size_t archives = 0, n = 0;
    while (with.archives[archives] != NULL)
        archives++;
    char **objects = calloc(parts->objects.count + 2, sizeof *objects), *words = NULL;
    with.archives = calloc(archives + 2, sizeof *with.archives);
    enum vl_status status = objects != NULL && with.archives != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_toolchain_lend_own(&with, parts->sandbox);
    if (status == VL_OK) {
        objects[n++] = switches;
        for (size_t i = 0; i < parts->objects.count; i++)
            if (parts->objects.list[i].made)
                objects[n++] = parts->objects.list[i].path;
        with.archives[0] = with.own;
        memcpy(with.archives + 1, parts->toolchain->archives, archives * sizeof *with.archives);
        status = vl_toolchain_link(program, &words, &with, parts->sandbox, parts->scratch, PROGRAM,
                                   objects);
    }
    free(words);
    free(objects);
    free(with.archives);
    return status;
}

/* *program is NULL if the linker refuses. */
static enum vl_status make_program(char **program, const struct parts *parts)
{
    char name[32], *switches = NULL;
    const char *cache = parts->objects.cache;
    snprintf(name, sizeof name, "%016llx.run", (unsigned long long)program_hash(parts));
    *program = vl_path_join(parts->scratch, PROGRAM);
    if (*program == NULL)
        return VL_ENOMEM;
    if (vl_cache_take(*program, cache, name) && chmod(*program, 0755) == 0)
        return VL_OK;
    free(*program);
    *program = NULL;
    enum vl_status status = make_switch(&switches, parts);
    if (status == VL_OK)
        status = link_objects(program, parts, switches);
    if (status == VL_OK && *program != NULL) {
        vl_cache_keep(cache, name, *program);
        vl_cache_trim(cache, CACHE_BYTES);
    }
    free(switches);
    return status;
}

/* ---- the whole ---- */

static enum vl_status open_parts(struct parts *parts)
{
    const struct vl_toolchain *toolchain = parts->toolchain;
    enum vl_status status = vl_reference_read(&parts->reference, toolchain->lab, parts->student);
    if (status != VL_OK)
        return status == VL_ENOMEM ? status : VL_ELACK;
    size_t files = parts->reference.count;
    parts->plain = calloc(files + 1, sizeof(struct vl_object *));
    parts->with = calloc(parts->count + 1, sizeof(struct vl_object *));
    status = vl_objects_open(&parts->objects, toolchain, parts->sandbox, parts->scratch,
                             files + parts->count);
    return parts->plain != NULL && parts->with != NULL ? status : VL_ENOMEM;
}

enum vl_status vl_variants_build(struct vl_variants *variants, const struct vl_toolchain *toolchain,
                                 const struct vl_sandbox *sandbox, const char *scratch,
                                 const struct vl_mistake *const *mistakes, size_t count,
                                 const char *student, double until)
{
    struct parts parts = {.toolchain = toolchain,
                          .sandbox = sandbox,
                          .scratch = scratch,
                          .student = student,
                          .mistakes = mistakes,
                          .count = count};
    bool any = false;
    *variants = (struct vl_variants){.count = count, .usable = calloc(count, sizeof(bool))};
    enum vl_status status = variants->usable != NULL ? open_parts(&parts) : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = add_mistake(&parts, i, mistakes[i]);
    if (status == VL_OK)
        status = vl_objects_compile(&parts.objects, until);
    for (size_t i = 0; i < count && status == VL_OK; i++)
        any |= variants->usable[i] = is_usable(&parts, i);
    if (any && !vl_interrupt_seen() && vl_clock() <= until)
        status = make_program(&variants->program, &parts);
    vl_objects_close(&parts.objects);
    vl_reference_free(&parts.reference);
    free(parts.plain);
    free(parts.with);
    return status;
}

void vl_variants_free(struct vl_variants *variants)
{
    if (variants->program != NULL) /* the submission may run once more, and nothing hides this */
        unlink(variants->program);
    free(variants->program);
    free(variants->usable);
    *variants = (struct vl_variants){0};
}
