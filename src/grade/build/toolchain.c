#include "grade/build/toolchain.h"

#include "base/path.h"
#include "base/place.h"
#include "base/words.h"
#include "grade/build/lab_files.h"
#include "grade/build/names.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE (256u << 20)

const struct vl_limits vl_toolchain_limits = {.seconds = VL_TOOLCHAIN_SECONDS,
                                              .memory = (size_t)2 << 30,
                                              .file_size = (size_t)64 << 20,
                                              .processes = 64,
                                              .nice = 5}; /* somebody may be timed meanwhile */

static void put_all(struct vl_words *words, char *const *list)
{
    for (; list != NULL && *list != NULL; list++)
        vl_words_add(words, "%s", *list);
}

/* A list of buildinfo.json, each item after 'before'; a bare library name becomes -lname. */
static void put_key(struct vl_words *words, const char *key, const char *before)
{
    char **list = vl_place_list(key);
    words->failed |= list == NULL;
    for (char **item = list; item != NULL && *item != NULL; item++) {
        int bare = before[0] == '\0' && (*item)[0] != '-' && strchr(*item, '/') == NULL;
        vl_words_add(words, "%s%s", bare ? "-l" : before, *item);
    }
    vl_place_list_free(list);
}

static void put_sanitizers(struct vl_words *words, int asan)
{
    if (asan)
        vl_words_add(words, "-fsanitize=address,undefined");
    else
        put_key(words, "sanitize_flags", "");
}

static void put_lab_flags(struct vl_words *words, int asan)
{
    put_key(words, "lab_flags", "");
    put_sanitizers(words, asan);
    if (asan) {
        vl_words_add(words, "-O1");
        vl_words_add(words, "-fno-omit-frame-pointer");
    }
    vl_words_add(words, "-D_GNU_SOURCE");
    vl_words_add(words, "-Wall");
    vl_words_add(words, "-Wextra");
}

static enum vl_status start(struct vl_process *process, const struct vl_sandbox *sandbox,
                            const char *where, struct vl_words *words, const char *const *sees,
                            int asan)
{
    struct vl_limits limits = vl_toolchain_limits;
    limits.sees = sees;
    if (asan)
        limits.memory = 0; /* the sanitizers reserve terabytes of addresses */
    enum vl_status status = VL_ENOMEM;
    if (!words->failed)
        status = vl_process_start(process, sandbox, where, words->list, &limits);
    int why = errno;
    vl_words_free(words);
    errno = why;
    return status;
}

char *vl_toolchain_flags(int asan)
{
    struct vl_words words = {0};
    vl_words_add(&words, "%s", vl_place_text("compiler"));
    put_lab_flags(&words, asan);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; i < words.count && out != NULL; i++)
        fprintf(out, i > 0 ? " %s" : "%s", words.list[i]);
    if (out == NULL || fclose(out) != 0 || words.failed) {
        free(text);
        text = NULL;
    }
    vl_words_free(&words);
    return text;
}

enum vl_status vl_toolchain_compile(struct vl_process *process,
                                    const struct vl_toolchain *toolchain,
                                    const struct vl_sandbox *sandbox, const char *where,
                                    const char *source, const char *object, char *const *more)
{
    struct vl_words words = {0};
    vl_words_add(&words, "%s", vl_place_text("compiler"));
    put_lab_flags(&words, toolchain->asan);
    vl_words_add(&words, "-fdiagnostics-color=never");
    vl_words_add(&words, "-I%s", toolchain->folder);
    put_key(&words, toolchain->target->includes, "-I");
    put_key(&words, "blas_includes", "-I");
    put_key(&words, toolchain->target->flags, "");
    put_all(&words, more);
    vl_words_add(&words, "-c");
    vl_words_add(&words, "%s%s", source[0] == '-' ? "./" : "", source);
    vl_words_add(&words, "-o");
    vl_words_add(&words, "%s", object);
    char *contracts = vl_path_join(toolchain->folder, "vialata");
    const char *const sees[] = {where, contracts, NULL};
    words.failed |= contracts == NULL;
    enum vl_status status = start(process, sandbox, where, &words, sees, toolchain->asan);
    free(contracts);
    return status;
}

/* The linker runs nothing of the submission's, so it may see the references: everything in 'scratch'. */
static enum vl_status start_linking(struct vl_process *process,
                                    const struct vl_toolchain *toolchain,
                                    const struct vl_sandbox *sandbox, const char *scratch,
                                    const char *program, char *const *objects)
{
    const char *const sees[] = {scratch, NULL};
    struct vl_words words = {0};
    vl_words_add(&words, "%s", vl_place_text("compiler"));
    put_sanitizers(&words, toolchain->asan);
    put_key(&words, toolchain->target->wraps, "");
    vl_words_add(&words, "-fno-lto"); /* so that objects are code and nothing else */
    vl_words_add_all(&words, toolchain->target->link);
    vl_words_add(&words, "-o");
    vl_words_add(&words, "%s", program);
    vl_words_add(&words, "%s/rules.ld", toolchain->folder);
    put_all(&words, toolchain->objects);
    if (objects != NULL)
        put_all(&words, objects);
    vl_words_add(&words, "-Wl,--start-group");
    if (objects == NULL && toolchain->own != NULL)
        vl_words_add(&words, "%s", toolchain->own);
    put_all(&words, toolchain->archives);
    vl_words_add(&words, "-Wl,--end-group");
    put_key(&words, "blas_libraries", "");
    put_key(&words, toolchain->target->libraries, "");
    put_key(&words, "runner_libraries", "");
    vl_words_add(&words, "-lpthread");
    return start(process, sandbox, NULL, &words, sees, toolchain->asan);
}

bool vl_toolchain_is_over(double began)
{
    double seconds = vl_clock() - began;
    return seconds > VL_TOOLCHAIN_SECONDS && seconds > VL_TOOLCHAIN_SECONDS * vl_load_average();
}

void vl_toolchain_wait(struct vl_process *process)
{
    double began = vl_clock();
    while (!vl_process_poll(process, 5) && !vl_toolchain_is_over(began) && !vl_interrupt_seen())
        ;
    vl_process_end(process);
}

enum vl_status vl_toolchain_link(char **program, char **words, const struct vl_toolchain *toolchain,
                                 const struct vl_sandbox *sandbox, const char *scratch,
                                 const char *name, char *const *objects)
{
    char *made = vl_path_join(sandbox->folder, name);
    char *kept = vl_path_join(scratch, name);
    struct vl_process linker = {.pipe = -1};
    enum vl_status status = VL_ENOMEM;
    *program = *words = NULL;
    if (made != NULL && kept != NULL)
        status = start_linking(&linker, toolchain, sandbox, scratch, made, objects);
    if (status == VL_OK) {
        vl_toolchain_wait(&linker);
        if (linker.exit != 0)
            *words = strdup(linker.words);
        else
            status = vl_scratch_copy(kept, made, MAX_FILE);
        if (linker.exit == 0 && status == VL_OK && chmod(kept, 0755) != 0)
            status = VL_EIO;
        unlink(made);
    }
    if (status == VL_OK && linker.exit == 0) {
        *program = kept;
        kept = NULL;
    }
    vl_process_free(&linker);
    free(made);
    free(kept);
    return status;
}

/* Only we can write to the toolchain's folder, so predictable names are safe. */
static enum vl_status copy_list(struct vl_words *copies, const struct vl_toolchain *toolchain,
                                const char *key)
{
    char **list = vl_place_list(key);
    enum vl_status status = list != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; status == VL_OK && list[i] != NULL; i++) {
        const char *slash = strrchr(list[i], '/');
        char *to = NULL;
        /* Objects of different folders may share a name. */
        if (asprintf(&to, "%s/%zu_%s", toolchain->folder, i, slash != NULL ? slash + 1 : list[i]) <
            0)
            status = VL_ENOMEM;
        else
            status = vl_scratch_copy(to, list[i], MAX_FILE);
        if (status == VL_OK)
            vl_words_add(copies, "%s", to);
        free(to);
    }
    vl_place_list_free(list);
    return copies->failed ? VL_ENOMEM : status;
}

static enum vl_status copy_headers(const struct vl_toolchain *toolchain)
{
    char *from = vl_place_path("include", "vialata"), *to;
    enum vl_status status = vl_scratch_folder(&to, toolchain->folder, "vialata");
    if (status == VL_OK)
        status = vl_headers_copy(to, from);
    free(from);
    free(to);
    return status;
}

static enum vl_status write_fallback(const struct vl_toolchain *toolchain)
{
    FILE *file = vl_scratch_begin(toolchain->folder, "fallback.c");
    /* The headers are left out on purpose: a status comes back the same way whatever the
     * arguments are, which spares writing each signature a second time. */
    for (size_t i = 0; i < toolchain->lab->function_count && file != NULL; i++)
        if (toolchain->lab->functions[i].file != NULL)
            fprintf(file, "__attribute__((weak)) unsigned %s(void) { return %uu; }\n",
                    toolchain->lab->functions[i].name, (unsigned)VL_EMISSING);
    return vl_scratch_end(file);
}

/* Take the reference of a lab out of the archives. The caller owns it; NULL if there is none. */
static char *take_out(const struct vl_toolchain *toolchain, const struct vl_lab *lab)
{
    char name[128], *taken = NULL;
    snprintf(name, sizeof name, "solution_%s.a", lab->folder);
    char **kept = toolchain->archives;
    for (char **one = toolchain->archives; one != NULL && *one != NULL; one++) {
        if (taken == NULL && strstr(*one, name) != NULL)
            taken = *one;
        else
            *kept++ = *one;
    }
    if (kept != NULL)
        *kept = NULL;
    return taken;
}

enum vl_status vl_toolchain_open(struct vl_toolchain *toolchain, const struct vl_target *target,
                                 const struct vl_lab *lab, const char *scratch, int asan)
{
    *toolchain = (struct vl_toolchain){.target = target, .lab = lab, .asan = asan};
    enum vl_status status = vl_scratch_folder(&toolchain->folder, scratch, "toolchain");
    if (status == VL_OK)
        status = copy_headers(toolchain);
    return status == VL_OK ? write_fallback(toolchain) : status;
}

static enum vl_status add(struct vl_toolchain *toolchain)
{
    const struct vl_target *target = toolchain->target;
    struct vl_words objects = {0}, archives = {0};
    enum vl_status status = copy_list(&objects, toolchain, target->objects);
    if (status == VL_OK)
        status = copy_list(&archives, toolchain, target->archives);
    if (status == VL_OK)
        status = copy_list(&archives, toolchain, target->solutions);
    toolchain->objects = objects.list;
    toolchain->archives = archives.list;
    return status == VL_OK && objects.count == 0 ? VL_ELACK : status;
}

/* Rules for the linker. What a program defines stays its own: a submission's strtol is not MPI's.
 * What labs define that are not linked ('names' may be NULL) is vl_absent (src/runner/absent.c). */
static enum vl_status write_rules(const struct vl_toolchain *toolchain,
                                  const struct vl_names *names)
{
    FILE *file = vl_scratch_begin(toolchain->folder, "rules.ld");
    const char *name, *seen = toolchain->target->seen;
    int length;
    if (file != NULL)
        fprintf(file, "VERSION { { %s%s%s local: *; }; }\n", seen[0] != '\0' ? "global: " : "",
                seen, seen[0] != '\0' ? ";" : "");
    for (size_t i = 0;
         file != NULL && names != NULL && (name = vl_names_absent(&length, names, &i)) != NULL;)
        fprintf(file, "PROVIDE(%.*s = vl_absent);\n", length, name);
    return vl_scratch_end(file);
}

/* Without a wall, a submission can look into this folder: what could answer for it must not be there. */
static void remove_absent(struct vl_toolchain *toolchain)
{
    for (size_t i = 0; i < vl_lab_count; i++) {
        char *absent = vl_lab_does_without(toolchain->lab, vl_labs[i])
                           ? take_out(toolchain, vl_labs[i])
                           : NULL;
        if (absent != NULL)
            unlink(absent);
        free(absent);
    }
}

enum vl_status vl_toolchain_add_runner(struct vl_toolchain *toolchain)
{
    struct vl_names *names = NULL;
    enum vl_status status = add(toolchain);
    toolchain->own = take_out(toolchain, toolchain->lab);
    if (status == VL_OK && toolchain->own != NULL && chmod(toolchain->own, 0600) != 0)
        status = VL_EIO;
    remove_absent(toolchain);
    if (status == VL_OK)
        status = vl_names_read(&names, toolchain->lab);
    if (status == VL_OK)
        status = write_rules(toolchain, names);
    vl_names_free(names);
    return status;
}

enum vl_status vl_toolchain_lend_own(const struct vl_toolchain *toolchain,
                                     const struct vl_sandbox *sandbox)
{
    return toolchain->own != NULL ? vl_sandbox_give(sandbox, toolchain->own) : VL_OK;
}

enum vl_status vl_toolchain_add_program(struct vl_toolchain *toolchain,
                                        const struct vl_lab *const *mine, size_t count)
{
    enum vl_status status = add(toolchain);
    for (size_t i = 0; i < count; i++)
        free(take_out(toolchain, mine[i]));
    return status == VL_OK ? write_rules(toolchain, NULL) : status;
}

void vl_toolchain_close(struct vl_toolchain *toolchain)
{
    vl_place_list_free(toolchain->objects);
    vl_place_list_free(toolchain->archives);
    free(toolchain->own);
    free(toolchain->folder);
    *toolchain = (struct vl_toolchain){0};
}
