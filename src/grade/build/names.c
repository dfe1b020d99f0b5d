#include "grade/build/names.h"

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "sandbox/objects/symbols.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_BYTES ((size_t)4 << 20) /* it has some 60 KiB */
#define NAME_BYTES 256               /* of a name that is looked at; no reserved one is longer */
#define NOWHERE    (-1)
#define RUNNER     0 /* or engine, meter ...: what belongs to no lab */

/* One line of the list. */
struct entry {
    const char *name; /* not ended by a zero byte */
    int length;
    int home; /* the number of the lab that defines it, or RUNNER; NOWHERE: it is only used here */
};

struct vl_names {
    const struct vl_lab *lab;
    char *text;
    struct entry *entries; /* sorted by name */
    size_t count;
};

/* ---- names that are reserved, whoever has them ---- */

/* The last one of each list is NULL; "x*" is every name that begins with x. */
static const char *const never_used[] = {
    "PMPI_*",     "mca_*",                                 /* past the wrappers that count */
    "__real_*",   "__wrap_*",                              /* what those wrappers call, and are */
    "dlopen",     "dlmopen",  "dlsym",           "dlvsym", /* names that the linker does not see */
    "__libc_dl*", "_dl_*",    "dl_iterate_phdr", "dlinfo", "dladdr",
    "dladdr1",    "_DYNAMIC", "_r_debug",        NULL};

static const char *const never_defined[] = {
    "MPI_*", "PMPI_*", "mca_*", "ompi_*",
    "__*",   "_start", "_init", "_fini", /* C keeps names with two underscores for the system */
    NULL};

/* Of status.h, which is for all. */
static const char *const for_all[] = {"vl_status_text", "vl_status_code", "vl_status_name", NULL};

static bool is_in(const char *const *list, const char *name)
{
    for (; *list != NULL; list++) {
        size_t beginning = strlen(*list) - 1;
        if ((*list)[beginning] == '*' ? strncmp(name, *list, beginning) == 0
                                      : strcmp(name, *list) == 0)
            return true;
    }
    return false;
}

/* ---- the list ---- */

static int by_name(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;
    int shorter = l->length < r->length ? l->length : r->length;
    int order = memcmp(l->name, r->name, (size_t)shorter);
    return order != 0 ? order : l->length - r->length;
}

/* An archive's members are listed below "libvl_solution_02_collectives.a[cost.c.o]:". */
static int home_of(const char *heading)
{
    static const char before[] = "libvl_solution_";
    const char *end = strchr(heading, '\n'), *at = strstr(heading, before);
    return at != NULL && (end == NULL || at < end) ? atoi(at + sizeof before - 1) : RUNNER;
}

static enum vl_status index_list(struct vl_names *names)
{
    size_t lines = 1;
    for (const char *at = names->text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    names->entries = calloc(lines, sizeof *names->entries);
    if (names->entries == NULL)
        return VL_ENOMEM;
    int home = RUNNER;
    for (const char *line = names->text, *next; line != NULL; line = next) {
        struct vl_symbol symbol;
        next = vl_symbols_next(&symbol, line);
        if (symbol.kind == '\0' && symbol.length > 0)
            home = home_of(line);
        else if (symbol.kind != '\0')
            names->entries[names->count++] =
                (struct entry){symbol.name, symbol.length, symbol.global ? home : NOWHERE};
    }
    qsort(names->entries, names->count, sizeof *names->entries, by_name);
    return names->count > 0 ? VL_OK : VL_ELACK;
}

enum vl_status vl_names_read(struct vl_names **names, const struct vl_lab *lab)
{
    char *path = vl_place_path("runner_names", NULL);
    size_t n;
    *names = calloc(1, sizeof **names);
    enum vl_status status = path != NULL && *names != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK) {
        (*names)->lab = lab;
        status = vl_file_read(&(*names)->text, &n, path, LIST_BYTES);
    }
    free(path);
    if (status == VL_OK)
        status = index_list(*names);
    return status == VL_OK || status == VL_ENOMEM ? status : VL_ELACK;
}

void vl_names_free(struct vl_names *names)
{
    if (names == NULL)
        return;
    free(names->entries);
    free(names->text);
    free(names);
}

static bool is_absent(const struct vl_names *names, int home)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i]->number == home)
            return vl_lab_does_without(names->lab, vl_labs[i]);
    return false;
}

const char *vl_names_absent(int *length, const struct vl_names *names, size_t *at)
{
    while (*at < names->count) {
        const struct entry *entry = &names->entries[(*at)++];
        *length = entry->length;
        if (is_absent(names, entry->home))
            return entry->name;
    }
    return NULL;
}

/* Who defines it? NOWHERE if that is nobody in the list; then *used says whether somebody in it
 * takes it from a library. */
static int look_up(bool *used, const struct vl_names *names, const char *name)
{
    const struct entry wanted = {name, (int)strlen(name), NOWHERE}, *all = names->entries;
    const struct entry *found = bsearch(&wanted, all, names->count, sizeof *all, by_name);
    *used = found != NULL;
    while (found != NULL && found > all && by_name(found - 1, &wanted) == 0)
        found--;
    for (; found != NULL && found < all + names->count && by_name(found, &wanted) == 0; found++)
        if (found->home != NOWHERE)
            return found->home;
    return NOWHERE;
}

/* ---- one name of a submission ---- */

static bool is_own(const struct vl_names *names, const char *name)
{
    const struct vl_lab *lab = names->lab;
    for (size_t i = 0; i < lab->function_count; i++)
        if (strcmp(lab->functions[i].name, name) == 0)
            return true;
    return false;
}

static struct vl_refusal look_at_definition(const struct vl_names *names, const char *file,
                                            const char *name)
{
    bool used;
    int home = look_up(&used, names, name);
    bool own = home == names->lab->number || is_own(names, name);
    if (own || (!used && !is_in(never_defined, name)))
        return (struct vl_refusal){0};
    return (struct vl_refusal){
        "defines_reserved_name",
        vl_text_format(_("%1$s was left out: it defines %2$s, a name that the grader's program "
                         "uses. Make it static, or rename it."),
                       file, name)};
}

static struct vl_refusal look_at_use(const struct vl_names *names, const char *file,
                                     const char *name)
{
    bool used;
    int home = look_up(&used, names, name);
    if (home > names->lab->number)
        return (struct vl_refusal){
            "uses_later_lab",
            vl_text_format(_("%1$s was left out: it uses %2$s of lab %3$02d, which comes later. "
                             "Write what you need yourself, as a static function."),
                           file, name, home)};
    bool runners = home == RUNNER && strncmp(name, "vl_", 3) == 0 && !is_in(for_all, name);
    if (!runners && !is_in(never_used, name))
        return (struct vl_refusal){0};
    return (struct vl_refusal){
        "uses_reserved_name",
        vl_text_format(_("%1$s was left out: it uses %2$s, which is not meant for submissions. "
                         "Use what the lab's headers offer, and MPI's own functions."),
                       file, name)};
}

/* The name that the linker looks for: "memcmp" of "memcmp@GLIBC_2.2.5". It may go into a sentence,
 * and an object's names may hold any byte. */
static void plain_name(char name[NAME_BYTES], const struct vl_symbol *symbol)
{
    snprintf(name, NAME_BYTES, "%.*s", symbol->length, symbol->name);
    for (char *c = name; *c != '\0'; c++)
        if (!isgraph((unsigned char)*c))
            *c = '?';
    if (name[0] != '@')
        name[strcspn(name, "@")] = '\0';
}

struct vl_refusal vl_names_look(const struct vl_names *names, const char *file, const char *symbols)
{
    struct vl_refusal refusal = {0};
    for (const char *line = symbols; line != NULL && refusal.code == NULL;) {
        struct vl_symbol symbol;
        char name[NAME_BYTES];
        line = vl_symbols_next(&symbol, line);
        plain_name(name, &symbol);
        if (symbol.global)
            refusal = look_at_definition(names, file, name);
        else if (symbol.wanted)
            refusal = look_at_use(names, file, name);
    }
    return refusal;
}
