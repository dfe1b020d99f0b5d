#include "grade/diagnose/variants.h"

#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "grade/build/lab_files.h"
#include "grade/diagnose/cache.h"
#include "grade/diagnose/switch.h"
#include "grade/sandbox/interrupt.h"
#include "grade/sandbox/process.h"
#include "grade/sandbox/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AT_ONCE 2

/* Objects to be made: the files concerned as they are, then each mistake's. */
struct object {
    size_t file;   /* of the reference */
    uint64_t hash; /* of what it is compiled from */
    char *path;    /* below the scratch folder */
    bool made;
};

struct work {
    const struct vl_toolchain *toolchain;
    const struct vl_sandbox *sandbox;
    const char *scratch;
    char *folder; /* sources and objects */
    char *cache;  /* NULL: nothing is kept */
    struct vl_reference reference;
    uint64_t surroundings; /* headers and flags */
    struct object *plain;  /* one a file of the reference; hash 0 where no mistake is in it */
    struct object *with;   /* one a mistake; hash 0 where it does not apply */
    size_t count;          /* of mistakes */
    double until;          /* on vl_clock(): nothing is compiled after it */
};

/* ---- what an object depends on ---- */

static enum vl_status look_around(struct work *work)
{
    const struct vl_lab *lab = work->toolchain->lab;
    char *flags = vl_toolchain_flags(0);
    char *contracts = vl_path_join(work->toolchain->folder, "vialata");
    char *own = vl_place_path("solutions", lab->folder),
         *given = vl_place_path("labs", lab->folder);
    enum vl_status status = flags && contracts && own && given ? VL_OK : VL_ENOMEM;
    work->surroundings = VL_FINGERPRINT;
    if (status == VL_OK) {
        work->surroundings = vl_fingerprint(work->surroundings, flags, strlen(flags));
        work->surroundings = vl_headers_fingerprint(work->surroundings, contracts);
        (void)vl_headers_copy(work->folder, given);
        (void)vl_headers_copy(work->folder, own);
        work->surroundings = vl_headers_fingerprint(work->surroundings, work->folder);
    }
    free(flags);
    free(contracts);
    free(own);
    free(given);
    return status;
}

/* ---- sources ---- */

/* Write the source of an object, and know it by its hash. Takes the text. */
static enum vl_status write_source(struct work *work, struct object *object, size_t file,
                                   char *text)
{
    char name[32];
    object->file = file;
    object->hash = vl_fingerprint(work->surroundings, text, strlen(text));
    snprintf(name, sizeof name, "%016llx.o", (unsigned long long)object->hash);
    object->path = vl_path_join(work->folder, name);
    snprintf(name, sizeof name, "%016llx.c", (unsigned long long)object->hash);
    FILE *out = vl_scratch_begin(work->folder, name);
    if (out != NULL)
        fputs(text, out);
    free(text);
    enum vl_status status = vl_scratch_end(out);
    return object->path != NULL ? status : VL_ENOMEM;
}

static enum vl_status write_sources(struct work *work, const struct vl_mistake *const *mistakes)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < work->count && status == VL_OK; i++) {
        char *text, *problem;
        size_t file;
        enum vl_status applied =
            vl_mistake_apply(&text, &file, mistakes[i], &work->reference, &problem);
        free(problem);
        if (applied == VL_OK)
            status = write_source(work, &work->with[i], file, text);
        else if (applied == VL_ENOMEM)
            status = VL_ENOMEM;
    }
    for (size_t i = 0; i < work->count && status == VL_OK; i++) {
        size_t file = work->with[i].file;
        if (work->with[i].hash == 0 || work->plain[file].hash != 0)
            continue;
        char *text = strdup(work->reference.files[file].text);
        status = text != NULL ? write_source(work, &work->plain[file], file, text) : VL_ENOMEM;
    }
    return status;
}

/* ---- compiling ---- */

/* -Dvl_f=vl_f__<hash> for every function that the file gives to others. */
static void put_renaming_flags(struct vl_words *flags, const struct work *work,
                               const struct object *object)
{
    struct vl_c_function function;
    const char *text = work->reference.files[object->file].text;
    for (const char *at = text; vl_c_function_next(&function, at); at = function.end)
        if (!function.is_static)
            vl_words_add(flags, "-D%.*s=%.*s__%016llx", (int)function.length, function.name,
                         (int)function.length, function.name, (unsigned long long)object->hash);
}

static enum vl_status start_compiling(struct vl_process *process, const struct work *work,
                                      const struct object *object, const char *made)
{
    char name[32];
    struct vl_words flags = {0};
    vl_words_add(&flags, "-O1"); /* half the time of -O3, and the same numbers */
    vl_words_add(&flags, "-g0");
    vl_words_add(&flags, "-w");
    put_renaming_flags(&flags, work, object);
    snprintf(name, sizeof name, "%016llx.c", (unsigned long long)object->hash);
    enum vl_status status = VL_ENOMEM;
    if (!flags.failed)
        status = vl_toolchain_compile(process, work->toolchain, work->sandbox, work->folder, name,
                                      made, flags.list);
    vl_words_free(&flags);
    return status;
}

/* The compiler writes where the sandbox's user may; the object is taken from there. */
static void take_object(const struct work *work, struct object *object, struct vl_process *process,
                        const char *made)
{
    char name[32];
    snprintf(name, sizeof name, "%016llx.o", (unsigned long long)object->hash);
    vl_toolchain_wait(process);
    if (process->exit == 0 && vl_scratch_copy(object->path, made, 64u << 20) == VL_OK) {
        object->made = true;
        vl_cache_keep(work->cache, name, object->path);
    }
    unlink(made);
    vl_process_free(process);
}

static struct object *object_at(struct work *work, size_t i)
{
    return i < work->reference.count ? &work->plain[i] : &work->with[i - work->reference.count];
}

/* Two mistakes may be the same text: the first of them is compiled. */
static const struct object *twin_before(struct work *work, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (object_at(work, k)->hash == object_at(work, i)->hash)
            return object_at(work, k);
    return NULL;
}

/* Two at a time: while one is waited for, the other goes on. */
static enum vl_status compile_all(struct work *work)
{
    struct vl_process processes[AT_ONCE];
    struct object *running[AT_ONCE] = {0};
    char *made[AT_ONCE] = {0};
    enum vl_status status = VL_OK;
    size_t all = work->reference.count + work->count;
    for (size_t i = 0, turn = 0; i < all + AT_ONCE; i++, turn = (turn + 1) % AT_ONCE) {
        if (running[turn] != NULL)
            take_object(work, running[turn], &processes[turn], made[turn]);
        running[turn] = NULL;
        free(made[turn]);
        made[turn] = NULL;
        struct object *next = i < all ? object_at(work, i) : NULL;
        char name[32];
        if (next == NULL || next->hash == 0 || status != VL_OK || vl_interrupt_seen() ||
            vl_clock() > work->until || twin_before(work, i) != NULL)
            continue;
        snprintf(name, sizeof name, "%016llx.o", (unsigned long long)next->hash);
        if ((next->made = vl_cache_take(next->path, work->cache, name)))
            continue;
        made[turn] = vl_path_join(work->sandbox->folder, name);
        processes[turn] = (struct vl_process){.pipe = -1};
        status = made[turn] != NULL ? start_compiling(&processes[turn], work, next, made[turn])
                                    : VL_ENOMEM;
        running[turn] = status == VL_OK ? next : NULL;
    }
    for (size_t i = 0; i < all; i++) {
        const struct object *twin = object_at(work, i)->hash ? twin_before(work, i) : NULL;
        object_at(work, i)->made |= twin != NULL && twin->made;
    }
    return status;
}

/* ---- linking ---- */

static enum vl_status make_switch(const struct work *work, char **object)
{
    struct vl_process compiler = {.pipe = -1};
    FILE *out = vl_scratch_begin(work->folder, "switch.c");
    *object = vl_path_join(work->sandbox->folder, "switch.o");
    if (out != NULL) {
        vl_switch_begin(out);
        for (size_t file = 0; file < work->reference.count; file++) {
            const struct object *plain = &work->plain[file];
            if (plain->made)
                vl_switch_file(out, work->reference.files[file].text, plain->hash);
        }
        vl_switch_choose(out);
        for (size_t file = 0; file < work->reference.count; file++)
            if (work->plain[file].made)
                vl_switch_variant(out, 0, work->reference.files[file].text, work->plain[file].hash);
        for (size_t i = 0; i < work->count; i++) {
            const struct object *with = &work->with[i];
            if (with->made && work->plain[with->file].made)
                vl_switch_variant(out, (unsigned)i + 1, work->reference.files[with->file].text,
                                  with->hash);
        }
        vl_switch_end(out);
    }
    enum vl_status status = vl_scratch_end(out);
    if (*object == NULL)
        status = VL_ENOMEM;
    char *const more[] = {(char *)"-O1", (char *)"-g0", NULL};
    if (status == VL_OK)
        status = vl_toolchain_compile(&compiler, work->toolchain, work->sandbox, work->folder,
                                      "switch.c", *object, more);
    if (status == VL_OK) {
        vl_toolchain_wait(&compiler);
        status = compiler.exit == 0 ? VL_OK : VL_EINTERNAL;
        vl_process_free(&compiler);
    }
    return status;
}

/* What the whole program is made from, the runner and the archives by their dates. */
static uint64_t program_hash(const struct work *work)
{
    static const char *const keys[] = {"runner_objects", "runner_archives", "solution_archives"};
    uint64_t hash = work->surroundings;
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
    for (size_t i = 0; i < work->count; i++) {
        uint64_t object = work->with[i].made ? work->with[i].hash : 0;
        hash = vl_fingerprint(hash, &object, sizeof object);
    }
    return hash;
}

/* The archives of the runner, and behind them the reference of this lab: for its other files. */
static enum vl_status link_objects(struct vl_variants *variants, const struct work *work,
                                   const char *switches)
{
    struct vl_toolchain with = *work->toolchain;
    size_t archives = 0, n = 0, all = work->reference.count + work->count;
    while (with.archives[archives] != NULL)
        archives++;
    char **objects = calloc(all + 2, sizeof *objects), *words = NULL;
    with.archives = calloc(archives + 2, sizeof *with.archives);
    enum vl_status status = objects != NULL && with.archives != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        objects[n++] = (char *)switches;
        for (size_t i = 0; i < all; i++) {
            const struct object *object = object_at((struct work *)work, i);
            bool twice = false; /* two mistakes may be the same text */
            for (size_t k = 0; k < n; k++)
                twice |= object->made && strcmp(objects[k], object->path) == 0;
            if (object->made && !twice)
                objects[n++] = object->path;
        }
        with.archives[0] = with.own;
        memcpy(with.archives + 1, work->toolchain->archives, archives * sizeof *with.archives);
        status = vl_toolchain_link(&variants->program, &words, &with, work->sandbox, work->scratch,
                                   "mistakes.run", objects);
    }
    free(words);
    free(objects);
    free(with.archives);
    return status;
}

static enum vl_status link_program(struct vl_variants *variants, const struct work *work)
{
    char name[32], *switches = NULL;
    snprintf(name, sizeof name, "%016llx.run", (unsigned long long)program_hash(work));
    char *path = vl_path_join(work->scratch, "mistakes.run");
    enum vl_status status = path != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK && vl_cache_take(path, work->cache, name) && chmod(path, 0755) == 0) {
        variants->program = path;
        return VL_OK;
    }
    if (status == VL_OK)
        status = make_switch(work, &switches);
    if (status == VL_OK)
        status = link_objects(variants, work, switches);
    if (status == VL_OK && variants->program != NULL)
        vl_cache_keep(work->cache, name, variants->program);
    free(switches);
    free(path);
    return status;
}

/* ---- the whole ---- */

static void end_work(struct work *work)
{
    for (size_t i = 0;
         work->plain != NULL && work->with != NULL && i < work->reference.count + work->count; i++)
        free(object_at(work, i)->path);
    free(work->plain);
    free(work->with);
    free(work->folder);
    free(work->cache);
    vl_reference_free(&work->reference);
}

enum vl_status vl_variants_build(struct vl_variants *variants, const struct vl_toolchain *toolchain,
                                 const struct vl_sandbox *sandbox, const char *scratch,
                                 const struct vl_mistake *const *mistakes, size_t count,
                                 double until)
{
    struct work work = {.toolchain = toolchain,
                        .sandbox = sandbox,
                        .scratch = scratch,
                        .count = count,
                        .until = until,
                        .cache = vl_cache_folder()};
    *variants = (struct vl_variants){.count = count, .usable = calloc(count, sizeof(bool))};
    enum vl_status status = vl_reference_read(&work.reference, toolchain->lab);
    if (status != VL_OK && status != VL_ENOMEM)
        status = VL_ELACK;
    work.plain = calloc(work.reference.count + 1, sizeof *work.plain);
    work.with = calloc(count + 1, sizeof *work.with);
    if (!work.plain || !work.with || !variants->usable)
        status = VL_ENOMEM;
    if (status == VL_OK)
        status = vl_scratch_folder(&work.folder, scratch, "mistakes");
    if (status == VL_OK)
        status = look_around(&work);
    if (status == VL_OK)
        status = write_sources(&work, mistakes);
    if (status == VL_OK)
        status = compile_all(&work);
    bool any = false;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        variants->usable[i] = work.with[i].made && work.plain[work.with[i].file].made;
        any |= variants->usable[i];
    }
    if (any && !vl_interrupt_seen() && vl_clock() <= until)
        status = link_program(variants, &work);
    end_work(&work);
    return status;
}

void vl_variants_free(struct vl_variants *variants)
{
    free(variants->program);
    free(variants->usable);
    *variants = (struct vl_variants){0};
}
